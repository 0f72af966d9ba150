"""How long a pause may last: its players are asked every three weeks, and it ends after ninety days. Pure."""

from datetime import datetime, timedelta

from app.play.clock import rules
from app.play.clock.rules import Calendar

ASK_EVERY = timedelta(days=21)
LONGEST = timedelta(days=90)
NOTICE = timedelta(days=6)
"""A pause ends no sooner after its players were asked."""


def ends(begun: datetime, asked: datetime | None, calendar: Calendar) -> datetime | None:
    """When a pause ends by itself; None: all clocks stand still with no known end, and so does this one."""
    due = rules.deadline(begun, LONGEST, calendar)
    told = None if asked is None else rules.deadline(asked, NOTICE, calendar)
    return due if due is None or told is None else max(due, told)


def asks(begun: datetime, after: datetime | None, calendar: Calendar) -> datetime | None:
    """When its players are asked next, after they were asked at a moment (None: never yet)."""
    times = (rules.deadline(begun, ASK_EVERY * n, calendar) for n in range(1, LONGEST // ASK_EVERY + 1))
    return next((at for at in times if at is not None and (after is None or at > after)), None)
