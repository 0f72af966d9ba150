"""Days away as people write them, and how many a year has."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.people.absences import Absence, check, left_in, midnight
from app.people.dates import dates_in, read_date
from app.people.errors import Refused

NOW = date(2026, 11, 28)


def reason(do, *more):
    with pytest.raises(Refused) as caught:
        do(*more)
    return caught.value


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("from 3 Dec to 10 Dec 2026", date(2026, 12, 3), date(2026, 12, 10)),
        ("from 2026-12-03 to 2026-12-10", date(2026, 12, 3), date(2026, 12, 10)),
        ("2026-12-03..2026-12-10", date(2026, 12, 3), date(2026, 12, 10)),
        ("away from December 3rd until December 10th.", date(2026, 12, 3), date(2026, 12, 10)),
        ("3 to 10 Dec", date(2026, 12, 3), date(2026, 12, 10)),
        ("3-10 december", date(2026, 12, 3), date(2026, 12, 10)),
        ("3. Dec \u2013 10. Dec", date(2026, 12, 3), date(2026, 12, 10)),
        ("FROM 28 DEC TO 3 JAN", date(2026, 12, 28), date(2027, 1, 3)),
        ("28 Dec to 3 Jan 2027", date(2026, 12, 28), date(2027, 1, 3)),
        ("on 5 February", date(2027, 2, 5), date(2027, 2, 5)),
        ("29 feb", date(2028, 2, 29), date(2028, 2, 29)),
        ("3 Dec - 10 Dec", date(2026, 12, 3), date(2026, 12, 10)),
    ],
)
def test_dates_are_read_as_people_write_them(line, first, last):
    assert dates_in(line, NOW) == (first, last)


@pytest.mark.parametrize("line", ["03/04 to 10/04", "from 3.4. to 10.4.", "12/03/2026", "3.12.2026"])
def test_a_date_that_is_read_differently_here_and_there_is_refused(line):
    assert reason(dates_in, line, NOW).reason == "away_unclear"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "soon",
        "31 Feb",
        "from 3 to 10",
        "2026-13-01",
        "3 Dec to 10 Dec to 12 Dec",
        "0 Dec",
        "٣ Dec",
        "3 Foo",
        "from 3 ma to 5 may",
        "a" * 5000,
    ],
)
def test_what_is_no_date_is_refused(line):
    assert reason(dates_in, line, NOW).reason == "away_date"


@pytest.mark.parametrize("text", ["", "2026-02-30", "20261203", "2026-W01-1", "0000-00-00", "3 Dec 2026"])
def test_a_form_takes_only_dates_that_the_calendar_has(text):
    assert reason(read_date, text).reason == "away_date"


def test_an_absence_begins_today_or_later_and_ends_within_a_year():
    check(NOW, NOW, NOW, ())
    day = timedelta(days=1)
    assert reason(check, NOW - day, NOW, NOW, ()).reason == "away_past"
    assert reason(check, NOW + day, NOW, NOW, ()).reason == "away_order"
    assert reason(check, NOW + 367 * day, NOW + 367 * day, NOW, ()).reason == "away_far"


def away(first, last, cancelled_at=None, zone="Europe/Vienna"):
    ends = midnight(last + timedelta(days=1), zone)
    return Absence(1, midnight(first, zone), ends, cancelled_at, zone)


def test_two_absences_share_no_day():
    known = [away(date(2026, 12, 3), date(2026, 12, 10))]
    assert reason(check, date(2026, 12, 10), date(2026, 12, 11), NOW, known).reason == "away_overlap"
    check(date(2026, 12, 11), date(2026, 12, 12), NOW, known)


def test_a_year_has_thirty_days_and_the_refusal_says_what_is_left():
    """Absence has a limit from the first day on, in whole days of the calendar year."""
    known = [away(date(2027, 1, 1), date(2027, 1, 20))]
    error = reason(check, date(2027, 3, 1), date(2027, 3, 11), NOW, known)
    assert error.reason == "away_limit"
    assert error.facts == {"year": 2027, "left": 10, "most": 30, "days": 11}
    check(date(2027, 3, 1), date(2027, 3, 10), NOW, known)


def test_an_absence_over_new_year_takes_its_days_from_both():
    check(date(2026, 12, 2), date(2027, 1, 30), NOW, ())
    assert reason(check, date(2026, 12, 1), date(2027, 1, 1), NOW, ()).facts["year"] == 2026
    assert reason(check, date(2026, 12, 31), date(2027, 1, 31), NOW, ()).facts["year"] == 2027


def test_who_comes_back_early_has_used_the_days_that_had_begun():
    back = datetime(2026, 12, 5, 10, tzinfo=UTC)
    assert left_in(2026, [away(date(2026, 12, 3), date(2026, 12, 10), back)]) == 27
    before = datetime(2026, 12, 1, tzinfo=UTC)
    assert left_in(2026, [away(date(2026, 12, 3), date(2026, 12, 10), before)]) == 30


@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/Sao_Paulo", "Pacific/Apia", "Asia/Beirut"])
def test_days_are_whole_in_the_players_zone_also_when_its_clocks_change(zone):
    first, last = date(2027, 3, 20), date(2027, 4, 5)
    entered = away(first, last, zone=zone)
    assert (entered.first, entered.last, len(entered.days)) == (first, last, 17)
