"""Dates in Persian: Jalali months, and weeks that end on Friday."""

import re
from collections.abc import Iterator
from datetime import date

from app.people.date_readings import WAVES, Reading, replaced
from app.people.date_words import DAY, JALALI, MONTHS, WEEKDAYS, weeks_end
from app.people.persian_numbers import persian_in_digits

_SAME = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", "ة": "ه", "ۀ": "ه", "أ": "ا", "ـ": None, "،": ","})
_FRIDAY = 4
MOST_READINGS = 8


def persian(text: str, now: date, *, sure: bool) -> Iterator[str]:
    """The meanings of a line. `sure`: its letters or digits are Persian, so its dates are Jalali."""
    text = persian_in_digits(text.translate(_SAME).translate(WAVES))
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
_PERSIAN_MONTHS = (
    *("فروردین", "اردیبهشت", "خرداد", "تیر", "ا?مرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن"),
    "اسفند",
)
_GREGORIAN_MONTHS = (
    *("ژانویه", "فوریه", "مارس", "آوریل", "(?:مه|می)", "ژوئن", "(?:ژوئیه|جولای)", "(?:اوت|آگوست)"),
    *("سپتامبر", "اکتبر", "نوامبر", "دسامبر"),
)
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
    readings = [text]
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


_SIMPLE_PERSIAN: tuple[tuple[str, Reading], ...] = (
    *(_day_of(month, name) for month, name in zip(_PERSIAN_MONTHS, JALALI, strict=True)),
    *(_day_of(month, name) for month, name in zip(_GREGORIAN_MONTHS, MONTHS, strict=True)),
    (rf"(?:به{_GAP}مدت|برای|مدت)?{_GAP}(\d{{1,3}}){_GAP}روز(?!\w)", lambda found: f"for {found[1]} days"),
    (rf"(?:به{_GAP}مدت|برای|مدت)?{_GAP}(\d{{1,2}}){_GAP}هفته(?!\w)", lambda found: f"for {found[1]} weeks"),
    (rf"پس{_GAP}فردا", lambda _: "day after tomorrow"),
    (r"فردا", lambda _: "tomorrow"),
    (r"امروز", lambda _: "today"),
    (rf"(?<!\w)(?:سال){_GAP}(?=\d)", lambda _: ""),
    (rf"(\d{{1,2}}){_GAP}ماه(?!\w)", lambda found: f"for {found[1]} months"),
    (r"(?<!\w)از(?!\w)", lambda _: "from"),
    (r"(?<!\w)تا(?!\w)", lambda _: "to"),
    (r"(?<!\w)بین(?!\w)", lambda _: "between"),
    (r"(?<!\w)و(?!\w)", lambda _: "and"),
    (rf"(?<!\w)(?:من|هستم|لطفا|ممنون|خواهم{_GAP}بود)(?!\w)", lambda _: ""),
    (rf"به{_GAP}بعد", lambda _: "onwards"),
)
