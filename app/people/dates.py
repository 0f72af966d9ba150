"""Read the dates that players type in forms and emails, such as "from 3 Dec to 10 Dec 2026"."""

import re
from datetime import date

from app.people.errors import Refused

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


def read_date(text: str) -> date:
    """The date in a form field such as "2026-12-03". Raises Refused("away_date")."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise Refused("away_date", text=text.strip()[:40])
    return _date(int(found["year"]), int(found["month"]), int(found["day"]), text)


def dates_in(text: str, now: date) -> tuple[date, date]:
    """The first and last day in a line such as "from 3 Dec to 10 Dec 2026" or "2026-12-03 to 2026-12-10".

    A date without a year is the next one from `now` on; a single date is both. Raises Refused("away_date"),
    or Refused("away_unclear") for dates such as 03/04, which countries read differently.
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
    """The day, month and year of one date; "3" alone has neither month nor year."""
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
    """The date in its year, or without a year the next such date from `since` on."""
    if year is not None:
        return _date(year, month, day, text)
    for ahead in range(9):  # 29 February returns within eight years
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
