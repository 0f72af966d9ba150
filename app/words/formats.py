"""Numbers, plurals, lists, durations and moments as a language writes them."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import cache, lru_cache

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.units import format_unit
from persiantools import digits
from persiantools.jdatetime import JalaliDate

from app.words.languages import available, resolve

MINUTE, HOUR, DAY = 60, 3600, 86400
KEPT = 10_000
"""Numbers and durations kept as they are written."""
MINUS = "\N{MINUS SIGN}"
"""Lines break at a hyphen, and not at this."""
FULL_DAYS = {"en": "EEEE d MMMM y"}
"""The pattern of a day in full, where Babel's reads badly within a sentence."""


@cache
def formats(language: str) -> "Formats":
    """The formats of an available language; English for others."""
    code = resolve([language])
    return (JalaliFormats if code == "fa" else Formats)(available()[code].locale)


class Formats:
    """Formats by Babel. Moments are given on the reader's clock, aware."""

    def __init__(self, locale: str) -> None:
        self.locale = Locale.parse(locale)

    def digits(self, text: str) -> str:
        """The text with the digits of the language's prose."""
        return text

    def number(self, number: float) -> str:
        """A number in prose: 12,345.5."""
        return self.digits(_decimal(self, number))

    def plural(self, number: float, **forms: str) -> str:
        """The form for the number's plural category (zero, one, two, few, many, other)."""
        return forms.get(self.locale.plural_form(number), forms["other"])

    def listed(self, items: Iterable[object], each: Callable[[object], str] = str) -> str:
        """A list within a sentence: a, b and c. `each` words an item, as a macro that quotes it."""
        return str(format_list([each(one) for one in items], locale=self.locale))

    def either(self, items: Iterable[object], each: Callable[[object], str] = str) -> str:
        """A list of alternatives: a, b or c. `each` words an item."""
        return str(format_list([each(one) for one in items], style="or", locale=self.locale))

    def duration(self, seconds: float, units: int = 2) -> str:
        """A duration in its largest units, rounded down: 2 days, 3 hours. Below a minute: 0 minutes."""
        return self.digits(_duration(self, int(seconds), units))

    def span(self, seconds: float) -> str:
        """A duration to the hour, as for the time that is left; to the minute below an hour."""
        return self.duration(seconds - seconds % HOUR if seconds >= HOUR else seconds)

    def weekday(self, day: int) -> str:
        """The name of a weekday within a sentence, 0 = Monday."""
        return str(get_day_names("wide", "format", self.locale)[day])

    def day(self, day: date) -> str:
        """A day in full: Monday 2 March 2026."""
        return str(format_date(day, FULL_DAYS.get(self.locale.language, "full"), locale=self.locale))

    def short_day(self, day: date, *, year: bool = False) -> str:
        """A day without its weekday: 2 March."""
        return str(format_skeleton("yMMMMd" if year else "MMMd", _at_noon(day), locale=self.locale))

    def time(self, moment: datetime) -> str:
        """The time of day: 09:30."""
        return self.digits(f"{moment:%H:%M}")

    def _at(self, day: str, moment: datetime) -> str:
        """A written day and the time of a moment."""
        return str(self.locale.datetime_formats["medium"]).format(self.time(moment), day)

    def moment(self, moment: datetime) -> str:
        """Weekday, date, time and time zone."""
        return f"{self._at(self.day(moment.date()), moment)} ({self.zone(moment)})"

    def short_moment(self, moment: datetime) -> str:
        """Weekday, day and time, for lists: Mon 2 Mar, 09:30."""
        return self._at(str(format_skeleton("MMMEd", _at_noon(moment.date()), locale=self.locale)), moment)

    def dated_moment(self, moment: datetime) -> str:
        """Date, time and zone, for what lies long ago."""
        day = str(format_skeleton("yMMMd", _at_noon(moment.date()), locale=self.locale))
        return f"{self._at(day, moment)} {zone_abbreviation(moment)}"

    def zone(self, moment: datetime) -> str:
        """The time zone of a moment: its name, and its distance from UTC."""
        return zone_of(moment)


def _jalali(day: date, form: str) -> str:
    return str(JalaliDate(day, locale="fa").strftime(form))  # type: ignore[no-untyped-call]


class JalaliFormats(Formats):
    """Persian: its own digits, and the Jalali calendar with the Gregorian date beside it in full dates."""

    def digits(self, text: str) -> str:
        """The text in Persian digits."""
        return str(digits.en_to_fa(text))

    def day(self, day: date) -> str:
        """The Jalali day in full, with the Gregorian one behind it."""
        gregorian = format_skeleton("yMMMMd", _at_noon(day), locale=self.locale)
        return f"{_jalali(day, '%A %d %B %Y')} ({self.digits(str(gregorian))})"

    def short_day(self, day: date, *, year: bool = False) -> str:
        """The Jalali day."""
        return _jalali(day, "%d %B %Y" if year else "%d %B")

    def short_moment(self, moment: datetime) -> str:
        """Weekday, Jalali day and time."""
        return self._at(_jalali(moment.date(), "%A %d %B"), moment)

    def dated_moment(self, moment: datetime) -> str:
        """Jalali date, time and zone."""
        return f"{self._at(self.short_day(moment.date(), year=True), moment)} {zone_abbreviation(moment)}"


@lru_cache(KEPT, typed=True)
def _decimal(kept: Formats, number: float) -> str:
    return str(format_decimal(number, locale=kept.locale))


@lru_cache(KEPT)
def _duration(kept: Formats, seconds: int, units: int) -> str:
    parts: list[str] = []
    for name, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
        count, seconds = divmod(seconds, size)
        if count or (name == "minute" and not parts):
            parts.append(str(format_unit(count, f"duration-{name}", locale=kept.locale)))
    return str(format_list(parts[:units], style="unit", locale=kept.locale))


def zone_of(moment: datetime) -> str:
    """A zone's abbreviation, if it has one, and its distance from UTC."""
    name = moment.tzname() or ""
    if name == "UTC":
        return name
    distance = _distance(moment)
    return distance if not name or name[0] in "+-" else f"{name}, {distance}"


def zone_abbreviation(moment: datetime) -> str:
    """A zone's abbreviation, or its distance from UTC."""
    name = moment.tzname() or ""
    return _distance(moment) if not name or name[0] in "+-" else name


def _distance(moment: datetime) -> str:
    offset = f"{moment:%z}"
    return f"UTC{offset[:3].replace('-', MINUS)}:{offset[3:5]}"


def _at_noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12)  # noqa: DTZ001 - a day, not a moment
