"""One nudge a day from the others, and never to one who owes nothing."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.engine import codec
from app.play.clock.rules import Stop
from app.play.deadlines import nudges
from app.play.match.records import ANYBODY, Closed, NotFound
from app.play.moves import service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")


def letters(store):
    return cast.rows(store, "SELECT * FROM letter WHERE kind = 'nudge' ORDER BY created_at")


@pytest.fixture
def match(store, clock):
    del clock
    made = cast.seat(store, ("Ada", "Bo", "Cleo"))
    service.play(store, made.bearer("red"), made.question("red"), "bid 0")
    return made


def test_the_others_together_nudge_a_player_once_a_day(store, match, clock):
    assert match.player_view("red").nudges == ("blue", "green")
    assert nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
    assert not nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
    assert not nudges.nudge(store, match.bearer("green"), match.match_id, "blue")
    clock.advance(hours=23)
    assert not nudges.nudge(store, match.bearer("green"), match.match_id, "blue")
    clock.advance(hours=1)
    assert nudges.nudge(store, match.bearer("green"), match.match_id, "blue")
    assert [one.player_id for one in letters(store)] == [match.rows["blue"].player_id] * 2


@pytest.mark.parametrize("why", ["answered", "himself", "away", "paused", "resigned"])
def test_nobody_is_nudged_who_owes_nothing(store, match, clock, why):
    seat, still = "blue", codec.dumps([Stop(clock.moment, clock.moment + timedelta(days=1))])
    if why == "answered":
        service.play(store, match.bearer("blue"), match.question("blue"), "bid 0")
    elif why == "himself":
        seat = "green"
    elif why == "resigned":
        service.resign(store, match.bearer("blue"), match.match_id)
    else:
        table = "player" if why == "away" else '"match"'
        column = "away" if why == "away" else "stops"
        with store.transaction() as connection:
            connection.execute(text(f"UPDATE {table} SET {column} = :still"), {"still": still})
    assert seat not in match.player_view("green").nudges
    with pytest.raises(Closed, match="not_waited_for"):
        nudges.nudge(store, match.bearer("green"), match.match_id, seat)
    assert letters(store) == []


def test_onlookers_cannot_nudge(store, match):
    assert match.player_view().nudges == ()
    with pytest.raises(NotFound):
        nudges.nudge(store, ANYBODY, match.match_id, "blue")
