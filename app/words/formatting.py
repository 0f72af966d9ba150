"""Numbers, plurals, lists, durations and moments as Babel writes them, for the languages to build on."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.units import format_unit
from markupsafe import Markup, escape

MINUTE, HOUR, DAY = 60, 3600, 86400
KEPT = 10_000
"""Numbers and durations kept as they are written."""
MINUS = "\N{MINUS SIGN}"
"""Lines break at a hyphen, and not at this."""
FULL_DAYS = {"en": "EEEE d MMMM y", "zh": "y年M月d日EEEE", "ja": "y年M月d日（EEE）"}
"""The pattern of a day in full, where Babel's reads badly within a sentence."""


class Formats:
    """Formats by Babel. Moments are given on the reader's clock, aware."""

    joint = " "
    """The space between two sentences, and behind a colon: for templates, in which markup may stand between.
    `together` is for texts: it looks at how each ends, because one of another language needs its space.
    """
    colon = ":"
    comma = ", "
    """Between the items of a list on a board."""
    between = ", "
    """Between the items of a list in the prose beside a board."""
    pickers = True
    """Browsers pick days by the language's calendar."""

    def __init__(self, locale: str) -> None:
        self.locale = Locale.parse(locale)

    def digits(self, text: str) -> str:
        """The text with the digits of the language's prose."""
        return text

    def ltr(self, text: object) -> str:
        """Notation, an address or anything else that reads from left to right in every language.

        It keeps its order among words that run the other way.
        """
        return text if isinstance(text, str) else str(text)

    def bdi(self, name: object) -> str:
        """A name of any script, which keeps its order among words that run another way."""
        return name if isinstance(name, str) else str(name)

    def together(self, sentences: Iterable[str]) -> str:
        """Whole sentences behind each other, in one text."""
        return " ".join(sentences)

    def number(self, number: float) -> str:
        """A number in prose: 12,345.5."""
        return self.digits(decimal(self, number))

    def plural(self, number: float, **forms: str) -> str:
        """The form for the number's plural category (zero, one, two, few, many, other)."""
        return forms.get(self.locale.plural_form(number), forms["other"])

    def listed(self, items: Iterable[object], each: Callable[[object], str] | None = None) -> str:
        """A list within a sentence: a, b and c. `each` words an item, as a macro that quotes it."""
        return self._joined(_worded(items, each), "standard")

    def either(self, items: Iterable[object], each: Callable[[object], str] | None = None) -> str:
        """A list of alternatives: a, b or c. `each` words an item."""
        return self._joined(_worded(items, each), "or")

    def _joined(self, items: list[str], style: Literal["standard", "or"]) -> str:
        """The items as a list. It is markup if one of them is, and the others are escaped then."""
        if not any(isinstance(one, Markup) for one in items):
            return self._list(items, style)
        return Markup(self._list([escape(one) for one in items], style))  # noqa: S704 - every item is escaped

    def _list(self, items: list[str], style: Literal["standard", "or"]) -> str:
        return _list(self, style, *items)

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
        return _day(self, date(day.year, day.month, day.day))

    def short_day(self, day: date, *, year: bool = False) -> str:
        """A day without its weekday: 2 March."""
        return _by_skeleton(self, "yMMMMd" if year else "MMMd", date(day.year, day.month, day.day))

    def time(self, moment: datetime) -> str:
        """The time of day: 09:30."""
        return self.digits(f"{moment:%H:%M}")

    def _at(self, day: str, moment: datetime) -> str:
        """A written day and the time of a moment."""
        return str(self.locale.datetime_formats["medium"]).format(self.time(moment), day)

    def moment(self, moment: datetime) -> str:
        """Weekday, date, time and time zone."""
        return f"{self._at(self.day(moment.date()), moment)} ({self.ltr(zone_of(moment))})"

    def short_moment(self, moment: datetime) -> str:
        """Weekday, day and time, for lists: Mon 2 Mar, 09:30."""
        return self._at(_by_skeleton(self, "MMMEd", moment.date()), moment)

    def dated_moment(self, moment: datetime) -> str:
        """Date, time and zone, for what lies long ago."""
        day = _by_skeleton(self, "yMMMd", moment.date())
        return f"{self._at(day, moment)} {self.ltr(zone_abbreviation(moment))}"


def _worded(items: Iterable[object], each: Callable[[object], str] | None) -> list[str]:
    """The items as texts; markup stays markup."""
    if each is not None:
        return [each(one) for one in items]
    return [one if isinstance(one, str) else str(one) for one in items]


def hours(moment: datetime) -> str:
    """The time of day, without a zero before the hour."""
    return f"{moment.hour}:{moment:%M}"


def parts_of(seconds: int, units: int) -> list[tuple[str, int]]:
    """A duration by its largest units, those that are not zero; 0 minutes where it is shorter than one."""
    parts: list[tuple[str, int]] = []
    for name, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
        count, seconds = divmod(seconds, size)
        if count or (name == "minute" and not parts):
            parts.append((name, count))
    return parts[:units]


@lru_cache(KEPT, typed=True)
def decimal(kept: Formats, number: float) -> str:
    """A number by Babel."""
    return str(format_decimal(number, locale=kept.locale))


@lru_cache(KEPT)
def _list(kept: Formats, style: Literal["standard", "or"], *items: str) -> str:
    return str(format_list(items, style=style, locale=kept.locale))


@lru_cache(KEPT)
def _duration(kept: Formats, seconds: int, units: int) -> str:
    parts = [
        str(format_unit(count, f"duration-{unit}", locale=kept.locale))
        for unit, count in parts_of(seconds, units)
    ]
    return str(format_list(parts, style="unit", locale=kept.locale))


@lru_cache(KEPT)
def _day(kept: Formats, day: date) -> str:
    return str(format_date(day, FULL_DAYS.get(kept.locale.language, "full"), locale=kept.locale))


@lru_cache(KEPT)
def _by_skeleton(kept: Formats, skeleton: str, day: date) -> str:
    return str(format_skeleton(skeleton, at_noon(day), locale=kept.locale))


def zone_of(moment: datetime, comma: str = ", ") -> str:
    """A zone's abbreviation, if it has one, and its distance from UTC."""
    name = moment.tzname() or ""
    if name == "UTC":
        return name
    distance = _distance(moment)
    return distance if not name or name[0] in "+-" else f"{name}{comma}{distance}"


def zone_abbreviation(moment: datetime) -> str:
    """A zone's abbreviation, or its distance from UTC."""
    name = moment.tzname() or ""
    return _distance(moment) if not name or name[0] in "+-" else name


def _distance(moment: datetime) -> str:
    offset = f"{moment:%z}"
    return f"UTC{offset[:3].replace('-', MINUS)}:{offset[3:5]}"


def at_noon(day: date) -> datetime:
    """A moment of the day, as Babel wants it."""
    return datetime(day.year, day.month, day.day, 12)  # noqa: DTZ001 - a day, not a moment
