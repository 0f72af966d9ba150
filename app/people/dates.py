"""Read the dates that players type in forms and emails, such as "from 3 Dec to 10 Dec 2026".

Where two readings are near, neither is taken: the refusal names both.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from app.graphemes import cut
from app.people.date_languages import in_english, in_western_digits
from app.people.date_words import (
    DAY,
    DAY_FIRST,
    MONTH_FIRST,
    ORDERS,
    Dated,
    Undated,
    Words,
    dated,
    duration,
    gregorian,
    weeks_end,
)
from app.people.errors import Refused

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{4})年(\d{1,2})月(\d{1,2})日?", re.ASCII)
_MONTH_FIRST = ("ja", "zh")
"""Languages in which 12/3 is the third day of December."""
LONGEST = 200
"""Characters of a line about dates; a longer one is none."""
LATELY = timedelta(days=60)
"""A day without a year that has passed so lately is hardly meant for the next year."""
_FROM = ("from", "starting", "starts", "beginning", "begins", "as of", "on", "between", "this coming")
_UNTIL = ("until", "till", "til", "through", "thru", "to", "up to", "up until", "-")
_ALONE = frozenset(("until", "till", "til", "through", "thru", "up to", "up until", "to"))
_OPEN = ("on", "onward", "onwards", "and on", "-", "until", "till", "to")
_AFTER = ("inclusive", "incl", "included", "please", "thanks", "thank you")
_RESTS = ("the rest of", "rest of", "all of", "all", "the whole", "whole", "the entire", "")
_NEXT = ("next", "the coming", "coming", "this", "the", "this coming", "")


def read_date(text: str) -> date:
    """The date in a form field such as "2026-12-03", 2026年12月3日 or ۱۴۰۵/۹/۱۲.

    Raises Refused("away_date").
    """
    found = _ISO.fullmatch(in_western_digits(text).strip())
    numbers = [int(part) for part in found.groups() if part and part.isdigit()] if found is not None else []
    day = gregorian(*numbers) if numbers else None
    if day is None:
        raise Refused("away_date", text=cut(text.strip(), 40))
    return day


def read_day(text: str, now: date, language: str = "") -> date:
    """As `read_date`, or one day in words as in a reply: ۱۲ آذر. Raises Refused as both do."""
    try:
        return read_date(text)
    except Refused:
        first, last = dates_in(text, now, language)
    if first != last:
        raise Refused("away_date", text=cut(text.strip(), 40))
    return first


def is_dated(text: str, now: date, language: str = "") -> bool:
    """Whether a line is about dates, although it may be unclear or refused."""
    try:
        dates_in(text, now, language)
    except Refused as error:
        return error.reason != "away_date"
    return True


def dates_in(text: str, now: date, language: str = "") -> tuple[date, date]:
    """The first and last day in a line such as "from 3 Dec to 10 Dec 2026", "until Friday" or "for 3 days".

    Lines in Chinese, Japanese and Persian are read too; the writer's `language` says which of 12/3 is the
    month. A date without a year is the next one from `now` on; a single date is both; "until" begins today.

    Raises Refused: "away_date" for what is no date, "away_unclear" with two readings of what can mean
    several, "away_open" for a first day without a last one, "away_passed" for a day without a year that has
    just passed, "away_weekday" for a date that is another day of the week, "away_past" for a last day in the
    past.
    """
    shown = cut(text.strip(), 40)
    readings: dict[tuple[date, date], None] = {}
    refused: Refused | None = None
    for line in in_english(text, now, language) if len(text) <= LONGEST else ():
        for order in _orders(line, now, language):
            try:
                words = Words.of(line, order)
                found = _Line(words, now, shown).spans()
            except (Undated, OverflowError):
                continue
            except Refused as error:
                refused = error
                if not words.numeric or "day" not in error.facts:
                    break
                found = [(error.facts["day"], error.facts["day"])]
            readings.update(dict.fromkeys(found))
            if not words.numeric:
                break
    if refused is not None and len(readings) <= 1:
        raise refused
    if not readings:
        raise Refused("away_date", text=shown)
    if len(readings) > 1:
        (first, last), (other_first, other_last), *_ = readings
        raise Refused(
            "away_unclear",
            text=shown,
            first=first,
            last=last,
            other_first=other_first,
            other_last=other_last,
        )
    return next(iter(readings))


def _orders(line: str, now: date, language: str) -> tuple[str, ...]:
    """The orders in which a line's dates in numbers may be meant."""
    if language.partition("-")[0] not in _MONTH_FIRST:
        return ORDERS
    try:
        _Line(Words.of(line, MONTH_FIRST), now, line).spans()
    except (Undated, OverflowError):
        return (DAY_FIRST,)
    except Refused:
        pass
    return (MONTH_FIRST,)


