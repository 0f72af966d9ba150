"""Dates in Persian: Jalali months, and weeks that end on Friday."""

import re
from collections.abc import Iterator
from datetime import date

from app.people.date_readings import WAVES, Reading, replaced
from app.people.date_words import DAY, JALALI, MONTHS, WEEKDAYS, weeks_end
from app.people.persian_months import (
    GREGORIAN_MONTHS,
    PERSIAN_MONTHS,
    in_one_calendar,
    with_months,
    with_whole_years,
)
from app.people.persian_numbers import persian_in_digits

_SAME = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", "ة": "ه", "ۀ": "ه", "أ": "ا", "ـ": None, "،": ","})
_FRIDAY = 4
MOST_READINGS = 8


def persian(text: str, now: date, *, sure: bool) -> Iterator[str]:
    """The meanings of a line. `sure`: its letters or digits are Persian, so its dates are Jalali."""
    text = persian_in_digits(text.translate(_SAME).translate(WAVES))
    for calendar in in_one_calendar(text):
        for whole in with_whole_years(calendar, now):
            yield from _read(whole, now, sure=sure)


def _read(text: str, now: date, *, sure: bool) -> Iterator[str]:
    numeric = _SHORT_DATE.search(text) is not None
    if not sure:
        yield text
    if numeric:
        for month_first in (True, False):
            named = _SHORT_DATE.sub(_month_first if month_first else _day_first, text)
            if "monthless" not in named:
                yield from _persian_words(named, now)
    elif sure:
        yield from _persian_words(text, now)


_SHORT_DATE = re.compile(r"(?<![\d/.-])(\d{1,2})\s?[/.]\s?(\d{1,2})(?![\d/.])")
_GAP = "[\\s\u200c]*"
_PERSIAN_WEEKDAYS = {
    f"سه{_GAP}شنبه": 1,
    f"چهار{_GAP}شنبه": 2,
    f"پنج{_GAP}شنبه": 3,
    "جمعه": 4,
    f"یک{_GAP}شنبه": 6,
    f"دو{_GAP}شنبه": 0,
    "شنبه": 5,
}
_OF_WEEK = f"(?:{_GAP}ی)?{_GAP}"
_COMING = "(?:آینده|بعدی?|دیگر|دیگه)"


def _persian_words(text: str, now: date) -> Iterator[str]:
    """The meanings of a line whose dates in numbers are settled; the week ends on Friday."""
    friday = now + ((_FRIDAY - now.weekday()) % 7) * DAY
    following = f"{friday + DAY} to {friday + 7 * DAY}"
    readings = [with_months(text, now)]
    until = rf"(?<!\w)تا{_GAP}(?:آخر|پایان|انتهای){_GAP}(?:این{_GAP}|همین{_GAP})?هفته"
    ends = (friday, weeks_end(now))
    readings = _each(readings, rf"{until}{_OF_WEEK}{_COMING}", tuple(f"to {one + 7 * DAY}" for one in ends))
    readings = _each(readings, rf"{until}(?!\w)", tuple(f"to {one}" for one in ends))
    for name, number in _PERSIAN_WEEKDAYS.items():
        soon = now + ((number - now.weekday()) % 7) * DAY
        there = friday - ((_FRIDAY - number) % 7) * DAY
        near = (soon, soon + 7 * DAY) if soon <= friday else (soon,)
        readings = _each(readings, rf"{name}{_OF_WEEK}هفته{_OF_WEEK}{_COMING}", (f"{there + 7 * DAY}",))
        readings = _each(readings, rf"{name}{_OF_WEEK}(?:این|همین){_GAP}هفته", (f"{there}",))
        readings = _each(
            readings, rf"{name}{_OF_WEEK}{_COMING}", tuple(f"{one}" for one in near if one > now)
        )
        readings = _each(readings, rf"(?:این|همین){_GAP}{name}", (WEEKDAYS[number],))
        readings = _each(readings, rf"(?<![\w]){name}(?!\w)", (WEEKDAYS[number],))
    readings = _each(readings, rf"(?<!\w)(?:این|همین){_GAP}هفته", (f"{now} to {friday}",))
    readings = _each(readings, rf"(?<![\d\w])(?<!\d )هفته{_OF_WEEK}{_COMING}", (following,))
    thursday = friday - DAY if now < friday else now
    saturday = max(weeks_end(now) - DAY, now)
    weekends = (f"{thursday} to {friday}", f"{saturday} to {weeks_end(now)}")
    readings = _each(readings, rf"(?:این{_GAP})?آخر{_GAP}هفته(?!{_OF_WEEK}{_COMING})", weekends)
    for line in readings:
        yield " ".join(replaced(line, _SIMPLE_PERSIAN).split())


