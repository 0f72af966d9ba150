"""Whatever became of a player's seat or game, each of their replies gets an answer that can be written."""

import pytest

from app.mail.inbound import process, replies
from app.people import keys
from app.play.clock.rules import Rule
from app.play.deadlines import absences, outages, pauses, sweep
from app.play.match import reading, seat_requests
from app.play.moves import service
from app.play.seats import offers, organiser, requests, takeover
from tests.mail.correspondence import Post, settings, text_of
from tests.play import cast

LINES = (
    *("help", "board", "legal", "games", "undo", "say hello", "note mine", "ahead", "ahead bid 1", "seen"),
    *("away from 3 Dec to 5 Dec", "away 1/2", "back", "emails", "emails daily", "emails none here", "mute"),
    *("mute Bo", "block Bo", "unblock Bo", "mute Nobody", "resign", "resign 1", "bid 1", "bid 99", "row on"),
    *("Hello there", "", "bid 1\nbid 2\nundo", "Say, are you there?", "orders defend always"),
)
REPLACE = Rule("per_move", per_move=86400, grace=3600, then="replace")


def resigned(post: Post, _clock) -> None:
    service.resign(post.store, post.match.bearer("red"), post.match.match_id)


def over(post: Post, _clock) -> None:
    for seat in set(post.match.rows) - {"red"}:
        service.resign(post.store, post.match.bearer(seat), post.match.match_id)


def called_off(post: Post, _clock) -> None:
    organiser.call_off(post.store, post.match.bearer(host(post)), post.match.match_id)


def seat_open(post: Post, clock) -> None:
    for _ in range(2):
        clock.advance(days=1, hours=2)
        sweep.sweep(post.store)
    found = cast.rows(post.store, "SELECT seat FROM chair WHERE open_since IS NOT NULL AND seat = 'red'")
    assert found, "the seat is open"


def replaced(post: Post, clock) -> None:
    seat_open(post, clock)
    offers.request_offer(post.store, post.match.match_id, "red", "dan@example.org")
    number = cast.one(post.store, "SELECT id FROM invitation WHERE address = 'dan@example.org'").id
    takeover.take(post.store, cast.invitation_token(post.store, number), "Dan", "en", "UTC")
    with post.store.transaction() as connection:
        match = reading.by_match(connection, post.match.match_id)
        (asked,) = seat_requests.of_match(connection, post.match.match_id)
        requests.give(connection, clock.now(), match, asked)


def paused(post: Post, _clock) -> None:
    for seat in post.match.rows:
        pauses.request(post.store, post.match.bearer(seat), post.match.match_id)


def frozen(post: Post, _clock) -> None:
    outages.freeze(post.store)


def away(post: Post, _clock) -> None:
    absences.enter_by_line(post.store, post.match.rows["red"].player_id, "until tomorrow")


def ended(post: Post, _clock) -> None:
    keys.end_all(post.store, post.match.rows["red"].player_id)


def lost(post: Post, clock) -> None:
    post.execute("""UPDATE "match" SET clock = replace(clock, 'replace', 'lose')""")
    for _ in range(2):
        clock.advance(days=1, hours=2)
        sweep.sweep(post.store)


def host(post: Post) -> str:
    found = cast.one(post.store, 'SELECT organiser_id FROM "match"').organiser_id
    return next(seat for seat, row in post.match.rows.items() if row.player_id == found)


STATES = (resigned, over, called_off, seat_open, replaced, paused, frozen, away, ended, lost)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_each_reply_is_answered(store, ferry, clock, tmp_path, monkeypatch, state):  # noqa: ARG001
    monkeypatch.setattr(replies, "MOST_ANSWERS", 1000)
    post = Post(store, settings(tmp_path), ("Ada", "Bo", "Cleo"), rule=REPLACE)
    asked = post.letters("red")[0]
    state(post, clock)
    post.deliver()
    for line in LINES:
        clock.advance(minutes=1)
        outages.beat(store)
        post.reply("red", line, to=asked)
        incoming = post.incoming()
        (letter,) = cast.rows(
            store, "SELECT status, reason, kind FROM letter WHERE incoming_id = :i", i=incoming.id
        )
        assert (incoming.status, letter.status) == ("read", "sent"), (line, incoming, letter)


def test_a_reply_about_a_match_that_cannot_be_read_is_answered_too(store, ferry, clock, tmp_path):  # noqa: ARG001
    """As where another version of the server began it: all tries fail, and the player is told so once."""
    post = Post(store, settings(tmp_path))
    asked, number = post.letters("red")[0], len(post.letters("red"))
    post.execute("""UPDATE "match" SET edition = 99""")
    post.reply("red", "bid 1", to=asked)
    for _ in range(process.TRIES):
        clock.advance(minutes=3)
        post.deliver()
    assert (post.incoming().status, post.incoming().reason) == ("failed", "error")
    (told,) = post.letters("red")[number:]
    assert "went wrong" in " ".join(text_of(told).split())
    assert "no longer have a seat" not in text_of(told)
