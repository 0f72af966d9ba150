"""A pause needs all who are not overdue, and any of them ends it."""

from datetime import timedelta

import pytest

from app.play.clock.rules import Rule
from app.play.deadlines import pauses, sweep, timeouts
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.moves import service
from app.play.seats import organiser
from tests.play import cast
from tests.play.test_organiser import due, marks, news, seat_of, told

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY, grace=DAY)


def want(match, name):
    return pauses.request(match.store, match.bearer(seat_of(match, name)), match.match_id)


def paused(match, *names):
    for name in names:
        want(match, name)
    assert match.player_view().paused
    return match


def test_the_clocks_stand_still_when_all_agree_and_go_on_with_what_was_left(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    clock.advance(days=1)
    assert not want(match, "Ada")
    assert not want(match, "Ada")
    assert not want(match, "Bo")
    assert not match.player_view().paused
    assert want(match, "Cleo")
    assert want(match, "Cleo")
    assert [one.due_at for one in match.player_view().deadlines] == [None] * 3
    clock.advance(days=40)
    assert {one.left for one in match.player_view().deadlines} == {timedelta(days=2)}
    bo = match.bearer(seat_of(match, "Bo"))
    assert pauses.resume(store, bo, match.match_id)
    assert not pauses.resume(store, bo, match.match_id)
    assert {one.due_at for one in match.player_view().deadlines} == {clock.moment + timedelta(days=2)}
    assert [what for what, *_ in told(match)] == ["pause_wanted", "pause_wanted", "paused", "resumed"]


def test_who_is_overdue_is_not_asked_for_their_consent(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    for name in ("Ada", "Bo"):
        seat = seat_of(match, name)
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
    clock.advance(days=3, hours=2)
    want(match, "Ada")
    assert want(match, "Bo")


def test_computer_players_agree_to_everything(store, clock):
    del clock
    match = cast.seat(store, ("Ada",), bots=1, rule=THREE_DAYS)
    assert want(match, "Ada")


def test_a_wish_can_be_withdrawn(store, clock):
    del clock
    match = cast.seat(store, rule=THREE_DAYS)
    want(match, "Ada")
    assert [one.name for one in match.player_view().sittings if one.pause_wanted] == ["Ada"]
    pauses.withdraw_request(store, match.bearer(seat_of(match, "Ada")), match.match_id)
    assert not want(match, "Bo")
    assert not match.player_view().paused


def test_the_log_tells_of_a_withdrawn_wish_and_of_a_new_one(store, clock):
    """What everybody may know stands in the log: also that a wish is gone."""
    del clock
    match = cast.seat(store, rule=THREE_DAYS)
    ada = seat_of(match, "Ada")
    for _ in range(2):
        want(match, "Ada")
    for _ in range(2):
        pauses.withdraw_request(store, match.bearer(ada), match.match_id)
    want(match, "Ada")
    wishes = [(what, seat) for what, seat, _ in told(match)]
    assert wishes == [("pause_wanted", ada), ("pause_unwanted", ada), ("pause_wanted", ada)]
    assert len(cast.rows(store, "SELECT id FROM letter WHERE kind = 'news'")) == 1


def test_moves_may_be_made_meanwhile_and_start_no_clock(store, clock):
    match = paused(cast.seat(store, rule=THREE_DAYS), "Ada", "Bo")
    for seat in ("red", "blue"):
        service.play(store, match.bearer(seat), match.question(seat), "bid 1" if seat == "red" else "bid 0")
    assert due(match, "red").due_at is None
    clock.advance(days=9)
    pauses.resume(store, match.bearer("blue"), match.match_id)
    assert due(match, "red").due_at == clock.moment + timedelta(days=3)


def test_a_later_pause_needs_consent_anew(store, clock):
    match = paused(cast.seat(store, rule=THREE_DAYS), "Ada", "Bo")
    clock.advance(days=1)
    pauses.resume(store, match.bearer("red"), match.match_id)
    assert not want(match, "Ada")


def test_a_deadline_announced_late_lives_through_a_pause_as_time_that_is_left(store, clock):
    """An announced deadline never moves earlier, whatever stops come after it."""
    match = cast.seat(store, rule=THREE_DAYS)
    ada = seat_of(match, "Ada")
    organiser.extend(store, match.bearer(ada), match.match_id, 5, ada, seen=marks(match, ada))
    announced = due(match, ada).due_at
    paused(match, "Ada", "Bo")
    clock.advance(days=2)
    pauses.resume(store, match.bearer(ada), match.match_id)
    assert due(match, ada).due_at == announced + timedelta(days=2)


def test_an_extension_in_a_pause_counts_from_its_end(store, clock):
    match = paused(cast.seat(store, rule=THREE_DAYS), "Ada", "Bo")
    ada = seat_of(match, "Ada")
    clock.advance(days=2)
    organiser.extend(store, match.bearer(ada), match.match_id, 1, ada, seen=marks(match, ada))
    clock.advance(days=2)
    pauses.resume(store, match.bearer(ada), match.match_id)
    assert due(match, ada).due_at == clock.moment + timedelta(days=4)


def test_a_pause_is_for_those_who_play(store, clock):
    del clock
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    with pytest.raises(NotFound):
        pauses.request(store, Viewer(), match.match_id)
    service.resign(store, match.bearer("red"), match.match_id)
    with pytest.raises(Closed) as caught:
        pauses.request(store, match.bearer("red"), match.match_id)
    assert caught.value.reason == "resigned"


def test_without_a_clock_nothing_can_stand_still(store, clock):
    del clock
    match = cast.seat(store)
    with pytest.raises(Refused) as caught:
        want(match, "Ada")
    assert caught.value.reason == "no_clock"


def test_the_others_hear_of_it(store, clock):
    del clock
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    want(match, "Ada")
    assert news(match) == {"Bo", "Cleo"}


def test_a_pause_begins_when_the_player_whose_consent_was_missing_is_overdue(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    for name in ("Ada", "Bo"):
        seat = seat_of(match, name)
        service.play(store, match.bearer(seat), match.question(seat), "bid 0")
        want(match, name)
    clock.advance(days=3, minutes=1)
    timeouts.run_out(store, match.match_id, seat_of(match, "Cleo"))
    assert match.player_view().paused
    assert due(match, seat_of(match, "Cleo")).due_at is None


def test_nobody_floods_a_player_who_is_overdue_with_pauses(store, clock):
    """One of two can pause alone while the other is late, and end it; each time an email goes out."""
    match = cast.seat(store, rule=Rule("per_move", per_move=DAY, grace=5 * DAY))
    late = next(iter(match.player_view().to_move))
    other = next(seat for seat in match.rows if seat != late)
    if other in match.player_view().to_move:
        service.play(store, match.bearer(other), match.question(other), "bid 0")
    clock.advance(days=1, hours=1)
    sweep.sweep(store)
    for n in range(10):
        clock.advance(minutes=3)
        if n < pauses.MOST_A_DAY:
            assert pauses.request(store, match.bearer(other), match.match_id)
            assert pauses.resume(store, match.bearer(other), match.match_id)
        else:
            with pytest.raises(Refused):
                pauses.request(store, match.bearer(other), match.match_id)
    clock.advance(days=1, hours=1)
    assert pauses.request(store, match.bearer(other), match.match_id)
