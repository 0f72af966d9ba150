"""The words of dates: what one date says, as typed in English or in numbers."""

import re
import unicodedata
from datetime import date, timedelta

import msgspec
from persiantools.jdatetime import JalaliDate

MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
JALALI = (
    *("farvardin", "ordibehesht", "khordad", "tir", "mordad", "shahrivar", "mehr", "aban", "azar", "dey"),
    *("bahman", "esfand"),
)
"""The months of the Persian year; their numbers are after `PERSIAN`."""
PERSIAN = 100
_JALALI_YEARS = range(1300, 1500)
"""Years that nobody means by the Gregorian calendar."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {name[:3]: number for number, name in enumerate(WEEKDAYS)} | {
    **{name: number for number, name in enumerate(WEEKDAYS)},
    "tues": 1,
    "weds": 2,
    "thur": 3,
    "thurs": 3,
}
_COUNTS = (
    *("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
DAY = timedelta(days=1)
NEAR = 2
"""A day of the week so near is hardly called the next one."""
DAY_FIRST, MONTH_FIRST = "day first", "month first"
ORDERS = (DAY_FIRST, MONTH_FIRST)
"""The orders in which countries write 5/12."""
_MARKS = re.compile(r"[*_`\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u200b-\u200f\u2060\ufeff]")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2192", "-"))
_OPENING = re.compile(r"(?:(?:i am|i will be|ill be|im) )?(?:away|gone|absent)?[ :,]*")
_MONTH = "|".join(name[:3] for name in MONTHS)
_TOKEN = re.compile(
    rf"""(?P<iso>\d{{4}}(?P<sign>[-/.])\d{{1,2}}(?P=sign)\d{{1,2}}(?!\d))
      | (?P<full>\d{{1,2}}(?P<mark>\ ?[-/.]\ ?)\d{{1,2}}(?P=mark)(?:\d{{4}}|\d\d)(?!\d))
      | (?P<short>\d{{1,2}}(?:\.\ ?|\ ?/\ ?)\d{{1,2}}(?!\d)(?!\.?\ ?(?:{_MONTH}|/))\.?)
      | (?P<ordinal>\d{{1,2}})(?:st|nd|rd|th)\b
      | (?P<year>\d{{4}})\b
      | (?P<number>\d{{1,3}})(?:\.(?!\.))?(?!\d)
      | (?P<word>[a-z]+)(?:\.(?!\.))?
      | (?P<dash>-+>?|\.\.\.?|&)
      | (?P<slash>/)
      | (?P<comma>,)
      | (?P<blank>\ )""",
    re.VERBOSE | re.ASCII,
)
_PARTS = re.compile(r"\d+", re.ASCII)


class Undated(Exception):  # noqa: N818
    """The words are no date."""


class Dated(msgspec.Struct, frozen=True):
    """One date as typed; the parts that it leaves open are None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    which: str = ""
    """Before a day of the week: next, this."""
    ordinal: bool = False
    """The day has its ending, as in 3rd: then it is surely the day of a month."""
    ahead: int | None = None
    """Days from today: 0 for "today"."""

    @property
    def yearless(self) -> bool:
        """It has a month and no year."""
        return self.month is not None and self.year is None

    def lent(self, other: "Dated") -> "Dated":
        """With the month of another date, and its year, if this one has only a day."""
        if self.day is None or self.month is not None or other.month is None:
            return self
        return msgspec.structs.replace(self, month=other.month, year=other.year)

    def dated_by(self, last: "Dated") -> "Dated":
        """The first day of a range, with the year of its last day if it has none of its own."""
        if self.day is None or self.month is None or self.year is not None or last.year is None:
            return self
        assert last.month is not None
        if (self.month > PERSIAN) != (last.month > PERSIAN):
            return self
        assert last.day is not None
        earlier = (self.month, self.day) > (last.month, last.day)
        return msgspec.structs.replace(self, year=last.year - earlier)

    def days(self, since: date, today: date, *, ends: bool) -> list[date]:
        """The days that are meant, the next from `since` on. Raises Undated.

        `ends`: it is the end of a range that begins at `since`.
        """
        if self.ahead is not None:
            return [today + self.ahead * DAY]
        if self.day is not None and self.month is not None:
            return [_in_year(self.year, self.month, self.day, since)]
        if self.day is not None:
            if not self.ordinal:
                raise Undated
            return [_next_of_month(self.day, since)]
        return self._weekday(since, ends=ends)

    def a_year_before(self, day: date) -> date | None:
        """The same day of the year before in its calendar; None if that year has none."""
        assert self.month is not None
        if self.month > PERSIAN:
            jalali = JalaliDate(day)  # type: ignore[no-untyped-call]
            return _exists(jalali.year - 1, PERSIAN + jalali.month, jalali.day)
        return _exists(day.year - 1, day.month, day.day)

    def _weekday(self, since: date, *, ends: bool) -> list[date]:
        assert self.weekday is not None
        ahead = (self.weekday - since.weekday()) % 7
        soon, later = since + ahead * DAY, since + (ahead + 7) * DAY
        if self.which == "next":
            near = ends or ahead <= NEAR or soon <= weeks_end(since)
            return [one for one in (soon, later) if one > since] if near else [soon]
        if ends:
            return [soon if ahead else later]
        return [soon] if ahead else [soon, later]


