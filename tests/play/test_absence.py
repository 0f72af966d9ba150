"""A player is away: what their clocks do, what the others see, and what they are told themselves."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

from app.people import service as people
from app.people.errors import Refused
from app.play.clock.rules import Rule
from app.play.deadlines import absences, pauses
from app.play.match import presence
from app.play.match.records import NotFound
from app.play.moves import orders
from app.play.seats import organiser
from tests.play import cast
from tests.play.test_organiser import due, seat_of, told
from tests.play.test_replacing import open_seat

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
FIVE_DAYS = Rule("per_move", per_move=5 * DAY)
"""The clock is held at Monday 2 March 2026, 09:30 UTC, which is the time of day in Lisbon too."""


def player(match, name):
    return match.rows[seat_of(match, name)].player_id


def enter(match, name, first, last):
    return absences.enter(match.store, player(match, name), first, last)


def refused(do, *more):
    with pytest.raises(Refused) as caught:
        do(*more)
    return caught.value.reason


def test_a_running_clock_stands_still_and_the_others_see_until_when(store, clock):
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    before = due(match, bo).due_at
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    assert due(match, bo).due_at == before + timedelta(days=3)
    (sitting,) = [one for one in match.player_view().sittings if one.name == "Bo"]
    assert [stop.ends for stop in sitting.away] == [entered.ends]
    (notice,) = match.player_view().notices
    assert (notice.what, notice.seat) == ("away", bo)
    assert notice.facts == {"first": "2026-03-04", "last": "2026-03-06"}
    clock.advance(days=3)
    assert due(match, bo).stands


def test_what_was_to_answer_until_they_are_back_answers_no_longer_when_they_are(store, clock):
    """Also where they are back early, or do not go: the lasting policy counts again, in all their games."""
    matches = [cast.seat(store, ("Ada", "Bo", "Cleo"), rule=FIVE_DAYS) for _ in range(2)]
    entered = enter(matches[0], "Bo", date(2026, 3, 4), date(2026, 3, 6))

    def left(match):
        return [one.text for one in orders.orders(store, bo(match), match.match_id).policies]

    def bo(match):
        return match.bearer(seat_of(match, "Bo"))

    for match in matches:
        orders.set_policy(store, bo(match), match.match_id, "ward", "always")
        orders.set_policy(store, bo(match), match.match_id, "ward", "never", until=entered.ends)
        assert left(match) == ["never", "always"]
    clock.advance(days=2)
    absences.cancel(store, player(matches[0], "Bo"), entered.absence_id)
    assert [left(match) for match in matches] == [["always"], ["always"]]


def test_it_is_announced_once_in_each_of_their_games_and_to_themselves(store, clock):
    """An absence is never used silently: who is away has a letter of it, and all their tables know."""
    del clock
    first, second = cast.seat(store, rule=FIVE_DAYS), cast.seat(store, ("Bo", "Cleo"), rule=FIVE_DAYS)
    entered = enter(first, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    assert enter(first, "Bo", date(2026, 3, 4), date(2026, 3, 6)) == entered
    for match in (first, second):
        assert told(match) == [("away", seat_of(match, "Bo"), None)]
    letters = cast.rows(store, "SELECT player_id, absence_id FROM letter WHERE kind = 'away'")
    assert [tuple(row) for row in letters] == [(player(first, "Bo"), entered.absence_id)]


def test_the_same_form_pressed_six_times_at_once(store, clock):
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = player(match, "Bo")

    def press(_):
        return absences.enter(store, bo, date(2026, 3, 4), date(2026, 3, 6)).absence_id

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(press, range(6)))) == 1
    assert len(told(match)) == 1


def test_time_that_has_passed_does_not_come_back(store, clock):
    """An absence from today begins now: it never lengthens a time for what was before it."""
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    clock.advance(hours=9)
    before = due(match, bo).due_at
    entered = enter(match, "Bo", date(2026, 3, 2), date(2026, 3, 2))
    assert entered.begins == clock.moment
    assert due(match, bo).due_at == before + (entered.ends - clock.moment)


def test_the_form_shows_the_deadline_of_each_game_before_anything_is_done(store, clock):
    """The last date that counts is printed, game by game, and is the one that then holds."""
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    cast.seat(store, ("Bo", "Cleo"))  # no clock, no deadline
    before = due(match, bo).due_at
    (effect,) = absences.preview(store, player(match, "Bo"), date(2026, 3, 4), date(2026, 3, 6))
    assert (effect.match_id, effect.seat) == (match.match_id, bo)
    assert (effect.before, effect.after) == (before, before + timedelta(days=3))
    assert due(match, bo).due_at == before
    enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    assert due(match, bo).due_at == effect.after


def test_the_form_promises_nothing_where_the_seat_is_open_to_somebody_else(store, clock):
    match = cast.seat(store, rule=FIVE_DAYS)
    open_seat(match, seat_of(match, "Bo"), clock.moment)
    assert absences.preview(store, player(match, "Bo"), date(2026, 3, 4), date(2026, 3, 6)) == ()


def test_who_comes_back_early_moves_no_deadline_earlier(store, clock):
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 20))
    announced = due(match, bo).due_at
    clock.advance(days=5)
    absences.cancel(store, player(match, "Bo"), entered.absence_id)
    absences.cancel(store, player(match, "Bo"), entered.absence_id)
    assert due(match, bo).due_at == announced
    assert not due(match, bo).stands
    assert [what for what, *_ in told(match)] == ["away", "back"]
    leave = absences.absences_of(store, player(match, "Bo"))
    assert leave.left(2026) == 13
    assert leave.ahead == ()


def test_an_announced_deadline_lives_through_a_pause_as_time_that_is_left(store, clock):
    """An announced deadline never moves earlier, whatever stops come after it."""
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 20))
    absences.cancel(store, player(match, "Bo"), entered.absence_id)
    announced = due(match, bo).due_at
    for name in ("Ada", "Bo"):
        pauses.request(store, match.bearer(seat_of(match, name)), match.match_id)
    clock.advance(days=2)
    pauses.resume(store, match.bearer(bo), match.match_id)
    assert due(match, bo).due_at == announced + timedelta(days=2)


def test_who_does_not_go_after_all_has_used_no_day_where_no_clock_ran(store, clock):
    del clock
    match = cast.seat(store)
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    absences.cancel(store, player(match, "Bo"), entered.absence_id)
    assert absences.absences_of(store, player(match, "Bo")).left(2026) == 30
    assert match.player_view().notices[-1].facts == {"planned": True}
    assert next(one for one in match.player_view().sittings if one.name == "Bo").away == ()
    enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))


def test_days_by_which_a_deadline_stays_put_off_are_used(store, clock):
    """Excuses have a budget: to enter an absence and cancel it at once gives no turn a month for nothing."""
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = player(match, "Bo")
    for first, last, left in ((4, 6, 27), (4, 6, 27), (4, 8, 25), (3, 30, 2)):
        entered = enter(match, "Bo", date(2026, 3, first), date(2026, 3, last))
        cancelled = absences.cancel(store, bo, entered.absence_id)
        assert absences.cancel(store, bo, entered.absence_id) == cancelled
        assert absences.absences_of(store, bo).left(2026) == left
    assert refused(enter, match, "Bo", date(2026, 4, 1), date(2026, 4, 3)) == "away_limit"


def test_the_yearly_limit_counts_what_was_used(store, clock):
    match = cast.seat(store, rule=FIVE_DAYS)
    enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 31))
    assert refused(enter, match, "Bo", date(2026, 4, 5), date(2026, 4, 7)) == "away_limit"
    enter(match, "Bo", date(2026, 4, 5), date(2026, 4, 6))
    clock.advance(days=340)
    enter(match, "Bo", date(2027, 2, 10), date(2027, 3, 11))


def test_an_absence_belongs_to_who_entered_it(store, clock):
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    with pytest.raises(NotFound):
        absences.cancel(store, player(match, "Ada"), entered.absence_id)
    with pytest.raises(NotFound):
        absences.enter(store, 10**9, date(2026, 3, 4), date(2026, 3, 6))


def test_a_line_of_a_letter_enters_it_too(store, clock):
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    entered = absences.enter_by_line(store, player(match, "Bo"), "from 4 Mar to 6 March")
    assert (entered.first, entered.last) == (date(2026, 3, 4), date(2026, 3, 6))


def test_a_player_who_moves_to_another_zone_keeps_their_absence(store, clock):
    """Its moments stay; what they see of them is the day it then is where they are."""
    match = cast.seat(store, rule=FIVE_DAYS)
    entered = enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    announced = due(match, seat_of(match, "Bo")).due_at
    people.update(store, player(match, "Bo"), "Bo", "en", "Pacific/Auckland")
    again = absences.absences_of(store, player(match, "Bo")).absences[0]
    assert (again.begins, again.ends) == (entered.begins, entered.ends)
    assert due(match, seat_of(match, "Bo")).due_at == announced
    clock.advance(days=3)
    absences.cancel(store, player(match, "Bo"), again.absence_id)


def test_old_absences_leave_the_clocks_and_stay_on_record(store, clock):
    match = cast.seat(store, rule=FIVE_DAYS)
    enter(match, "Bo", date(2026, 3, 4), date(2026, 3, 6))
    clock.advance(days=90)
    enter(match, "Bo", date(2026, 6, 4), date(2026, 6, 6))
    seat = seat_of(match, "Bo")
    assert len(next(one for one in match.player_view().sittings if one.seat == seat).away) == 2
    clock.advance(days=30)
    enter(match, "Bo", date(2026, 7, 4), date(2026, 7, 6))
    assert len(next(one for one in match.player_view().sittings if one.seat == seat).away) == 2
    assert len(absences.absences_of(store, player(match, "Bo")).absences) == 3


def test_a_turns_link_says_whose_absence_it_is_while_the_turn_goes_on(store, clock):
    del clock
    match = cast.seat(store, rule=FIVE_DAYS)
    bo = seat_of(match, "Bo")
    token = match.token(bo)
    assert presence.reader_of(store, token) == (player(match, "Bo"), match.match_id)
    organiser.call_off(store, match.bearer(seat_of(match, "Ada")), match.match_id)
    for stale in (token, "nothing"):
        with pytest.raises(NotFound):
            presence.reader_of(store, stale)
