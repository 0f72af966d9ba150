"""The months of Persian, Iran's and Afghanistan's and the Gregorian ones, and what is said by them."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from persiantools.jdatetime import JalaliDate

PERSIAN_MONTHS = (
    *("(?:فروردین|حمل)", "(?:اردیبهشت|ثور)", "(?:خرداد|جوزا)", "(?:تیر|سرطان)", "(?:(?:ام|م)رداد|اسد)"),
    *("(?:شهریور|سنبله)", "(?:مهر|میزان)", "(?:آبان|عقرب)", "(?:آذر|قوس)", "(?:دی|جدی)"),
    *("(?:بهمن|دلو)", "(?:اسفند|حوت)"),
)
GREGORIAN_MONTHS = (
    *("(?:ژانویه|جنوری)", "(?:فوریه|فبروری)", "(?:مارس|مارچ)", "(?:[آا]وریل|[آا]پریل)", "(?:مه|می)"),
    *("(?:ژوئن|ژوین|جون)", "(?:ژو[ئی]یه|جولای)", "(?:اوت|[آا]گوست|اگست)", "(?:سپتامبر|سپتمبر)"),
    *("(?:اکتبر|اکتوبر)", "(?:نوامبر|نومبر)", "(?:دسامبر|دسمبر)"),
)
MONTH = f"(?:{'|'.join((*PERSIAN_MONTHS, *GREGORIAN_MONTHS))})"
GAP = "[\\s\u200c]*"
_DATE = rf"\d{{1,2}}{GAP}{MONTH}(?:{GAP}ماه)?(?:\s*\d{{4}})?|\d{{4}}[/-]\d{{1,2}}[/-]\d{{1,2}}"
_WEEKDAY = rf"(?:سه|چهار|پنج|یک|دو)?{GAP}شنبه|جمعه"
_TWICE = re.compile(
    rf"({_DATE})\s*\(\s*(?:(?:مصادف|برابر){GAP}با|معادل)?\s*((?:(?:{_WEEKDAY})\s+)?(?:{_DATE}))\s*\)"
)
_WEEKDAY_BEHIND = re.compile(rf"({_DATE})\s*\(\s*({_WEEKDAY})\s*\)")
_BRACKETED = re.compile(rf"\(\s*({_DATE})\s*\)")
_SHORT_YEAR = re.compile(r"(?<![\d/.-])(\d{2})([/.-])(\d{1,2})\2(\d{2})(?![\d/.-])")
_YEAR = r"(?:\s*(1[34]\d\d|20\d\d))?"
_END = re.compile(rf"(?:آخر|پایان|انتهای){GAP}(?:ماه{GAP})?({MONTH})(?:{GAP}ماه)?{_YEAR}(?!\w)")
_END_OF_THIS = re.compile(rf"(?:آخر|پایان|انتهای){GAP}(?:این{GAP}|همین{GAP})?ماه(?!\w)")
_THIS = re.compile(rf"(?<!\w)(?:این|همین){GAP}ماه(?!\w)")
_COMING = re.compile(rf"(?<![\d\w])(?<!\d )ماه(?:{GAP}ی)?{GAP}(?:آینده|بعدی?|دیگر|دیگه)(?!\w)")
_DAY = timedelta(days=1)


def in_one_calendar(text: str) -> tuple[str, ...]:
    """The line without brackets; one for each calendar if it says its dates in both, as our emails do."""
    text = _WEEKDAY_BEHIND.sub(r"\2 \1", text)
    each = (_TWICE.sub(r"\1", text), _TWICE.sub(r"\2", text))
    return tuple(_BRACKETED.sub(r" \1 ", one) for one in dict.fromkeys(each))


def with_whole_years(text: str, now: date) -> Iterator[str]:
    """The meanings of a line with years of two digits: 05/09/12 is 1405/09/12, and so is 12/09/05."""
    found = _SHORT_YEAR.search(text)
    if found is None:
        yield text
        return
    century, year = divmod(_jalali(now).year, 100)
    years, others = range(year - 1, year + 3), range(now.year % 100 - 1, now.year % 100 + 3)
    first, last = int(found[1]), int(found[4])
    if first in years:
        yield _SHORT_YEAR.sub(rf"{century}\1/\3/\4", text)
    if last in years:
        yield _SHORT_YEAR.sub(rf"\1/\3/{century}\4", text)
    if last in others or (first not in years and last not in years):
        yield text


def with_months(text: str, now: date) -> str:
    """The line with this month, the next one and the ends of months as days."""
    this = _last_of(now)
    following = this + _DAY
    text = _END.sub(lambda found: f" {_end_of(found[1], found[2], now)} ", text)
    text = _END_OF_THIS.sub(f" {this} ", text)
    text = _THIS.sub(f" {now} to {this} ", text)
    return _COMING.sub(f" {following} to {_last_of(following)} ", text)


def _end_of(name: str, said: str | None, now: date) -> date | str:
    """The last day of a month, of the next such month from `now` on; its name if its year is none."""
    gregorian = next((n for n, one in enumerate(GREGORIAN_MONTHS, 1) if re.fullmatch(one, name)), 0)
    if gregorian:
        year = int(said or now.year + (gregorian < now.month))
        return date(year, gregorian, monthrange(year, gregorian)[1])
    month = next(n for n, one in enumerate(PERSIAN_MONTHS, 1) if re.fullmatch(one, name))
    today = _jalali(now)
    year = int(said or today.year + (month < today.month))
    return _last_of(_gregorian(year, month)) if year < 2000 else name


def _last_of(day: date) -> date:
    """The last day of a day's month in Iran."""
    jalali = _jalali(day)
    year, month = jalali.year + jalali.month // 12, jalali.month % 12 + 1
    return _gregorian(year, month) - _DAY


def _jalali(day: date) -> JalaliDate:
    return JalaliDate(day)  # type: ignore[no-untyped-call]


def _gregorian(year: int, month: int) -> date:
    """The first day of a month."""
    first = JalaliDate(year, month, 1)  # type: ignore[no-untyped-call]
    return date.fromordinal(first.to_gregorian().toordinal())
