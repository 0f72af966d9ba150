"""Numbers, lists, durations and moments of Persian, and the isolation of what reads from left to right."""

from datetime import date, datetime
from typing import Literal

from babel.dates import format_skeleton
from markupsafe import Markup
from persiantools import digits
from persiantools.jdatetime import MONTH_NAMES_FA, JalaliDate

from app.words.formatting import Formats, at_noon, decimal, hours, zone_abbreviation

LRI, FSI, PDI, RLM = "\u2066", "\u2068", "\u2069", "\u200f"
"""Begin a text of its own, from left to right or as its first letter reads; end it; turn to the left."""
SEPARATORS = str.maketrans(",.", "٬٫")
"""Babel writes those of Latin digits."""


class JalaliFormats(Formats):
    """Persian: its own digits, and the Jalali calendar with the Gregorian date beside it in full dates.

    What reads from left to right is isolated by characters without width: they work in a page, in an
    attribute and in plain text alike, and are taken off what players type.
    """

    between = f"،{RLM} "
    pickers = False

    def digits(self, text: str) -> str:
        """The text in Persian digits."""
        return str(digits.en_to_fa(text))

    def number(self, number: float) -> str:
        """A number in prose, with the separators of Persian: ۱۲٬۳۴۵٫۵."""
        return self.digits(decimal(self, number).translate(SEPARATORS))

    def duration(self, seconds: float, units: int = 2) -> str:
        """A duration in its largest units, with the separators of Persian: ۱٬۰۹۵ روز."""
        return super().duration(seconds, units).translate(SEPARATORS)

    def ltr(self, text: object) -> str:
        """Notation or an address, isolated from left to right; markup stays markup, and nothing stays empty.

        What is isolated already stays as it is.
        """
        return _isolated(LRI, text)

    def bdi(self, name: object) -> str:
        """A name, isolated in the direction of its own script; otherwise as `ltr`."""
        return _isolated(FSI, name)

    def time(self, moment: datetime) -> str:
        """The time of day: ۹:۳۰."""
        return self.digits(hours(moment))

    def day(self, day: date) -> str:
        """The Jalali day in full, with the Gregorian one behind it."""
        gregorian = format_skeleton("yMMMMd", at_noon(day), locale=self.locale)
        return (
            f"{self.weekday(day.weekday())} {self.short_day(day, year=True)} ({self.digits(str(gregorian))})"
        )

    def short_day(self, day: date, *, year: bool = False) -> str:
        """The Jalali day."""
        jalali = JalaliDate(day)  # type: ignore[no-untyped-call]
        text = f"{jalali.day} {MONTH_NAMES_FA[jalali.month]}"
        return self.digits(f"{text} {jalali.year}" if year else text)

    def short_moment(self, moment: datetime) -> str:
        """Weekday, Jalali day and time."""
        return self._at(f"{self.weekday(moment.weekday())} {self.short_day(moment.date())}", moment)

    def dated_moment(self, moment: datetime) -> str:
        """Jalali date, time and zone."""
        day = self.short_day(moment.date(), year=True)
        return f"{self._at(day, moment)} ({self.ltr(zone_abbreviation(moment))})"

    def _at(self, day: str, moment: datetime) -> str:
        return f"{day}، ساعت {self.time(moment)}"

    def _list(self, items: list[str], style: Literal["standard", "or"]) -> str:
        """The items with the comma of Persian, which never turns round between two of Latin letters."""
        if len(items) < 2:
            return "".join(items)
        word = {"standard": "و", "or": "یا"}[style]
        return f"{f'،{RLM} '.join(items[:-1])} {word} {items[-1]}"


def _isolated(mark: str, text: object) -> str:
    if text is None or not str(text) or str(text)[0] in (LRI, FSI):
        return text if isinstance(text, str) else ""
    return f"{mark}{text}{PDI}" if not isinstance(text, Markup) else Markup("{}{}{}").format(mark, text, PDI)
