"""The letters that time brings: reminders, the grace, what followed, and a nudge from another player."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from app.mail.outbound import deliver
from app.play.clock.rules import Rule
from app.play.deadlines import nudges, sweep
from app.play.match.reading import by_match
from app.play.moves import service
from app.play.seats import organiser
from app.play.views.player_view import player_view_by_token
from app.settings import Settings
from tests.play import cast

DAY = 86400
RULE = Rule("per_move", per_move=4 * DAY, grace=DAY)
AT_ONCE = replace(RULE, grace=0)


class Post:
    """Sends all that is due; keeps recipient, subject's end and plain text."""

    def __init__(self, store, folder, clock):
        self.store, self.clock = store, clock
        key = ("k" * 32,)
        self.settings = Settings("", "folder://", "", "", "https://h.example", "h.example", key, folder)
        self.taken: list[tuple[str, str, str, str]] = []

    def send(self, _url, _sender, recipient, message):
        plain = message.get_body(("plain",)).get_content()
        html = message.get_body(("html",)).get_content()
        self.taken.append((recipient, str(message["Subject"]), " ".join(plain.split()), html))

    def round(self):
        """Sweep, and send what is due; the letters of this round."""
        del self.taken[:]
        sweep.sweep(self.store)
        deliver.run_batch(self.store, self.settings, self.send)
        return list(self.taken)

    def after(self, **span):
        """As `round`, after some time in which a round is made every two hours."""
        end = self.clock.moment + timedelta(**span)
        found = []
        while self.clock.moment < end:
            self.clock.moment = min(self.clock.moment + timedelta(hours=2), end)
            found += self.round()
        return found


@pytest.fixture
def post(store, ferry, clock, tmp_path):  # noqa: ARG001 - must be there
    return Post(store, tmp_path, clock)


def one(letters, address, words):
    found = [letter for letter in letters if letter[0] == address and words in letter[1]]
    assert len(found) == 1, [letter[:2] for letter in letters]
    return found[0]


def ada_and_bo(store, rule=RULE):
    """A match that waits for Ada alone; her address and seat."""
    match = cast.seat(store, rule=rule)
    (bo,) = (seat for seat, row in match.rows.items() if name(store, row) == "Bo")
    service.play(store, match.bearer(bo), match.question(bo), "bid 1")
    return match, next(seat for seat in match.rows if seat != bo)


def name(store, row):
    return cast.one(store, "SELECT name FROM player WHERE id = :id", id=row.player_id).name


def test_a_reminder_lists_all_that_waits_the_nearest_deadline_first_with_links_that_work(post, store, clock):
    """The date, the time, the zone and its offset stand in it, and a span; a lost letter is no lost game."""
    second, _ = ada_and_bo(store)
    clock.advance(hours=1)
    later, seat = ada_and_bo(store, replace(RULE, per_move=20 * DAY))
    post.round()
    letters = post.after(days=2)
    _, subject, plain, html = one(letters, "ada@example.org", "It’s your turn in")
    assert subject == "[Tidepost] It’s your turn in 2 games"
    first, then = plain.index(f"#{second.match_id} ("), plain.index(f"#{later.match_id} (")
    assert first < then
    assert "Please move by Friday 6 March 2026, 09:30 (WET, UTC+00:00). Time left" in plain
    tokens = re.findall(r"https://h\.example/t/(\S+)", plain)
    assert len(tokens) == 2
    assert player_view_by_token(store, tokens[1]).seat == seat
    assert all(token in html for token in tokens)
    assert all("It’s your turn in" not in subject for to, subject, *_ in letters if to == "bo@example.org")


def test_a_reminder_that_falls_on_the_midnight_before_a_day_off_is_sent(post, store, clock):
    """Its time stands still from that moment on, and yet half of it is gone."""
    clock.moment = datetime(2026, 3, 6, tzinfo=UTC)  # a Friday, 0:00 in Lisbon
    ada_and_bo(store, Rule("per_move", per_move=2 * DAY, off=(5, 6)))
    post.round()
    letters = post.after(days=1)
    assert clock.moment == datetime(2026, 3, 7, tzinfo=UTC)
    one(letters, "ada@example.org", "it’s still your turn")


def test_a_reminder_is_not_sent_when_nothing_waits_any_more(post, store, clock):
    match, seat = ada_and_bo(store)
    post.round()
    clock.advance(days=2)
    sweep.sweep(store)
    service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    assert not [
        letter for letter in post.round() if "your turn" in letter[1] and letter[0] == "ada@example.org"
    ]
    assert cast.rows(store, "SELECT reason FROM letter WHERE kind = 'reminder'")[0].reason in (
        "answered",
        "told",
    )


def test_a_late_player_hears_until_when_they_can_still_answer_and_what_follows(post, store):
    """Who holds all up is told so, why there is no more time, and how to go on."""
    ada_and_bo(store)
    post.round()
    _, _, plain, html = one(post.after(days=4), "ada@example.org", "you’ve run out of time")
    assert "Your grace period ends on Saturday 7 March 2026, 09:30 (WET, UTC+00:00)." in plain
    assert "Then a default move is played for you." in plain
    assert "https://h.example/t/" in plain
    assert "<h1" in html