class _Line:
    """One line, read word by word with one order of day and month in numbers."""

    def __init__(self, words: Words, now: date, shown: str) -> None:
        self.words, self.now, self.shown = words, now, shown

    def spans(self) -> list[tuple[date, date]]:
        """The readings of the line, at least one. Raises Undated, Unclear, Refused."""
        forms: tuple[Callable[[], list[tuple[date, date]]], ...] = (self.period, self.lasting, self.ranged)
        for form in forms:
            try:
                found = form()
                for word in _AFTER:
                    self.words.take(word)
                if self.words.over:
                    return found
            except Undated:
                pass
            self.words.rewind()
        raise Undated

    def period(self) -> list[tuple[date, date]]:
        """Such as "this week", "the weekend" or "next month"."""
        words = self.words
        words.take("over", "during", "on")
        rest = words.take(*_RESTS)
        which = words.take(*_NEXT)
        unit = words.take("weekend", "week", "month") if rest or which else ""
        if unit == "weekend":
            return self.weekend(which)
        if unit == "week":
            return self.week(which)
        if unit == "month" and which in ("this", "the", ""):
            return [(self.now, _month_end(self.now))]
        if unit == "month":
            first = _month_end(self.now) + DAY
            return [(first, _month_end(first))]
        raise Undated

    def week(self, which: str) -> list[tuple[date, date]]:
        """The week of today, or the next; on a Sunday some begin a new one."""
        end = weeks_end(self.now)
        this, later = (self.now, end), (end + DAY, end + 7 * DAY)
        sunday = self.now == end
        if which in ("next", "the coming", "coming", "this coming"):
            return [later, (end + 8 * DAY, end + 14 * DAY)] if sunday else [later]
        return [this, later] if sunday else [this]

    def weekend(self, which: str) -> list[tuple[date, date]]:
        """The weekend that begins or goes on, or the next one."""
        end = weeks_end(self.now)
        this, later = (max(end - DAY, self.now), end), (end + 6 * DAY, end + 7 * DAY)
        if which != "next":
            return [this, later] if self.now == end else [this]
        return [later] if self.now >= end - DAY else [this, later]

    def lasting(self) -> list[tuple[date, date]]:
        """Such as "for 3 days", perhaps with the first day before or after it."""
        words = self.words
        lasts = words.take("for")
        count = duration(words)
        if words.take("from now"):
            if not lasts:  # "a week from now" is a day
                raise Undated
        elif words.take(*_FROM):
            if not lasts:  # "a week from Monday" is a day
                raise Undated
            return [_lasting(start, count) for start in self.resolved(dated(words), self.now)]
        return [_lasting(self.now, count)]

    def ranged(self) -> list[tuple[date, date]]:
        """Such as "from 3 Dec to 10 Dec", "until Friday" or "24 December"."""
        words = self.words
        if words.take(*_ALONE):
            last = dated(words)
            if words.take("from", "starting"):
                return self.pairs(dated(words), last)
            return self.until(last)
        opener = words.take(*_FROM)
        first = dated(words)
        if words.take("for"):
            count = duration(words)
            return [_lasting(start, count) for start in self.resolved(first, self.now)]
        if words.take(*_UNTIL) or words.take("/"):
            if words.over:
                raise Refused("away_open", text=self.shown)
            return self.pairs(first, dated(words))
        if words.take("and"):
            found = self.pairs(first, dated(words))
            near = [one for one in found if opener == "between" or one[1] - one[0] == DAY]
            if not near:
                raise Undated
            return near
        if words.take(*_OPEN) or opener not in ("", "on"):
            for word in _AFTER:
                words.take(word)
            if words.over:
                raise Refused("away_open", text=self.shown)
            raise Undated
        return [(one, one) for one in self.resolved(first, self.now)]

    def until(self, last: Dated) -> list[tuple[date, date]]:
        """From today to that day."""
        found = self.resolved(last, self.now)
        if min(found) < self.now:
            raise Refused("away_past", first=min(found), today=self.now)
        return [(self.now, one) for one in found]

    def pairs(self, first: Dated, last: Dated) -> list[tuple[date, date]]:
        """The first and the last day, each of which may lend the other its month and its year."""
        begins, ends = first.lent(last), last.lent(first)
        if (begins is not first or ends is not last) and begins.day > ends.day:  # type: ignore[operator]
            raise Undated
        starts = self.resolved(begins.dated_by(ends), self.now)
        found = [(start, end) for start in starts for end in self.resolved(ends, start, ends=True)]
        return [one for one in found if one[0] <= one[1]] or found

    def resolved(self, said: Dated, since: date, *, ends: bool = False) -> list[date]:
        """The days that a date can mean, from a day on. Raises Undated, Refused."""
        found = said.days(since, self.now, ends=ends)
        if said.weekday is not None and said.day is not None and found[0].weekday() != said.weekday:
            raise Refused("away_weekday", text=self.shown, day=found[0])
        if said.yearless and not ends:
            passed = said.a_year_before(found[0])
            if passed is not None and self.now - LATELY <= passed < self.now:
                raise Refused("away_passed", text=self.shown, passed=passed, day=found[0])
        return found


def _lasting(first: date, days: int | tuple[int]) -> tuple[date, date]:
    """The days from the first on; a tuple counts months."""
    if isinstance(days, int):
        return first, first + (days - 1) * DAY
    month = first.month - 1 + days[0]
    year, month = first.year + month // 12, month % 12 + 1
    return first, date(year, month, min(first.day, monthrange(year, month)[1])) - DAY


def _month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])
