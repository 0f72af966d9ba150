"""Days on which a player is away: as he writes them, held against the calendar and the yearly limit."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from app.people.errors import Refused

MOST_DAYS = 30
"""In each calendar year of the player's own zone; every day that has begun counts whole."""
FARTHEST = timedelta(days=366)
DAY = timedelta(days=1)
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4}))?"
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.ASCII)
_DAY_FIRST = re.compile(rf"{_NUMBER}(?:\s+(?:of\s+)?{_MONTH}{_YEAR})?", re.ASCII)
_MONTH_FIRST = re.compile(rf"{_MONTH}\s+{_NUMBER}{_YEAR}", re.ASCII)
_UNCLEAR = re.compile(r"\d{1,4}\s*[/.]\s*\d{1,2}(\s*[/.]\s*\d{1,4})?", re.ASCII)
_BETWEEN = re.compile(
    r"\s*(?:\b(?:to|until|till|through)\b|\.\.\.?|[\u2013\u2014]|\s-\s|(?<=[a-z])-(?=\d))\s*"
)


class Away(msgspec.Struct, frozen=True):
    """An absence as it was entered."""

    absence_id: int
    begins: datetime
    ends: datetime
    cancelled_at: datetime | None
    zone: str
    """The player's own, in which its days are counted."""
    used_until: datetime | None = None
    """When it was cancelled: so far a deadline that it put off keeps its days."""

    @property
    def until(self) -> datetime:
        """When it was over, or will be."""
        return self.ends if self.cancelled_at is None else min(self.ends, self.cancelled_at)

    @property
    def first(self) -> date:
        """Its first day."""
        return self.begins.astimezone(ZoneInfo(self.zone)).date()

    @property
    def last(self) -> date:
        """Its last day."""
        return (self.ends - timedelta(microseconds=1)).astimezone(ZoneInfo(self.zone)).date()

    @property
    def days(self) -> frozenset[date]:
        """Those on which he was or will be away, a day that has begun being whole.

        Where he cancelled it, with those that were given to a turn and that no deadline gives back.
        """
        until = max(self.until, self.used_until or self.until)
        if until <= self.begins:
            return frozenset()
        last = (until - timedelta(microseconds=1)).astimezone(ZoneInfo(self.zone)).date()
        return frozenset(each_day(self.first, last))


def each_day(first: date, last: date) -> Iterator[date]:
    """The days from the first to the last, both with it."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(ordinal)


def midnight(day: date, zone: str) -> datetime:
    """When a day begins in a zone, in UTC."""
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


def today(now: datetime, zone: str) -> date:
    """Which day it is there."""
    return now.astimezone(ZoneInfo(zone)).date()


def left_in(year: int, known: Iterable[Away]) -> int:
    """How many days of absence a year still has."""
    taken = {day for one in known for day in one.days if day.year == year}
    return max(MOST_DAYS - len(taken), 0)


def check(first: date, last: date, now: date, known: Iterable[Away]) -> None:
    """Raises Refused: "away_order", "away_past", "away_far", "away_overlap", "away_limit"."""
    if last < first:
        raise Refused("away_order", first=first, last=last)
    if first < now:
        raise Refused("away_past", first=first, today=now)
    if last > now + FARTHEST:
        raise Refused("away_far", last=last, latest=now + FARTHEST)
    known = tuple(known)
    for one in known:
        if one.cancelled_at is None and one.first <= last and first <= one.last:
            raise Refused("away_overlap", first=one.first, last=one.last)
    for year in range(first.year, last.year + 1):
        wanted = {day for day in each_day(first, last) if day.year == year}
        left = left_in(year, known)
        added = len(wanted - {day for one in known for day in one.days})
        if added > left:
            raise Refused("away_limit", year=year, left=left, most=MOST_DAYS, days=added)


def read_date(text: str) -> date:
    """A date as a form sends it, such as 2026-12-03. Raises Refused("away_date")."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise Refused("away_date", text=text.strip()[:40])
    return _date(int(found["year"]), int(found["month"]), int(found["day"]), text)


def dates_in(text: str, now: date) -> tuple[date, date]:
    """The first and the last day in a line such as "from 3 Dec to 10 Dec 2026" or "2026-12-03 to 2026-12-10".

    A date without a year is the next one; a single date is one day. Raises Refused: "away_date",
    "away_unclear" for such as 03/04, which is read differently here and there.
    """
    line = " ".join(text.casefold().split()).rstrip(".!")
    line = re.sub(r"^(?:i am |i'm )?(?:away\b)?[ :]*(?:from\b|on\b)? ?", "", line)
    line = re.sub(r"^(\d{1,2})-(?=\d{1,2} [a-z])", r"\1 to ", line)
    if _UNCLEAR.search(line):
        raise Refused("away_unclear", text=text.strip()[:40])
    parts = [part for part in _BETWEEN.split(line) if part]
    if not 1 <= len(parts) <= 2:
        raise Refused("away_date", text=text.strip()[:40])
    found = [_parts(part, text) for part in parts]
    day, month, year = found[-1]
    if month is None:
        raise Refused("away_date", text=text.strip()[:40])
    if len(found) == 1:
        only = _next(day, month, year, now, text)
        return only, only
    first_day, first_month, first_year = found[0]
    if first_month is None:
        first_month, first_year = month, year
    if first_year is None and year is not None:
        first_year = year if (first_month, first_day) <= (month, day) else year - 1
    first = _next(first_day, first_month, first_year, now, text)
    return first, _next(day, month, year, first, text)


def _parts(text: str, whole: str) -> tuple[int, int | None, int | None]:
    """Day, month and year; "3" alone has but a day."""
    if found := _ISO.fullmatch(text):
        return int(found["day"]), int(found["month"]), int(found["year"])
    found = _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text)
    if found is None:
        raise Refused("away_date", text=whole.strip()[:40])
    month = None
    if found["month"] is not None:
        month = next((n for n, name in enumerate(MONTHS, 1) if name.startswith(found["month"])), None)
        if month is None:
            raise Refused("away_date", text=whole.strip()[:40])
    return int(found["day"]), month, int(found["year"]) if found["year"] else None


def _next(day: int, month: int, year: int | None, since: date, text: str) -> date:
    """The date, without a year the next one that is not before a day."""
    if year is not None:
        return _date(year, month, day, text)
    for ahead in range(9):  # 29 February comes again within eight years
        try:
            found = date(since.year + ahead, month, day)
        except ValueError:
            continue
        if found >= since:
            return found
    raise Refused("away_date", text=text.strip()[:40])


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise Refused("away_date", text=text.strip()[:40]) from None
