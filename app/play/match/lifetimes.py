"""How long invitations, offers of seats and requests for seats last, by the law of all clocks."""

from datetime import datetime, timedelta

from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop

LIFETIME = timedelta(days=14)
ASKING = timedelta(days=1)
"""How long an address has to confirm that it wants to join a game."""
REMIND_AFTER = timedelta(days=3)
SLACK = timedelta(hours=3)
"""By so much days of a guest's clock can differ from 24 hours."""


LOOK_EVERY = timedelta(hours=6)
"""How often a request for a seat is looked at."""


def first_look(asked: datetime) -> datetime:
    """When a new request for a seat is looked at first."""
    return asked + LOOK_EVERY


def first_end(begun: datetime, zone: str | None = None) -> datetime:
    """The end of an invitation that begins, as far as can be seen."""
    return ends(begun, zone, (), None) or begun + LIFETIME


def ends(
    begun: datetime,
    zone: str | None,
    stops: tuple[Stop, ...],
    known: datetime | None,
    lasts: timedelta = LIFETIME,
) -> datetime | None:
    """When an invitation ends: days of its guest's clock, in which all clocks don't stand still.

    Never before `known`, the end as it was worked out last. None: all clocks stand still with no end known.
    """
    return rules.deadline(begun, lasts, _calendar(zone, stops), known)


def reminds(begun: datetime, zone: str | None, stops: tuple[Stop, ...]) -> datetime | None:
    """When its guest is reminded, or None as for `ends`."""
    return rules.deadline(begun, REMIND_AFTER, _calendar(zone, stops))


def over(
    begun: datetime | None, zone: str | None, stops: tuple[Stop, ...], known: datetime | None, now: datetime
) -> bool:
    """Whether an invitation has ended, though no sweep may have marked it yet."""
    if begun is None or known is None or known > now:
        return False
    due = ends(begun, zone, stops, known)
    return due is not None and due <= now


def _calendar(zone: str | None, stops: tuple[Stop, ...]) -> Calendar:
    return Calendar(zone or "UTC", stops=stops)
