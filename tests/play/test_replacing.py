"""A seat whose player keeps silent, who may take it, and what becomes of both."""

from datetime import timedelta

import pytest

from app.play import replacing, service
from app.play import standing as reading
from app.play.clocks import Rule
from app.play.records import Bearer, Closed, NotFound
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY, grace=DAY, then="replace")


def open_seat(match, seat, now, by_seat=None):
    with match.store.transaction() as connection:
        standing = reading.by_match(connection, match.match_id)
        return replacing.open_seat(connection, now, standing, seat, by_seat)


def told(match):
    return [(one.what, one.seat) for one in match.sight().notices]


def news(match):
    return {
        (row.seat, row.about.split(":")[0])
        for row in cast.rows(match.store, "SELECT seat, about FROM letter WHERE kind = 'news'")
    }


def due(match, seat):
    return next(one for one in match.sight().deadlines if one.seat == seat)


def test_a_seat_is_opened_once_and_all_who_are_concerned_hear_of_it(store, clock):
    """The one whom it happens to is told, and not only the others."""
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    assert open_seat(match, "blue", clock.moment)
    assert not open_seat(match, "blue", clock.moment)
    assert told(match) == [("seat_open", "blue")]
    organiser = next(seat for seat in match.rows if match.sight().name(seat) == "Ada")
    assert news(match) == {("blue", "seat_open"), (organiser, "seat_open")}


def test_who_acts_before_his_seat_is_taken_has_it_back(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    clock.advance(days=2, hours=23, minutes=50)
    open_seat(match, "red", clock.moment)
    clock.advance(minutes=1)
    service.play(store, match.bearer("red"), match.question("red"), "bid 1")
    assert told(match) == [("seat_open", "red"), ("seat_back", "red")]
    assert match.sight().sittings[0].open_since is None


def test_who_says_that_he_is_back_has_his_seat_and_the_time_of_a_full_move(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    clock.advance(days=2, hours=23, minutes=50)
    open_seat(match, "red", clock.moment)
    assert replacing.come_back(store, match.bearer("red"), match.match_id)
    assert not replacing.come_back(store, match.bearer("red"), match.match_id)
    assert due(match, "red").due_at == clock.moment + timedelta(days=3)
    assert due(match, "blue").left == timedelta(minutes=10)
    with pytest.raises(NotFound):
        replacing.come_back(store, Bearer(), match.match_id)


def test_an_answer_that_is_refused_leaves_the_seat_open(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    open_seat(match, "red", clock.moment)
    with pytest.raises(Exception, match="bid"):
        service.play(store, match.bearer("red"), match.question("red"), "bid 77")
    assert told(match) == [("seat_open", "red")]


def test_nobody_comes_back_to_a_game_that_is_over(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    open_seat(match, "red", clock.moment)
    service.resign(store, match.bearer("blue"), match.match_id)
    with pytest.raises(Closed) as caught:
        replacing.come_back(store, match.bearer("red"), match.match_id)
    assert caught.value.reason == "over"
