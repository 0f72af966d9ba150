"""Reminders of a deadline: as a player writes them, and the moments that follow from them. Pure."""

import re
from datetime import datetime, timedelta
from functools import lru_cache

import msgspec

from app.engine.reading import one_form
from app.graphemes import cut
from app.people.errors import Refused
from app.play.clock import rules
from app.play.clock.rules import Calendar

DEFAULT = "50% 80%"
MOST = 4

Offset = float | timedelta
"""A reminder: at a share of the time, or so much counted time before the deadline."""
_OFFSET = re.compile(r"(\d{1,4})(%|h|d)")
_UNITS = {
    "h": re.compile(r"(?<=\d)\s*(?:小时|小時|時間|ساعت)"),
    "d": re.compile(r"(?<=\d)\s*(?:天|日間?|روز)"),
}
"""Hours and days in other languages."""
_NONE = frozenset(("无", "無", "不要", "なし", "هیچ"))


class Reminder(msgspec.Struct, frozen=True, order=True):
    """A moment to remind at, and the offset that it follows from, as `check` writes it."""

    at: datetime
    offset: str


def moments(
    begun: datetime, allowed: timedelta, due: datetime | None, calendar: Calendar, offsets: tuple[Offset, ...]
) -> tuple[datetime, ...]:
    """The moments to remind at, earliest first: after the beginning and before the deadline `due`."""
    return tuple(dict.fromkeys(one.at for one in schedule(begun, allowed, due, calendar, offsets)))


def schedule(
    begun: datetime,
    allowed: timedelta,
    due: datetime | None,
    calendar: Calendar,
    offsets: tuple[Offset, ...],
    reminded: str = "",
) -> tuple[Reminder, ...]:
    """The reminders of a turn that have not come yet (`reminded`: those that have), earliest first.

    Shares are of the counted time up to the deadline. One for more time ahead than there is has no effect.
    """
    if due is None:
        return ()
    whole = rules.spent(begun, due, calendar)
    if allowed < rules.FARTHEST:
        whole = max(allowed, whole)
    come = reminded.split()
    found = []
    for one in offsets:
        after = whole - one if isinstance(one, timedelta) else whole * one
        at = rules.deadline(begun, after, calendar)
        if at is not None and begun < at < due and written(one) not in come:
            found.append(Reminder(at, written(one)))
    return tuple(sorted(found))


def written(offset: Offset) -> str:
    """The offset as it is stored, such as "50%" or "24h"."""
    if isinstance(offset, timedelta):
        return f"{offset.total_seconds() / rules.HOUR:.0f}h"
    return f"{offset * 100:.0f}%"


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Offset, ...]:
    """The reminders in a text such as "50% 80%", "24h" or "3d 12h"; "" is the default, "none" is none.

    Raises Refused("reminders") for all else, for a share not below the whole, and for more than four.
    """
    plain = one_form(text).replace(",", " ").replace("\u066a", "%").casefold()
    for unit, theirs in _UNITS.items():
        plain = theirs.sub(unit, plain)
    words = plain.split()
    if words == ["none"] or (len(words) == 1 and words[0] in _NONE):
        return ()
    found: list[Offset] = []
    for word in words or DEFAULT.split():
        matched = _OFFSET.fullmatch(word)
        number = int(matched[1]) if matched else 0
        unit = matched[2] if matched else ""
        if not number or (unit == "%" and number > 99) or len(words) > MOST:
            raise Refused("reminders", text=cut(text, 40), most=MOST)
        found.append(number / 100 if unit == "%" else timedelta(hours=number * (24 if unit == "d" else 1)))
    return tuple(found)


def check(text: str) -> str:
    """The text as it is stored. Raises Refused("reminders")."""
    wishes = read(text)
    if not text.strip():
        return ""
    return " ".join(dict.fromkeys(written(wish) for wish in wishes)) or "none"
