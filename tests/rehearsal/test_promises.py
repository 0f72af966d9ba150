"""The audit of what players may agree on finds each breach, and none where there is none."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.play.clock.rules import DAY, Rule
from app.play.deadlines import pauses
from app.play.match import notices
from app.rehearsal.promises import Promises
from tests.play import cast


@pytest.fixture
def match(store, clock, toy):  # noqa: ARG001
    return cast.seat(store, rule=Rule("per_move", per_move=3 * DAY))


def write(match, query, **values):
    with match.store.transaction() as connection:
        connection.execute(text(query), {"m": match.match_id, **values})


def too_many_days(match, _clock):
    write(match, 'UPDATE "match" SET extended = 31 WHERE id = :m')


def days_of_which_nobody_was_told(match, _clock):
    write(match, 'UPDATE "match" SET extended = 3 WHERE id = :m')


def too_much_time_given_back(match, _clock):
    write(match, "UPDATE chair SET credited = :s WHERE match_id = :m", s=8 * DAY)


def a_pause_without_end(match, clock):
    for seat in match.rows:
        pauses.request(match.store, match.bearer(seat), match.match_id)
    clock.advance(days=120)


def players_asked_at_once_about_their_pause(match, clock):
    for seat in match.rows:
        pauses.request(match.store, match.bearer(seat), match.match_id)
    clock.advance(days=2)
    tell(match, clock, "still_paused")


def a_seat_that_was_not_open(match, clock):
    tell(match, clock, "seat_taken", "red")


def a_request_that_waits_for_weeks(match, clock):
    write(
        match,
        """UPDATE invitation SET seat = 'red', status = 'asked', invited_at = :at WHERE match_id = :m
           AND NOT organiser""",
        at=clock.moment - timedelta(days=16),
    )


def tell(match, clock, what, seat=None):
    with match.store.transaction() as connection:
        notices.tell(connection, clock.moment, match.match_id, what, seat=seat)


@pytest.mark.parametrize(
    ("breach", "said"),
    [
        (too_many_days, "was extended by 31 days"),
        (days_of_which_nobody_was_told, "and told of 0"),
        (too_much_time_given_back, "was given back"),
        (a_pause_without_end, "its pause lasts 120 days"),
        (players_asked_at_once_about_their_pause, "asked about its pause 2 days"),
        (a_seat_that_was_not_open, "was taken and was not open"),
        (a_request_that_waits_for_weeks, "waits for 16 days"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_breach_is_found(match, clock, breach, said):
    audit = Promises(match.store)
    assert audit.look(clock.moment) == []
    breach(match, clock)
    assert said in "\n".join(audit.look(clock.moment))
