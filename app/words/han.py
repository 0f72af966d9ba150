"""Numbers, lists, durations and moments of Chinese and Japanese."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from babel.dates import get_day_names
from babel.units import format_unit
from markupsafe import Markup

from app.words.formatting import Formats, hours, parts_of, zone_of

_GAP = re.compile(
    r"(?<=[。！？」』）])((?:</\w+>)*)[ ]+((?:<\w+[^>]*>)*)(?!https?:)(?=[\u2066-\u2068]?[\w「『（])"
)
"""White space, and tags around it, between a wide mark and a wide character."""


def closed_up(text: str) -> str:
    """The text or markup without spaces behind its wide full stops, which have room of their own."""
    return _GAP.sub(r"\1\2", text)


class HanFormats(Formats):
    """Chinese and Japanese: wide brackets, and no space where a character that is wide ends a date."""

    joint, colon, comma = "", "：", "、"
    between = "、"
    pause = "，"
    """Between a zone's name and its distance."""

    def together(self, sentences: Iterable[str]) -> str:
        """Whole sentences behind each other, without spaces: a wide full stop has room of its own."""
        return closed_up(super().together(sentences))

    def moment(self, moment: datetime) -> str:
        """Weekday, date, time and time zone."""
        return f"{self._at(self.day(moment.date()), moment)}（{zone_of(moment, self.pause)}）"

    def short_moment(self, moment: datetime) -> str:
        """Weekday, day and time, for lists: 3月2日（周一）09:30."""
        day, weekday = self.short_day(moment.date()), moment.weekday()
        return self._at(f"{day}（{get_day_names('abbreviated', 'format', self.locale)[weekday]}）", moment)

    def _at(self, day: str, moment: datetime) -> str:
        return f"{day}{self.time(moment)}" if day.endswith("）") else f"{day} {self.time(moment)}"


class ChineseFormats(HanFormats):
    """Chinese: a space between its characters and Latin letters or digits, but none within a date."""

    def duration(self, seconds: float, units: int = 2) -> str:
        """A duration in its largest units: 2 天 3 小时."""
        return " ".join(
            f"{self.number(count)} {_unit(format_unit(count, f'duration-{unit}', locale=self.locale))}"
            for unit, count in parts_of(int(seconds), units)
        )

    def _list(self, items: list[str], style: Literal["standard", "or"]) -> str:
        """The items with a space between the word before the last and Latin letters or digits beside it."""
        if len(items) < 2:
            return "".join(items)
        word = {"standard": "和", "or": "或"}[style]
        before, after = (" " if _narrow(one) else "" for one in (_bare(items[-2])[-1:], _bare(items[-1])[:1]))
        return f"{'、'.join(items[:-1])}{before}{word}{after}{items[-1]}"


class JapaneseFormats(HanFormats):
    """Japanese: no spaces, and hours without a leading zero."""

    pause = "、"

    def time(self, moment: datetime) -> str:
        """The time of day: 9:30."""
        return hours(moment)

    def duration(self, seconds: float, units: int = 2) -> str:
        """A duration in its largest units: 2日3時間."""
        return "".join(
            f"{self.number(count)}{_unit(format_unit(count, f'duration-{unit}', locale=self.locale))}"
            for unit, count in parts_of(int(seconds), units)
        )

    def _list(self, items: list[str], style: Literal["standard", "or"]) -> str:
        if style == "standard" or len(items) < 2:
            return "、".join(items)
        return f"{'、'.join(items[:-1])}または{items[-1]}"


def _narrow(character: str) -> bool:
    """Whether it is a Latin letter, a digit or a sign beside which Chinese has a space."""
    return character.isascii() and character.isalnum()


def _bare(text: str) -> str:
    """The text of markup, and any other text as it is."""
    return text.striptags() if isinstance(text, Markup) else text


def _unit(measured: str) -> str:
    """A unit without its count."""
    return measured.lstrip("0123456789,. ")
