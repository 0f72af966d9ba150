"""The clocks of a match as its moves drive them: when a time begins, how long it lasts, what it leaves."""

from datetime import timedelta

import pytest

from app.play.clock.rules import Rule
from app.play.deadlines import absences, pauses
from app.play.match import notices, reading
from app.play.moves import service
from app.play.seats import organiser
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

DAY = 86400
THREE_DAYS = Rule("per_move", per_move=3 * DAY)
BANK = Rule("bank", bank=10 * DAY, increment=DAY, cap=11 * DAY)


def due(match, seat):
    return next(one for one in match.player_view().deadlines if one.seat == seat)


def answer(match, seat, text):
    service.play(match.store, match.bearer(seat), match.question(seat), text)


def test_each_who_is_asked_has_the_whole_time_from_the_asking(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    begun = clock.moment
    assert {one.seat: one.due_at for one in match.player_view().deadlines} == {
        "red": begun + timedelta(days=3),
        "blue": begun + timedelta(days=3),
    }
    clock.advance(hours=5)
    answer(match, "red", "bid 1")
    answer(match, "blue", "bid 0")
    assert due(match, "red").due_at == clock.moment + timedelta(days=3)
    assert due(match, "red").left == timedelta(days=3)


def test_the_steps_of_one_turn_share_its_time(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    answer(match, "red", "bid 1")
    answer(match, "blue", "bid 0")
    until = due(match, "red").due_at
    clock.advance(days=1)
    answer(match, "red", "row on")
    assert due(match, "red").due_at == until
    assert due(match, "red").left == timedelta(days=2)


def test_a_bank_pays_for_a_turn_and_is_filled_after_it_up_to_its_cap(store, clock):
    match = cast.seat(store, rule=BANK)
    clock.advance(days=4)
    answer(match, "red", "bid 1")
    answer(match, "blue", "bid 0")
    assert due(match, "red").due_at == clock.moment + timedelta(days=7)
    clock.advance(hours=1)
    answer(match, "red", "row on, roll")
    banks = {row.seat: row.bank for row in cast.rows(store, "SELECT seat, bank FROM chair")}
    assert banks["red"] == 7 * DAY - 3600 + DAY


@pytest.mark.parametrize("what", ["nothing", "absence", "extension", "extension_late", "pause"])
def test_what_a_deadline_is_kept_to_beyond_the_bank_is_not_put_into_it(store, clock, what):
    """An absence that was called off, or more time from the organiser, is time to answer, not to save."""
    match = cast.seat(store, ("Ada", "Bo"), rule=BANK)
    seat = next(one for one in match.rows if match.player_view().name(one) == "Bo")
    keys = match.bearer(next(one for one in match.rows if one != seat))
    player = match.rows[seat].player_id
    if what in ("absence", "pause"):
        first = absences.absences_of(store, player).today + timedelta(days=2)
        absences.enter(store, player, first, first + timedelta(days=9))
    clock.advance(days=1)
    if what == "pause":
        for one in match.rows:
            pauses.request(store, match.bearer(one), match.match_id)
    if what in ("absence", "pause"):
        for one in absences.absences_of(store, player).ahead:
            absences.cancel(store, player, one.absence_id)
    if what == "pause":
        clock.advance(days=2)
        pauses.resume(store, match.bearer(seat), match.match_id)
    if what == "extension_late":
        clock.advance(days=10)
    if what.startswith("extension"):
        with store.reading() as connection:
            seen = organiser.deadline_marks(reading.by_match(connection, match.match_id), clock.moment, seat)
        assert organiser.extend(store, keys, match.match_id, 5, seat, seen=seen)
        assert due(match, seat).left >= timedelta(days=5)
    answer(match, seat, "bid 1")
    banks = {row.seat: row.bank for row in cast.rows(store, "SELECT seat, bank FROM chair")}
    used = 11 * DAY if what == "extension_late" else DAY
    assert banks[seat] == BANK.bank - min(used, BANK.bank) + BANK.increment


def test_a_match_without_a_clock_has_no_deadline(store, clock):
    del clock
    match = cast.seat(store)
    assert match.player_view().deadlines == ()


def test_a_bot_has_no_clock(store, clock):
    del clock
    match = cast.seat(store, ("Ada",), bots=1, rule=THREE_DAYS)
    assert len(match.player_view().deadlines) == 1


def test_who_resigned_has_no_clock_any_more(store, clock):
    match = cast.seat(store, ("Ada", "Bo", "Cleo"), rule=THREE_DAYS)
    service.resign(store, match.bearer("red"), match.match_id)
    assert [one.seat for one in match.player_view().deadlines] == ["blue", "green"]
    clock.advance(days=4)


def test_the_same_occasion_is_told_once(store, clock):
    match = cast.seat(store, rule=THREE_DAYS)
    for _ in range(6):
        with store.transaction() as connection:
            notices.tell(connection, clock.moment, match.match_id, "extended", seat="red", once="a", days=2)
    (told,) = match.player_view().notices
    assert (told.what, told.seat, told.facts) == ("extended", "red", {"days": 2})
    with store.transaction() as connection:
        assert notices.tell(connection, clock.moment, match.match_id, "paused")
        assert notices.tell(connection, clock.moment, match.match_id, "paused")
    assert [one.what for one in match.player_view().notices] == ["extended", "paused", "paused"]
