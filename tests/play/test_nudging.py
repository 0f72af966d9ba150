"""One nudge a day from the others over all games, and never to one who owes nothing or was not asked yet."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.engine import codec
from app.people import blocks
from app.play.clock.rules import Rule, Stop
from app.play.deadlines import nudges
from app.play.match.records import ANYBODY, Closed, NotFound, Refused
from app.play.moves import service
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")


def letters(store):
    return cast.rows(store, "SELECT * FROM letter WHERE kind = 'nudge' ORDER BY created_at")


def emails_go_out(store):
    with store.transaction() as connection:
        connection.execute(text("UPDATE letter SET status = 'sent' WHERE status = 'waiting'"))


@pytest.fixture
def match(store, clock):
    """It has waited for blue and green for a day, and they were asked."""
    made = cast.seat(store, ("Ada", "Bo", "Cleo"))
    service.play(store, made.bearer("red"), made.question("red"), "bid 0")
    emails_go_out(store)
    clock.advance(days=1)
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


@pytest.mark.parametrize("why", ["answered", "themselves", "away", "paused", "resigned"])
def test_nobody_is_nudged_who_owes_nothing(store, match, clock, why):
    seat, still = "blue", codec.dumps([Stop(clock.moment, clock.moment + timedelta(days=1))])
    if why == "answered":
        service.play(store, match.bearer("blue"), match.question("blue"), "bid 0")
    elif why == "themselves":
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


def red_has_played(store, rule=None):
    made = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=rule)
    service.play(store, made.bearer("red"), made.question("red"), "bid 0")
    return made


def test_a_person_in_four_games_is_nudged_once_a_day(store, clock):
    made = [red_has_played(store) for _ in range(4)]
    emails_go_out(store)
    clock.advance(days=2)
    victim = made[0].rows["blue"].player_id
    done = []
    for match in made:
        seat = next(one for one in match.rows if match.rows[one].player_id == victim)
        other = next(one for one in match.rows if one != seat)
        if seat in match.player_view(other).nudges:
            done.append(nudges.nudge(store, match.bearer(other), match.match_id, seat))
    assert len(done) > 1
    assert sum(done) == 1
    assert len([one for one in letters(store) if one.player_id == victim]) == 1


@pytest.mark.parametrize(
    ("rule", "early", "late"),
    [
        (None, {"hours": 23}, {"hours": 1}),
        (Rule("per_move", per_move=4 * 86400), {"hours": 23}, {"hours": 1}),
        (Rule("bank", bank=8 * 86400, increment=86400, cap=8 * 86400), {"hours": 47}, {"hours": 1}),
        (Rule("per_move", per_move=4 * 86400, off=(1,)), {"hours": 24 + 23}, {"hours": 1}),
    ],
    ids=["no clock", "a quarter of four days", "a quarter of the bank", "a day off does not count"],
)
def test_only_after_a_part_of_the_time(store, clock, rule, early, late):
    match = red_has_played(store, rule)
    emails_go_out(store)
    for moved in ({"minutes": 1}, {**early, "minutes": -1}):
        clock.advance(**moved)
        with pytest.raises(Refused) as refused:
            nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
        assert refused.value.reason == "nudge_early"
        assert refused.value.facts["wait"] > 0
    clock.advance(**late)
    assert nudges.nudge(store, match.bearer("red"), match.match_id, "blue")


def test_only_after_the_email_that_asks(store, clock):
    match = red_has_played(store)
    clock.advance(days=2)
    with pytest.raises(Refused, match="nudge_unasked"):
        nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
    emails_go_out(store)
    assert nudges.nudge(store, match.bearer("red"), match.match_id, "blue")


def test_a_nudge_that_was_muted_keeps_nobody_elses_back_and_looks_the_same(store, match, clock):
    """The one who is muted sees what all see; the nudge of another goes out."""
    blue, red = match.rows["blue"].player_id, match.rows["red"].player_id
    with store.transaction() as connection:
        blocks.silence(connection, clock.moment, blue, red, invitations=False)
    assert nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
    with store.transaction() as connection:  # as the postman does
        connection.execute(
            text("UPDATE letter SET status = 'dropped', reason = 'blocked' WHERE kind = 'nudge'")
        )
    assert not nudges.nudge(store, match.bearer("red"), match.match_id, "blue")
    assert nudges.nudge(store, match.bearer("green"), match.match_id, "blue")
