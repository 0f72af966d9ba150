"""The clock's laws, for schedules of every kind; and the days on which clocks change."""

import contextlib
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from app import narrate
from app.people.errors import Refused
from app.play.clock import reminders
from app.play.clock.rules import (
    Calendar,
    Rule,
    Stop,
    bank_after,
    check_rule,
    deadline,
    left,
    spent,
    standing_still,
    time_left,
)
from app.words import formats
from tests.work import lines_run

NOTHING, DAY, HOUR = timedelta(0), timedelta(days=1), timedelta(hours=1)
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Havana",
    "America/Scoresbysund",
    "Asia/Beirut",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Nowhere/Atall",
)
WEEKEND = (5, 6)
EPOCH = datetime(2011, 1, 1, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(text: str, zone: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


QUARTER = timedelta(minutes=15)
"""No zone of our time is off by less."""
moments = st.integers(0, 16 * 365 * 96).map(lambda quarters: EPOCH + quarters * QUARTER)
spans = st.integers(0, 40 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
offs = st.sets(st.integers(0, 6), max_size=6).map(tuple)


@st.composite
def stops(draw, around: datetime, endless: bool = False):
    begins = around + draw(st.integers(-20 * 96, 60 * 96)) * QUARTER
    if endless and draw(st.integers(0, 4)) == 0:
        return Stop(begins)
    return Stop(begins, begins + draw(st.integers(-4, 20 * 96)) * QUARTER)


@st.composite
def schedules(draw, endless: bool = False):
    """When a turn begins, and a calendar with pauses and absences around it, by the wall or by the second."""
    begun = draw(moments)
    found = draw(st.lists(stops(begun, endless), max_size=5))
    return begun, Calendar(draw(st.sampled_from(ZONES)), draw(offs), tuple(found), draw(st.booleans()))


def stands_still(at: datetime, calendar: Calendar) -> bool:
    """What a calendar says of one moment, without any arithmetic of spans."""
    zone = ZoneInfo(calendar.zone if "Nowhere" not in calendar.zone else "UTC")
    return at.astimezone(zone).weekday() in calendar.off or any(
        stop.begins <= at and (stop.ends is None or at < stop.ends) for stop in calendar.stops
    )


def shown(at: datetime, zone: str) -> datetime:
    """What the clock on the wall shows."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


@given(
    moments, st.sampled_from([zone for zone in ZONES if zone not in {"Nowhere/Atall", "Pacific/Apia"}]), spans
)
def test_the_clock_on_the_wall_shows_the_same_time_after_whole_days(begun, zone, span):
    """The first moment that shows it, or the end of the hour that is skipped with it."""
    if begun.astimezone(ZoneInfo(zone)).fold:
        return
    due = deadline(begun, span, Calendar(zone))
    target = shown(begun, zone) + span
    assert due is not None
    assert shown(due, zone) >= target
    sooner = due - timedelta(seconds=1)
    assert not span or shown(sooner, zone) < target or due.astimezone(ZoneInfo(zone)).fold


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"])
@pytest.mark.parametrize("days", [1, 3, 7, 30])
def test_every_hour_of_two_years_has_its_deadline_at_the_same_hour(zone, days):
    for hour in range(0, 2 * 365 * 24, 5):
        begun = utc("2026-01-01T00:00") + hour * HOUR
        due = deadline(begun, days * DAY, Calendar(zone))
        assert due is not None
        off = shown(due, zone) - shown(begun, zone) - days * DAY
        assert off == NOTHING or (abs(off) <= HOUR and shown(begun, zone).hour in (23, 0, 1, 2, 3)), (
            begun,
            due,
        )


@given(moments, st.sampled_from(ZONES), st.integers(0, 24 * 60 - 1))
def test_less_than_a_day_is_elapsed_time(begun, zone, minutes):
    span = timedelta(minutes=minutes)
    assert deadline(begun, span, Calendar(zone).counting(span)) == begun + span


@given(schedules(endless=True), st.integers(0, 6 * 96))
def test_time_counts_exactly_where_nothing_stops_it(schedule, quarters):
    begun, calendar = schedule[0], schedule[1].counting(HOUR)
    middles = (begun + QUARTER * n + QUARTER / 2 for n in range(quarters))
    counted = QUARTER * sum(not stands_still(at, calendar) for at in middles)
    assert spent(begun, begun + QUARTER * quarters, calendar) == counted


@given(schedules(endless=True), spans, spans)
def test_spent_time_adds_up(schedule, first, second):
    a, calendar = schedule
    b, c = a + first, a + first + second
    assert spent(a, b, calendar) + spent(b, c, calendar) == spent(a, c, calendar)
    assert NOTHING <= spent(a, b, calendar) <= first + (2 * HOUR if calendar.by_wall else NOTHING)
    assert spent(b, a, calendar) == NOTHING


@given(schedules(endless=True), spans)
def test_at_the_deadline_exactly_the_allowed_time_is_spent(schedule, allowed):
    begun, calendar = schedule
    due = deadline(begun, allowed, calendar)
    if due is None:
        assert any(stop.ends is None for stop in calendar.stops)
    else:
        assert spent(begun, due, calendar) == allowed
        assert allowed == NOTHING or spent(begun, due - timedelta(seconds=1), calendar) < allowed


@given(schedules(endless=True), spans, spans)
def test_what_is_left_never_grows_while_the_clock_runs(schedule, allowed, step):
    """A pause over a weekend once made a clock that never ended: what is left only ever shrinks."""
    begun, calendar = schedule
    due = deadline(begun, allowed, calendar)
    moments = [begun + step / 7 * n for n in range(12)]
    told = [left(at, due, calendar) for at in moments]
    assert all(later <= sooner for sooner, later in pairwise(told))
    if due is not None:
        assert left(due, due, calendar) == NOTHING
        assert told[0] == allowed
        for at in moments:
            assert time_left(at, begun, allowed, calendar) == max(
                allowed - spent(begun, at, calendar), NOTHING
            )


@given(schedules(endless=True), spans, spans)
def test_more_time_never_gives_an_earlier_deadline(schedule, allowed, more):
    begun, calendar = schedule
    sooner, later = deadline(begun, allowed, calendar), deadline(begun, allowed + more, calendar)
    assert later is None or (sooner is not None and sooner <= later)


@given(schedules(endless=True), spans, st.data())
def test_another_stop_never_makes_a_deadline_earlier(schedule, allowed, data):
    """Pauses, absences and outages are told of while a turn runs; each can only give time."""
    begun, calendar = schedule
    longer = structs.replace(calendar, stops=(*calendar.stops, data.draw(stops(begun, endless=True))))
    before, after = deadline(begun, allowed, calendar), deadline(begun, allowed, longer)
    assert after is None or (before is not None and before <= after)
    announced = deadline(begun, allowed, longer, before)
    assert announced is None or (before is not None and before <= announced)


@given(schedules(endless=True), schedules(endless=True), spans, spans)
def test_an_announced_deadline_never_moves_earlier(schedule, another, allowed, less):
    """Whatever becomes of zone, weekdays, absences or allowed time; to announce it again changes nothing.

    A player who moves to another zone in the middle of a turn keeps at least the deadline they were told.
    """
    begun, calendar = schedule
    announced = deadline(begun, allowed, calendar)
    if announced is None:
        return
    changed = another[1]
    due = deadline(begun, max(allowed - less, NOTHING), changed, announced)
    assert due is None or due >= announced
    if due is not None:
        assert deadline(begun, max(allowed - less, NOTHING), changed, due) == due


@given(schedules(endless=True), spans, spans)
def test_no_deadline_lies_inside_stopped_time(schedule, allowed, later):
    """The moment before it counts, even where it was announced for the middle of what is now a pause."""
    begun, calendar = schedule
    due = deadline(begun, allowed, calendar, begun + later)
    if due is not None and due > begun:
        still = standing_still(due, calendar)
        assert still is None or due == still.begins


@given(schedules(endless=True))
def test_a_stretch_of_stopped_time_is_whole(schedule):
    at, calendar = schedule
    still = standing_still(at, calendar)
    assert (still is not None) == stands_still(at, calendar)
    if still is not None and still.ends is not None:
        assert spent(at, still.ends, calendar) == NOTHING
        assert spent(still.ends, still.ends + timedelta(microseconds=1), calendar) > NOTHING


@given(schedules(), st.integers(1, 90))
def test_weekdays_off_and_days_a_move_always_end(schedule, days):
    """A weekend off and simple time never ended in one house: here every turn has a deadline."""
    begun, calendar = schedule
    due = deadline(begun, timedelta(days=days), calendar)
    assert due is not None
    assert due <= begun + timedelta(days=7 * (days + 2)) + 5 * timedelta(days=20) * 7


@given(schedules(), spans, st.lists(st.floats(0.01, 0.99) | spans, max_size=4).map(tuple))
def test_reminders_come_in_order_between_beginning_and_deadline(schedule, allowed, wish):
    """None comes while the clock stands still, since they are found by the deadline's own function."""
    begun, calendar = schedule
    due = deadline(begun, allowed, calendar)
    found = reminders.moments(begun, allowed, due, calendar, wish)
    assert list(found) == sorted(set(found))
    assert all(begun < at < due for at in found)
    for at in found:
        still = standing_still(at, calendar)
        assert still is None or at == still.begins
    if len(wish) == 1 and isinstance(wish[0], float) and allowed:
        assert abs(spent(begun, found[0], calendar) - allowed * wish[0]) < timedelta(milliseconds=1)


def test_reminders_are_for_shares_of_the_counted_time_or_hours_ahead():
    friday = utc("2026-03-06T12:00")
    calendar = Calendar(off=WEEKEND)
    due = deadline(friday, 2 * DAY, calendar)
    assert due == utc("2026-03-10T12:00")
    assert reminders.moments(friday, 2 * DAY, due, calendar, (0.5, 0.8)) == (
        utc("2026-03-09T12:00"),
        utc("2026-03-10T02:24"),
    )
    assert reminders.moments(friday, 2 * DAY, due, calendar, (24 * HOUR,)) == (utc("2026-03-09T12:00"),)
    assert reminders.moments(friday, 2 * DAY, due, calendar, (48 * HOUR, 72 * HOUR)) == ()
    assert reminders.moments(friday, 2 * DAY, None, calendar, (0.5,)) == ()


def test_reminders_follow_a_deadline_that_was_extended():
    """“Almost out of time” while days are left helps nobody: shares are of the time up to the real end."""
    begun, calendar = utc("2026-03-02T12:00"), Calendar()
    due = deadline(begun, 2 * DAY, calendar, utc("2026-03-12T12:00"))
    assert reminders.moments(begun, 2 * DAY, due, calendar, (0.8,)) == (utc("2026-03-10T12:00"),)


@pytest.mark.parametrize(
    ("begun", "zone", "allowed", "off", "due"),
    [
        # Days of a turn are days of the clock on the wall.
        (local("2026-03-27T20:00", "Europe/Berlin"), "Europe/Berlin", 3 * DAY, (), "2026-03-30T20:00"),
        (local("2026-10-23T20:00", "Europe/Berlin"), "Europe/Berlin", 3 * DAY, (), "2026-10-26T20:00"),
        (local("2026-10-24T20:00", "Europe/Berlin"), "Europe/Berlin", 1 * DAY, (), "2026-10-25T20:00"),
        (local("2026-03-28T20:00", "Europe/Berlin"), "Europe/Berlin", 1.5 * DAY, (), "2026-03-30T08:00"),
        # To the skipped hour itself, and to the hour that comes twice: the first moment that shows it.
        (local("2026-03-28T02:30", "Europe/Berlin"), "Europe/Berlin", 1 * DAY, (), "2026-03-29T03:00"),
        (local("2026-10-24T02:30", "Europe/Berlin"), "Europe/Berlin", 1 * DAY, (), "2026-10-25T02:30"),
        (local("2026-10-25T02:30", "Europe/Berlin", 1), "Europe/Berlin", 1 * DAY, (), "2026-10-26T03:00"),
        (
            local("2026-04-04T20:00", "Australia/Lord_Howe"),
            "Australia/Lord_Howe",
            DAY,
            (),
            "2026-04-05T20:00",
        ),
        (
            local("2026-10-03T20:00", "Australia/Lord_Howe"),
            "Australia/Lord_Howe",
            DAY,
            (),
            "2026-10-04T20:00",
        ),
        (local("2026-09-05T20:00", "America/Santiago"), "America/Santiago", 7 * DAY, (), "2026-09-12T20:00"),
        # A month without summer time, as Ramadan brings in Morocco.
        (
            local("2026-02-10T20:00", "Africa/Casablanca"),
            "Africa/Casablanca",
            DAY * 10,
            (),
            "2026-02-20T20:00",
        ),
        (
            local("2026-02-10T20:00", "Africa/Casablanca"),
            "Africa/Casablanca",
            DAY * 60,
            (),
            "2026-04-11T20:00",
        ),
        # No summer time at all.
        (local("2026-03-27T20:00", "Asia/Tokyo"), "Asia/Tokyo", 3 * DAY, (), "2026-03-30T20:00"),
        (local("2026-03-27T20:00", "Asia/Kathmandu"), "Asia/Kathmandu", 3 * DAY, (), "2026-03-30T20:00"),
        # The Sunday that is skipped has 23 hours in spring and 25 in autumn.
        (local("2026-03-28T20:00", "Europe/Berlin"), "Europe/Berlin", 1 * DAY, (6,), "2026-03-30T20:00"),
        (local("2026-10-24T20:00", "Europe/Berlin"), "Europe/Berlin", 1 * DAY, (6,), "2026-10-26T20:00"),
        (local("2026-01-30T20:00", "Europe/Berlin"), "Europe/Berlin", 60 * DAY, (), "2026-03-31T20:00"),
        (
            local("2026-03-07T20:00", "America/New_York"),
            "America/New_York",
            1 * DAY,
            (6,),
            "2026-03-09T20:00",
        ),
        (
            local("2026-10-31T20:00", "America/New_York"),
            "America/New_York",
            1 * DAY,
            (6,),
            "2026-11-02T20:00",
        ),
        # Midnight is missing here: the Friday begins at one o'clock.
        (local("2026-04-23T20:00", "Africa/Cairo"), "Africa/Cairo", 1 * DAY, (4,), "2026-04-25T20:00"),
        (local("2018-11-03T20:00", "America/Sao_Paulo"), "America/Sao_Paulo", DAY, (6,), "2018-11-05T20:00"),
        # Midnight comes twice here: the Sunday begins with the first, and has 25 hours.
        (local("2026-10-31T20:00", "America/Havana"), "America/Havana", 1 * DAY, (6,), "2026-11-02T20:00"),
        # Clocks go back at midnight to the Saturday, which has 25 hours.
        (local("2018-02-17T20:00", "America/Sao_Paulo"), "America/Sao_Paulo", DAY, (6,), "2018-02-19T20:00"),
        # A Friday that there never was, on an island that changed sides of the date line.
        (local("2011-12-29T20:00", "Pacific/Apia"), "Pacific/Apia", 1 * DAY, (4,), "2011-12-31T20:00"),
    ],
)
def test_the_days_on_which_clocks_change(begun, zone, allowed, off, due):
    assert deadline(begun, allowed, Calendar(zone, off)) == local(due, zone)


def test_a_clock_stands_still_from_local_midnight_to_local_midnight():
    calendar = Calendar("Pacific/Auckland", WEEKEND)
    still = standing_still(local("2026-04-05T12:00", "Pacific/Auckland"), calendar)
    assert still == Stop(
        local("2026-04-04T00:00", "Pacific/Auckland"), local("2026-04-06T00:00", "Pacific/Auckland")
    )
    assert still.ends - still.begins == 49 * HOUR
    assert standing_still(still.ends, calendar) is None


def test_a_pause_that_runs_into_a_weekend_is_one_stretch():
    calendar = Calendar(
        off=WEEKEND,
        stops=(
            Stop(utc("2026-03-05T08:00"), utc("2026-03-06T09:00")),
            Stop(utc("2026-03-06T09:00"), utc("2026-03-07T10:00")),
        ),
    )
    assert standing_still(utc("2026-03-05T12:00"), calendar) == Stop(
        utc("2026-03-05T08:00"), utc("2026-03-09T00:00")
    )


def test_a_stop_without_end_counts_only_where_it_comes_before_the_deadline():
    begun = utc("2026-03-02T12:00")
    frozen = Calendar(stops=(Stop(utc("2026-03-04T00:00")),))
    assert deadline(begun, DAY, frozen) == utc("2026-03-03T12:00")
    assert deadline(begun, 2 * DAY, frozen) is None
    assert deadline(begun, 2 * DAY, frozen, utc("2026-03-08T00:00")) is None
    assert left(begun, None, frozen) == timedelta.max
    assert time_left(utc("2026-03-09T00:00"), begun, 2 * DAY, frozen) == 12 * HOUR


def test_what_was_announced_for_the_beginning_of_a_stop_stays_there():
    friday, saturday = utc("2026-03-06T12:00"), utc("2026-03-07T00:00")
    calendar = Calendar(off=WEEKEND)
    assert deadline(friday, HOUR, calendar, saturday) == saturday
    assert deadline(friday, HOUR, calendar, saturday + HOUR) == utc("2026-03-09T00:00")


def test_a_freeze_takes_nothing_from_the_moment_it_begins():
    begun = utc("2026-03-02T12:00")
    frozen = Calendar(stops=(Stop(begun),))
    assert time_left(begun, begun, 2 * DAY, frozen) == 2 * DAY
    assert time_left(begun + 9 * DAY, begun, 2 * DAY, frozen) == 2 * DAY


def test_a_stop_that_ends_before_it_begins_is_none():
    begun = utc("2026-03-02T12:00")
    calendar = Calendar(stops=(Stop(begun + 2 * DAY, begun + DAY), Stop(begun + HOUR, begun + HOUR)))
    assert spent(begun, begun + 3 * DAY, calendar) == 3 * DAY
    assert deadline(begun, 3 * DAY, calendar) == begun + 3 * DAY


def test_odd_calendars_still_end():
    begun = utc("2026-03-02T12:00")
    assert deadline(begun, DAY, Calendar("../etc/passwd", (6,))) == begun + DAY
    assert deadline(begun, DAY, Calendar("", (6,))) == begun + DAY
    assert deadline(begun, DAY, Calendar(off=(0, 1, 2, 3, 4, 5, 6))) is None
    assert deadline(begun, DAY, Calendar(off=(9, -1))) == begun + DAY
    assert deadline(begun, timedelta.max, Calendar(off=WEEKEND)) is None
    assert deadline(begun, -DAY, Calendar()) == begun
    assert deadline(begun, 90 * DAY, Calendar(off=(0, 1, 2, 3, 4, 5))) == utc("2027-11-22T00:00")


def test_a_deadline_is_found_in_few_steps():
    """A sweep asks for many; a loop over minutes or hours would be felt."""
    calendar = Calendar("Europe/Berlin", WEEKEND, (Stop(utc("2026-03-04T00:00"), utc("2026-03-06T00:00")),))
    begun = utc("2026-03-02T12:00")
    assert lines_run(lambda: deadline(begun, 3 * DAY, calendar)) < 300
    assert lines_run(lambda: deadline(begun, 90 * DAY, calendar)) < 1200


def test_a_turn_has_the_time_that_the_rule_gives():
    move = Rule("per_move", per_move=3 * 86400)
    bank = Rule("bank", bank=10 * 86400, increment=86400, cap=12 * 86400)
    assert move.allowance(None) == move.full_move == 3 * DAY
    assert bank.allowance(None) == 10 * DAY
    assert bank.allowance(7200.0) == 2 * HOUR
    assert bank.full_move == DAY
    assert Rule("bank", bank=10 * 86400, increment=3600, cap=12 * 86400).full_move == DAY
    assert deadline(utc("2026-03-02T12:00"), Rule().allowance(None), Calendar()) is None


@given(st.one_of(st.none(), st.floats(0, 12 * 86400)), spans, spans)
def test_a_bank_loses_what_was_used_and_grows_by_its_increment_up_to_its_cap(bank, more, used):
    """Whatever more a turn was allowed: that was for this turn."""
    rule = Rule("bank", bank=10 * 86400, increment=86400, cap=12 * 86400)
    allowed = rule.allowance(bank)
    left = max(allowed - used, timedelta()).total_seconds()
    assert bank_after(rule, bank, allowed, used) == min(12 * 86400, left + 86400)
    assert bank_after(rule, bank, allowed + more, used) == bank_after(rule, bank, allowed, used)


def test_a_rule_is_kept_in_its_plainest_form():
    assert check_rule(Rule(per_move=5, off=(1,), grace=7)) == Rule()
    assert check_rule(Rule("per_move", per_move=3600, bank=9, off=(6, 5, 6))) == Rule(
        "per_move", per_move=3600, off=(5, 6)
    )
    bank = Rule("bank", bank=86400, increment=3600, cap=86400, grace=3600, then="lose")
    assert check_rule(bank) == bank


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (Rule("hourglass"), "clock_kind"),
        (Rule("per_move"), "clock_days"),
        (Rule("per_move", per_move=3599), "clock_days"),
        (Rule("per_move", per_move=-86400), "clock_days"),
        (Rule("per_move", per_move=90 * 86400 + 1), "clock_days"),
        (Rule("bank", bank=181 * 86400, increment=3600, cap=181 * 86400), "clock_bank"),
        (Rule("bank", bank=86400, cap=86400), "clock_increment"),
        (Rule("bank", bank=86400, increment=3600, cap=86399), "clock_cap"),
        (Rule("bank", bank=86400, increment=3600, cap=181 * 86400), "clock_cap"),
        (Rule("per_move", per_move=86400, off=(0, 1, 2, 3, 4, 5, 6)), "clock_weekdays"),
        (Rule("per_move", per_move=86400, off=(7,)), "clock_weekdays"),
        (Rule("per_move", per_move=86400, grace=-1), "clock_grace"),
        (Rule("per_move", per_move=86400, grace=31 * 86400), "clock_grace"),
        (Rule("per_move", per_move=86400, then="explode"), "clock_then"),
    ],
)
def test_impossible_clocks_are_refused(rule, reason):
    with pytest.raises(Refused) as refused:
        check_rule(rule)
    assert refused.value.reason == reason
    assert narrate.refusal(None, "en", refused.value) != narrate.refusal(None, "en", Refused("?"))


@pytest.mark.parametrize(
    ("text", "kept", "wishes"),
    [
        ("", "", (0.5, 0.8)),
        ("50% 80%", "50% 80%", (0.5, 0.8)),
        (" 24H,  3d ", "24h 72h", (24 * HOUR, 72 * HOUR)),
        ("90\uff05 90%", "90%", (0.9, 0.9)),
        ("none", "none", ()),
        ("۵۰٪ ۸۰٪", "50% 80%", (0.5, 0.8)),
        ("５０％、８０％", "50% 80%", (0.5, 0.8)),
        ("24小时 3天", "24h 72h", (24 * HOUR, 72 * HOUR)),
        ("24時間、3日", "24h 72h", (24 * HOUR, 72 * HOUR)),
        ("۲۴ ساعت، ۳ روز", "24h 72h", (24 * HOUR, 72 * HOUR)),
        ("なし", "none", ()),
        ("هیچ", "none", ()),
    ],
)
def test_reminders_as_a_player_writes_them(text, kept, wishes):
    assert reminders.check(text) == kept
    assert reminders.read(text) == wishes
    assert reminders.read(kept) == tuple(dict.fromkeys(wishes))


@pytest.mark.parametrize(
    "text", ["soon", "0%", "100%", "24", "-3h", "0h", "1h 2h 3h 4h 5h", "1.5h", "9" * 5000]
)
def test_reminders_that_cannot_be_read_are_refused(text):
    for read in (reminders.read, reminders.check):
        with pytest.raises(Refused) as refused:
            read(text)
        assert refused.value.reason == "reminders"


@given(st.text(max_size=20))
def test_no_text_of_reminders_breaks_anything(text):
    with contextlib.suppress(Refused):
        assert reminders.read(reminders.check(text)) is not None


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Rule(), "No time limit."),
        (
            Rule("per_move", per_move=3 * 86400, off=(5, 6), grace=43200),
            (
                "3 days for each turn. "
                "Saturday and Sunday don’t count, in each player’s own time zone. "
                "If time runs out, there’s a grace period of 12 hours; then a default move is played."
            ),
        ),
        (
            Rule("bank", bank=10 * 86400, increment=129600, cap=12 * 86400, off=(6,), then="replace"),
            (
                "Each player has a time bank of 10 days. Each turn adds 1 day, 12 hours, up to 12 days. "
                "Sunday doesn’t count, in each player’s own time zone. "
                "If time runs out, someone else can take the seat."
            ),
        ),
    ],
)
def test_the_rule_is_said_in_words(rule, said):
    """Time settings that nobody can see are a trap."""
    assert narrate.say(narrate.SITE, "en", "clock_rule", rule) == said


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (2 * DAY + 4 * HOUR, "2 days, 4 hours"),
        (DAY + timedelta(minutes=59), "1 day"),
        (HOUR, "1 hour"),
        (timedelta(minutes=5), "5 minutes"),
        (NOTHING, "0 minutes"),
    ],
)
def test_a_duration_is_said_in_days_and_hours(span, said):
    assert formats("en").span(span.total_seconds()) == said
