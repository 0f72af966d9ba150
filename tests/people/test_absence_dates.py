"""Days away as people write them, and how many a year has."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.people.absences import Absence, check, left_in, midnight
from app.people.dates import dates_in, read_date
from app.people.errors import Refused

NOW = date(2026, 11, 28)


READ = """
until 5 Dec = 2026-11-28/2026-12-05
away until 5 Dec = 2026-11-28/2026-12-05
till 2026-12-09 = 2026-11-28/2026-12-09
til Dec 5th = 2026-11-28/2026-12-05
through December 5 = 2026-11-28/2026-12-05
to 5 Dec = 2026-11-28/2026-12-05
up to 5 Dec = 2026-11-28/2026-12-05
until Friday = 2026-11-28/2026-12-04
until the 5th = 2026-11-28/2026-12-05
until tomorrow = 2026-11-28/2026-11-29
until 31.12. = 2026-11-28/2026-12-31
until 5 Jan = 2026-11-28/2027-01-05
until 5 Dec! = 2026-11-28/2026-12-05
**until 5 Dec** = 2026-11-28/2026-12-05
*until* 5 Dec = 2026-11-28/2026-12-05
“until 5 Dec” = 2026-11-28/2026-12-05
'until 5 Dec' = 2026-11-28/2026-12-05
until\u00a05\u00a0Dec = 2026-11-28/2026-12-05
I’m away until 5 Dec = 2026-11-28/2026-12-05
from 24. to 31. December = 2026-12-24/2026-12-31
24.\u201331. December = 2026-12-24/2026-12-31
24-31 Dec = 2026-12-24/2026-12-31
Dec 24-31 = 2026-12-24/2026-12-31
December 24 to 31 = 2026-12-24/2026-12-31
Dec 24 \u2013 Jan 2 = 2026-12-24/2027-01-02
from 24.12. to 02.01. = 2026-12-24/2027-01-02
24.12.\u20132.1. = 2026-12-24/2027-01-02
from 20.12.2026 to 3.1.2027 = 2026-12-20/2027-01-03
12/24 - 12/26 = 2026-12-24/2026-12-26
25/12/26 = 2026-12-25/2026-12-25
2026/12/05 = 2026-12-05/2026-12-05
5-Dec-2026 = 2026-12-05/2026-12-05
from 5-Dec to 9-Dec = 2026-12-05/2026-12-09
from 3rd to 10th = 2026-12-03/2026-12-10
the 3rd of December to the 10th = 2026-12-03/2026-12-10
Dec. 5, 2026 = 2026-12-05/2026-12-05
Sat, 5 December = 2026-12-05/2026-12-05
from Monday to Friday = 2026-11-30/2026-12-04
mon\u2013wed = 2026-11-30/2026-12-02
next Friday = 2026-12-04/2026-12-04
from tomorrow until Friday = 2026-11-29/2026-12-04
for 3 days = 2026-11-28/2026-11-30
for 3 days from now = 2026-11-28/2026-11-30
three days = 2026-11-28/2026-11-30
for a week = 2026-11-28/2026-12-04
for two weeks from 3 Dec = 2026-12-03/2026-12-16
from 3 Dec for 10 days = 2026-12-03/2026-12-12
this week = 2026-11-28/2026-11-29
next week = 2026-11-30/2026-12-06
over the weekend = 2026-11-28/2026-11-29
24 and 25 December = 2026-12-24/2026-12-25
between 24 and 28 December = 2026-12-24/2026-12-28
20 Dec 2026 - 3 Jan = 2026-12-20/2027-01-03
4/4 = 2027-04-04/2027-04-04
"""
ASKED = """
5/12 = away_unclear
5.12. = away_unclear
5.12 = away_unclear
until 5/12 = away_unclear
5/12/26 = away_unclear
5.11. = away_unclear
next Monday = away_unclear
Saturday = away_unclear
from 3 Dec = away_open
starting 3 Dec = away_open
from 3 Dec onwards = away_open
3 Dec - = away_open
3 Dec to = away_open
from tomorrow = away_open
5 Nov = away_passed
until 5 Nov = away_passed
from 24 Nov to 5 Dec = away_passed
Tuesday 7 December = away_weekday
until 2026-11-27 = away_past
until 5 Dec? = away_date
until 5 Dec 18:00 = away_date
until next week = away_date
a week from Monday = away_date
a week from now = away_date
3 days from now = away_date
until ~5 Dec = away_date
~3 days = away_date
a few days = away_date
24 and 28 December = away_date
28 to 3 Jan = away_date
Dec 24 to 2 = away_date
by 5 Dec = away_date
since Monday = away_date
not until 5 Dec = away_date
for 300 years = away_date
"""


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


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [line.split(" = ")[0:1] + line.split(" = ")[1].split("/") for line in READ.strip().splitlines()],
)
def test_ranges_with_one_end_numbers_marks_and_days_of_the_week_are_read(line, first, last):
    """NOW is a Saturday."""
    assert dates_in(line, NOW) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("line", "why"),
    [line.split(" = ") for line in ASKED.strip().splitlines()],
    ids=ASKED.strip().splitlines(),
)
def test_where_two_readings_are_near_the_player_is_asked(line, why):
    assert reason(dates_in, line, NOW).reason == why


def test_the_question_names_both_readings():
    facts = reason(dates_in, "until 5/12", NOW).facts
    assert (facts["first"], facts["last"]) == (NOW, date(2026, 12, 5))
    assert (facts["other_first"], facts["other_last"]) == (NOW, date(2027, 5, 12))
    facts = reason(dates_in, "next Monday", NOW).facts
    assert (facts["first"], facts["other_first"]) == (date(2026, 11, 30), date(2026, 12, 7))
    assert reason(dates_in, "5 Nov", NOW).facts["passed"] == date(2026, 11, 5)


def test_a_sunday_belongs_to_two_weeks():
    sunday = date(2026, 11, 29)
    for line in ("this week", "next week", "the weekend", "next Monday"):
        assert reason(dates_in, line, sunday).reason == "away_unclear", line
    assert dates_in("next weekend", sunday) == (date(2026, 12, 5), date(2026, 12, 6))
    assert dates_in("until Friday", sunday) == (sunday, date(2026, 12, 4))


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
        "٣ Foo",
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