class Words:
    """The words of a line, taken from its beginning."""

    def __init__(self, tokens: tuple[tuple[str, str], ...], order: str = DAY_FIRST) -> None:
        self.tokens, self.order, self.at = tokens, order, 0

    @classmethod
    def of(cls, text: str, order: str) -> "Words":
        """The words of a text without quote marks, bold marks and a final stop. Raises Undated."""
        plain = _MARKS.sub("", unicodedata.normalize("NFKC", text)).translate(_DASHES).casefold()
        plain = " ".join(plain.split()).rstrip(".!,;: ")
        opening = _OPENING.match(plain)
        at = opening.end() if opening else 0
        tokens: list[tuple[str, str]] = []
        while at < len(plain):
            found = _TOKEN.match(plain, at)
            if found is None:
                raise Undated
            at = found.end()
            kind = found.lastgroup or ""
            if kind in ("sign", "mark"):
                kind = "iso" if found["iso"] else "full"
            if kind != "blank":
                tokens.append((kind, "-" if kind == "dash" and found[0] != "&" else _said(found, kind)))
        return cls(tuple(tokens), order)

    @property
    def over(self) -> bool:
        """Whether every word was taken."""
        return self.at >= len(self.tokens)

    @property
    def numeric(self) -> bool:
        """Whether a date in numbers leaves its order open."""
        return any(kind in ("short", "full") for kind, _ in self.tokens)

    def rewind(self) -> None:
        """Begin again."""
        self.at = 0

    def kind(self, *kinds: str) -> str | None:
        """Take the next word if it is of one of these kinds."""
        if not self.over and self.tokens[self.at][0] in kinds:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def take(self, *phrases: str) -> str:
        """Take the longest of some phrases that stands next; "" if none does."""
        for phrase in sorted(phrases, key=len, reverse=True):
            wanted = phrase.split()
            here = [said for _, said in self.tokens[self.at : self.at + len(wanted)]]
            if wanted and here == wanted:
                self.at += len(wanted)
                return phrase
        return ""


def dated(words: Words) -> Dated:
    """The date that stands next. Raises Undated."""
    words.take("on", "the")
    for phrase, ahead in (("day after tomorrow", 2), ("tomorrow", 1), ("today", 0), ("now", 0)):
        if words.take(phrase):
            return Dated(ahead=ahead)
    which = words.take("next", "this", "this coming", "coming")
    weekday = _weekday(words)
    if weekday is None and which:
        raise Undated
    at = words.at
    if weekday is not None:
        words.kind("comma")
        words.take("the")
    try:
        found = _day_of_year(words)
    except Undated:
        if weekday is None:
            raise
        words.at = at
        return Dated(weekday=weekday, which="next" if which == "next" else "")
    return msgspec.structs.replace(found, weekday=weekday)


def duration(words: Words) -> int | tuple[int]:
    """The days that stand next, such as "3 days" or "a week"; a tuple counts months. Raises Undated."""
    words.take("the next", "the", "next", "another")
    number = words.kind("number")
    said = number or words.take(*_COUNTS, "an", "one")
    many = int(said) if said.isdigit() else 1 if said in ("a", "an", "one") else 0
    if not many and said in _COUNTS:
        many = _COUNTS.index(said) + 1
    if not 1 <= many <= 400:
        raise Undated
    words.take("more", "whole", "full")
    unit = words.take("days", "day", "weeks", "week", "fortnight", "month", "months")
    if not unit:
        raise Undated
    if unit.startswith("month"):
        return (many,)
    return many * {"d": 1, "w": 7, "f": 14}[unit[0]]


