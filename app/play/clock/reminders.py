"""Reminders of a deadline: as a player writes them, and the moments that follow from them. Pure."""

import re
from datetime import datetime, timedelta

from app.people.errors import Refused
from app.play.clock import rules
from app.play.clock.rules import Calendar

DEFAULT = "50% 80%"
MOST = 4

Offset = float | timedelta
"""A reminder: at a share of the time, or so much counted time before the deadline."""
_OFFSET = re.compile(r"(\d{1,4})(%|h|d)")


def moments(
    begun: datetime, allowed: timedelta, due: datetime | None, calendar: Calendar, offsets: tuple[Offset, ...]
) -> tuple[datetime, ...]:
    """The moments to remind at, earliest first: after the beginning and before the deadline `due`.

    Shares are of the counted time up to that deadline. One for more time ahead than there is has no effect.
    """
    if due is None:
        return ()
    whole = rules.spent(begun, due, calendar)
    if allowed < rules.FARTHEST:
        whole = max(allowed, whole)
    after = (whole - one if isinstance(one, timedelta) else whole * one for one in offsets)
    found = {rules.deadline(begun, span, calendar) for span in after}
    return tuple(sorted(at for at in found if at is not None and begun < at < due))


def read(text: str) -> tuple[Offset, ...]:
    """The reminders in a text such as "50% 80%", "24h" or "3d 12h"; "" is the default, "none" is none.

    Raises Refused("reminders") for all else, for a share not below the whole, and for more than four.
    """
    words = text.replace(",", " ").replace("\u066a", "%").replace("\uff05", "%").casefold().split()
    if words == ["none"]:
        return ()
    found: list[Offset] = []
    for word in words or DEFAULT.split():
        matched = _OFFSET.fullmatch(word)
        number = int(matched[1]) if matched else 0
        unit = matched[2] if matched else ""
        if not number or (unit == "%" and number > 99) or len(words) > MOST:
            raise Refused("reminders", text=text[:40], most=MOST)
        found.append(number / 100 if unit == "%" else timedelta(hours=number * (24 if unit == "d" else 1)))
    return tuple(found)


def check(text: str) -> str:
    """The text as it is stored. Raises Refused("reminders")."""
    wishes = read(text)
    if not text.strip():
        return ""
    kept = (
        f"{wish.total_seconds() / rules.HOUR:.0f}h" if isinstance(wish, timedelta) else f"{wish * 100:.0f}%"
        for wish in wishes
    )
    return " ".join(dict.fromkeys(kept)) or "none"