def test_what_was_held_up_until_it_was_past_is_not_sent(post, store, clock):
    """No mail went out over a whole deadline: one letter says what followed, none warns of what is past."""
    ada_and_bo(store)
    post.round()
    for _ in range(6 * 12):
        clock.advance(hours=2)
        sweep.sweep(store)
    kinds = [row.kind for row in cast.rows(store, "SELECT kind FROM letter WHERE status = 'waiting'")]
    assert {"reminder", "late", "timed_out"} <= set(kinds)
    letters = [letter for letter in post.round() if letter[0] == "ada@example.org"]
    assert len(letters) <= 2, [letter[1] for letter in letters]
    assert not [
        subject
        for _, subject, *_ in letters
        if "run out of time" in subject or "It’s your turn in" in subject
    ]
    one(letters, "ada@example.org", "you missed your turn")


@pytest.mark.parametrize("how", ["answered", "extended", "over"])
def test_who_is_late_no_longer_is_not_told_that_they_are(post, store, clock, how):
    """It was true when the letter was asked for, and is looked at again when it goes."""
    match, seat = ada_and_bo(store)
    post.round()
    clock.advance(days=4)
    sweep.sweep(store)
    assert cast.rows(store, "SELECT id FROM letter WHERE kind = 'late' AND status = 'waiting'")
    if how == "answered":
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    elif how == "over":
        service.resign(store, match.bearer(seat), match.match_id)
    else:
        with store.transaction() as connection:
            seen = organiser.deadline_marks(by_match(connection, match.match_id), clock.moment, seat)
        organiser.extend(store, match.bearer(seat), match.match_id, 2, seat, seen=seen)
    assert not [subject for _, subject, *_ in post.after(minutes=10) if "run out of time" in subject]
    (late,) = cast.rows(store, "SELECT status, reason FROM letter WHERE kind = 'late'")
    assert late.status == "dropped"
    assert late.reason


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("default", "so a default move was played for you."),
        ("bot", "so the computer played this turn for you."),
        ("replace", "play now to keep it"),
        ("lose", "so you’ve lost your seat"),
    ],
)
def test_who_did_not_answer_hears_what_followed(post, store, then, words):
    """The player of the seat is told too, not only the others; the log marks it as the clock's."""
    if then != "lose":
        match, _ = ada_and_bo(store, replace(AT_ONCE, then=then))
    else:  # of two, the other would have won
        match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=replace(AT_ONCE, then=then))
        for other in [one for one, row in match.rows.items() if name(store, row) != "Ada"]:
            service.play(store, match.bearer(other), match.question(other), "bid 0")
    post.round()
    letters = [one for one in post.after(days=4, hours=1) if f"#{match.match_id} " in one[1]]
    _, _, plain, _ = one(letters, "ada@example.org", "you missed your turn")
    assert words in plain
    if then in ("default", "bot"):
        assert "Played for Ada, who ran out of time:" in plain
    if then == "replace":
        assert "https://h.example/t/" in plain


def test_a_nudge_says_who_sends_it_and_that_all_wait_for_the_reader_alone(post, store, clock):
    """All but one have answered: that one hears so, once."""
    match, seat = ada_and_bo(store)
    post.round()
    clock.advance(days=1)
    bo = next(other for other in match.rows if other != seat)
    nudges.nudge(store, match.bearer(bo), match.match_id, seat)
    _, _, plain, _ = one(post.round(), "ada@example.org", "the others are waiting")
    assert "Bo asks you to play your turn in" in plain
    assert "Everyone else is waiting for you." in plain


def test_a_nudge_of_who_has_acted_meanwhile_is_not_sent(post, store, clock):
    match, seat = ada_and_bo(store)
    post.round()
    clock.advance(days=1)
    bo = next(other for other in match.rows if other != seat)
    nudges.nudge(store, match.bearer(bo), match.match_id, seat)
    service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    assert "the others are waiting" not in [letter[1] for letter in post.round()]
    assert cast.one(store, "SELECT status FROM letter WHERE kind = 'nudge'").status == "dropped"


def test_who_was_asked_late_by_fault_of_the_mail_has_their_whole_time(post, store, clock):
    """The mail server was away: the letter goes out afterwards, and its reader has lost no time by it."""
    match, seat = ada_and_bo(store)
    before = next(one.due_at for one in match.player_view().deadlines if one.seat == seat)
    with store.transaction() as connection:
        connection.execute(
            text("""UPDATE letter SET tries = 6, reason = 'connection', stuck_since = created_at
                    WHERE kind = 'asked'""")
        )
    clock.advance(minutes=63)
    post.round()
    after = next(one.due_at for one in match.player_view().deadlines if one.seat == seat)
    assert after - before == timedelta(minutes=63)
    assert post.round() == []
    assert next(one.due_at for one in match.player_view().deadlines if one.seat == seat) == after