def weeks_end(day: date) -> date:
    """The Sunday of a day's week."""
    return day + (6 - day.weekday()) * DAY


def gregorian(year: int, month: int, day: int) -> date | None:
    """The day of a year in numbers, of whichever calendar the year is; None if there is none."""
    return _exists(year, _month_of(year, month), day)


def _day_of_year(words: Words) -> Dated:
    if said := words.kind("iso"):
        year, month, day = map(int, _PARTS.findall(said))
        return _checked(Dated(day, _month_of(year, month), year))
    if said := words.kind("full", "short"):
        first, second, *rest = map(int, _PARTS.findall(said))
        if rest and rest[0] in _JALALI_YEARS:  # nobody writes the month first there
            return _checked(Dated(first, PERSIAN + second, rest[0]))
        day, month = (first, second) if words.order == DAY_FIRST else (second, first)
        short = 2000 if rest and rest[0] < 100 else 0
        return _checked(Dated(day, month, rest[0] + short if rest else None))
    if (named := _month(words)) is not None:
        words.take("the")
        ordinal = words.kind("ordinal")
        day = int(ordinal or words.kind("number") or 0)
        return _checked(Dated(day, named, _year(words)))
    ordinal = words.kind("ordinal")
    day = int(ordinal or words.kind("number") or 0)
    dash = words.at
    words.take("of")
    if dash == words.at and words.take("-") and _month_next(words) is None:
        words.at = dash
    named = _month(words)
    if named is None:
        words.at = dash
        if not 1 <= day <= 31:
            raise Undated
        return Dated(day, ordinal=ordinal is not None)
    return _checked(Dated(day, named, _year(words)))


def _checked(said: Dated) -> Dated:
    """The date, if some year has it. Raises Undated."""
    assert said.day is not None
    assert said.month is not None
    leap = 1403 if said.month > PERSIAN else 2024
    if _exists(said.year or leap, said.month, said.day) is None:
        raise Undated
    return said


def _year(words: Words) -> int | None:
    at = words.at
    words.take("-", ",")
    year = words.kind("year")
    if year is None:
        words.at = at
        return None
    return int(year)


def _month_next(words: Words) -> int | None:
    at = words.at
    found = _month(words)
    words.at = at
    return found


def _month(words: Words) -> int | None:
    """The month that stands next, by three letters or more of its name."""
    if words.over or words.tokens[words.at][0] != "word":
        return None
    said = words.tokens[words.at][1]
    found = next((n for n, name in enumerate(MONTHS, 1) if len(said) > 2 and name.startswith(said)), None)
    if said in JALALI:
        found = PERSIAN + 1 + JALALI.index(said)
    if found is not None:
        words.at += 1
    return found


def _weekday(words: Words) -> int | None:
    if words.over or words.tokens[words.at][0] != "word":
        return None
    found = _DAYS.get(words.tokens[words.at][1])
    if found is not None:
        words.at += 1
    return found


def _in_year(year: int | None, month: int, day: int, since: date) -> date:
    """The date in its year, or without a year the next such date from `since` on. Raises Undated."""
    first = since.year - 622 if month > PERSIAN else since.year
    for one in range(first, first + 10) if year is None else (year,):  # 29 February: eight years
        found = _exists(one, month, day)
        if found is not None and (year is not None or found >= since):
            return found
    raise Undated


def _next_of_month(day: int, since: date) -> date:
    month, year = since.month, since.year
    for _ in range(3):
        found = _exists(year, month, day)
        if found is not None and found >= since:
            return found
        month, year = month % 12 + 1, year + (month == 12)
    raise Undated


def _exists(year: int, month: int, day: int) -> date | None:
    try:
        if month > PERSIAN:
            jalali = JalaliDate(year, month - PERSIAN, day)  # type: ignore[no-untyped-call]
            return date.fromordinal(jalali.to_gregorian().toordinal())
        return date(year, month, day)
    except ValueError:
        return None


def _month_of(year: int, month: int) -> int:
    """A month's number, after the calendar that its year is of."""
    return PERSIAN + month if year in _JALALI_YEARS else month


def _said(found: re.Match[str], kind: str) -> str:
    return "and" if kind == "dash" else found[kind]
