"""What players say, in the next letters of the others: whole, as text, and never as a move."""

import pytest

from app.engine.reading import tidy
from app.mail.inbound.reading import Message, OwnNames, open_message, read
from app.mail.outbound import deliver
from app.people import blocks, preferences
from app.play.moves import service
from app.play.seats import chat
from app.settings import Settings
from tests.play import cast

HOUSE = OwnNames(domain="h.example")
SETTINGS = ("", "folder://", "", "", "https://h.example", "h.example", ("k" * 32,))


class Table:
    """A match of Ada (red) and Bo (blue), and the letters that go to each."""

    def __init__(self, store, folder):
        self.store, self.match = store, cast.seat(store)
        self.settings = Settings(*SETTINGS, folder)

    def post(self):
        """Send what is due: for each recipient the plain text and the HTML."""
        letters = {}

        def send(_url, _sender, recipient, message):
            parts = [message.get_body((kind,)).get_content() for kind in ("plain", "html")]
            letters[recipient] = parts

        deliver.run_batch(self.store, self.settings, send)
        return letters

    def say(self, seat, words):
        chat.say(self.store, self.match.bearer(seat), self.match.match_id, words)

    def play(self, seat, move):
        service.play(self.store, self.match.bearer(seat), self.match.question(seat), move)

    def round(self):
        """Both bid, so that a letter goes to who won; their address."""
        self.play("blue", "bid 1")
        self.play("red", "bid 0")
        return self.address("blue")

    def post_round(self):
        """The letter to the winner of a round, as text and as HTML."""
        winner = self.round()
        return self.post()[winner]

    def address(self, seat):
        who = self.match.rows[seat].player_id
        return cast.one(self.store, "SELECT address FROM player WHERE id = :i", i=who).address


@pytest.fixture
def table(store, ferry, clock, tmp_path):  # noqa: ARG001 - must be there
    made = Table(store, tmp_path)
    made.post()
    return made


def test_a_word_is_told_in_the_next_letter_of_the_others_and_no_letter_goes_for_it(table):
    table.say("red", "Mind the waves!")
    table.say("blue", "I always do.")
    assert table.post() == {}
    text, html = table.post_round()
    assert "“\u2068Mind the waves!\u2069”" in text
    assert "“\u2068Mind the waves!\u2069”" in html
    assert "I always do" not in text, "they know what they said themselves"


def test_what_looks_like_a_page_is_text(table):
    table.say("red", "<script>alert(1)</script> & <b>bold</b>")
    text, html = table.post_round()
    assert "<script>alert(1)</script> & <b>bold</b>" in text
    assert "<script>" not in html
    assert "&lt;b&gt;bold" in html


def is_command(line):
    return tidy(line).startswith(("bid ", "row ", "cheer"))


@pytest.mark.parametrize("width", range(40, 75))
def test_a_long_word_is_wrapped_and_no_line_of_it_can_be_taken_for_a_move(table, width):
    """Wherever a line is broken, what stands alone on one is marked as said by somebody."""
    table.say("red", "x" * width + " bid 1 " * 12 + "y" * 300)
    text, _ = table.post_round()
    begun = text.index("\u2068x")
    told = text[text.rindex("\n", 0, begun) + 1 : text.rindex("y\u2069") + 1].splitlines()
    assert len(told) > 3
    assert max(map(len, told)) <= 76
    assert all(line.startswith("| ") for line in told[1:])
    for quote in (text, "\n".join(f"> {line}" for line in text.splitlines())):
        for typed in ("", "hello\n\n"):
            raw = f"From: a@p.example\nContent-Type: text/plain; charset=utf-8\n\n{typed}{quote}".encode()
            message = open_message(raw, HOUSE)
            assert isinstance(message, Message)
            reply = read(message, is_command, HOUSE)
            assert reply.lines == reply.left == ()


def test_twenty_messages_five_minutes_apart_are_two_emails(table, clock):
    """Also for readers who want them at once: the first comes soon, the next has all that followed."""
    reader = table.match.rows["blue"].player_id
    preferences.choose(table.store, reader, preferences.ALL, {"chat": "at_once"})
    got = []
    for n in range(20):
        table.say("red", f"message {n}.")
        for _ in range(5):
            clock.advance(minutes=1)
            got += [text for text, _ in table.post().values() if "message" in text]
    assert len(got) == 2
    clock.advance(hours=1)
    got += [text for text, _ in table.post().values()]
    clock.advance(hours=2)
    assert table.post() == {}
    for n in range(20):
        assert sum(f"message {n}." in text for text in got) == 1
    held = cast.rows(table.store, "SELECT DISTINCT reason FROM letter WHERE kind = 'chat'")
    assert {row.reason for row in held} <= {"", "told"}


def test_a_change_of_settings_lets_collected_messages_be_decided_anew(table, clock):
    reader = table.match.rows["blue"].player_id
    preferences.choose(table.store, reader, preferences.ALL, {"chat": "at_once"})
    for line in ("one", "two"):
        table.say("red", line)
        clock.advance(minutes=2)
        table.post()
    waiting = "SELECT reason FROM letter WHERE kind = 'chat' AND status = 'waiting'"
    assert [row.reason for row in cast.rows(table.store, waiting)] == ["collected"]
    preferences.choose(table.store, reader, preferences.ALL, {"chat": "none"})
    table.post()
    assert cast.rows(table.store, waiting) == []


def test_a_muted_person_sends_no_emails_and_is_not_read_in_others(table, clock):
    reader, speaker = (table.match.rows[seat].player_id for seat in ("blue", "red"))
    preferences.choose(table.store, reader, preferences.ALL, {"chat": "at_once"})
    with table.store.transaction() as connection:
        blocks.silence(connection, clock.moment, reader, speaker, invitations=False)
    table.say("red", "Sell! Sell! Sell!")
    clock.advance(hours=1)
    assert cast.rows(table.store, "SELECT * FROM letter WHERE kind = 'chat'") == []
    table.play("blue", "bid 3")
    table.play("red", "bid 0")
    clock.advance(hours=1)
    letters = table.post()
    assert letters
    assert all("Sell!" not in text for pair in letters.values() for text in pair)
    seen = table.match.player_view("blue")
    assert [one for one in seen.notices if one.what == "said"] == []
    assert seen.muted == 1
    assert [one.facts["text"] for one in table.match.player_view().notices if one.what == "said"]
    with table.store.transaction() as connection:
        blocks.lift(connection, reader, speaker)
    assert [one.facts["text"] for one in table.match.player_view("blue").notices if one.what == "said"]