def _each(lines: list[str], pattern: str, meanings: tuple[str, ...]) -> list[str]:
    """The lines with the pattern replaced, once for each of its meanings."""
    if not any(re.search(pattern, line) for line in lines):
        return lines
    return [re.sub(pattern, f" {meaning} ", line) for line in lines for meaning in meanings][:MOST_READINGS]


def _month_first(found: re.Match[str]) -> str:
    return _jalali(found[2], int(found[1]))


def _day_first(found: re.Match[str]) -> str:
    return _jalali(found[1], int(found[2]))


def _jalali(day: str, month: int) -> str:
    """A day and a month in numbers, in words."""
    return f"{day} {JALALI[month - 1]}" if 1 <= month <= len(JALALI) else "monthless"


def _day_of(month: str, name: str) -> tuple[str, Reading]:
    ending = rf"{_GAP}(?:ام|م)?{_GAP}"
    return rf"(\d{{1,2}}){ending}{month}(?:{_GAP}ماه)?(?!\w)", lambda found: f"{found[1]} {name}"


_LASTING = rf"(?:به{_GAP}مدت|برای|مدت)?{_GAP}"
_SIMPLE_PERSIAN: tuple[tuple[str, Reading], ...] = (
    *(_day_of(month, name) for month, name in zip(PERSIAN_MONTHS, JALALI, strict=True)),
    *(_day_of(month, name) for month, name in zip(GREGORIAN_MONTHS, MONTHS, strict=True)),
    (rf"{_LASTING}(\d{{1,3}}){_GAP}روز(?:{_GAP}ه)?(?!\w)", lambda found: f"for {found[1]} days"),
    (rf"{_LASTING}(\d{{1,2}}){_GAP}هفته(?:{_GAP}ای)?(?!\w)", lambda found: f"for {found[1]} weeks"),
    (rf"پس{_GAP}فردا", lambda _: "day after tomorrow"),
    (r"فردا", lambda _: "tomorrow"),
    (rf"امروز|(?<!\w)(?:همین{_GAP})?(?:الان|حالا|اکنون)(?!\w)|هم{_GAP}اکنون", lambda _: "today"),
    (rf"(?<!\w)(?:در{_GAP})?(?:روز|تاریخ|مورخ)(?!\w)", lambda _: ""),
    (rf"(?<!\w)(?:سال){_GAP}(?=\d)", lambda _: ""),
    (rf"(\d{{1,2}}){_GAP}ماه(?!\w)", lambda found: f"for {found[1]} months"),
    (r"(?<!\w)از(?!\w)", lambda _: "from"),
    (r"(?<!\w)(?:تا|الی|لغایت)(?!\w)", lambda _: "to"),
    (r"(?<!\w)بین(?!\w)", lambda _: "between"),
    (r"(?<!\w)و(?!\w)", lambda _: "and"),
    (rf"(?<!\w)(?:من|هستم|لطفا|ممنون|خواهم{_GAP}بود)(?!\w)", lambda _: ""),
    (rf"به{_GAP}بعد", lambda _: "onwards"),
)
