"""The time at which a letter can go by its reader's settings, as pure functions."""

from datetime import datetime, time, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from app.mail.core.kind import Kind
from app.mail.core.letter import QUIET

__all__ = ["QUIET"]

SETTLING = timedelta(minutes=1)
"""How long news wait: one letter tells all news of a minute, and none that was overtaken."""
MARGIN = timedelta(hours=2)
"""The time to answer that is left, at least, when a letter that was put off comes."""


CHAT_EVERY = timedelta(hours=1)
"""Between emails with messages of one match; each has all messages since the last."""


class Reader(msgspec.Struct, frozen=True):
    """The settings and the habits of a player that a verdict depends on."""

    zone: str = "UTC"
    digest_hour: int = 8
    quiet_from: int | None = None
    quiet_to: int | None = None
    seen_at: datetime | None = None
    """When they last signed in, or marked what waits as seen."""
    shown: bool = False
    """A browser of theirs is notified of the turn, or shows it just now."""


class Now(msgspec.Struct, frozen=True):
    """The letter can go."""


class Later(msgspec.Struct, frozen=True):
    """It is decided again then. `reason` is one of `outbox.HELD`."""

    until: datetime
    reason: str


class InDigest(msgspec.Struct, frozen=True):
    """The digest of that moment replaces it."""

    at: datetime
    player_id: int = 0


class Never(msgspec.Struct, frozen=True):
    """It is dropped. `reason` is a word for the player's page."""

    reason: str


Verdict: TypeAlias = Now | Later | InDigest | Never


def when(
    kind: Kind,
    choice: str,
    reader: Reader,
    now: datetime,
    created_at: datetime,
    deadline: datetime | None,
    quiet: timedelta = QUIET,
) -> Verdict:
    """The verdict on a letter that was enqueued at `created_at`.

    `choice` is the reader's for this event in this match; `left` if they left the list. `deadline` is the one
    they must keep, if any; `quiet` is how long a turn waits, also for readers who want it at once where a
    browser shows it to them. Presence alone puts a letter off and never stops
    it. Acting stops it; signing in or marking it as seen does only for readers who want one letter a visit.
    """
    event = kind.event
    if choice == "left":
        return Never("left")
    if not kind.may_wait:
        return Now()
    if choice == "none" or (event == "turn" and choice == "reminders"):
        return Never("by_choice")
    if event == "turn" and choice in ("quiet", "digest") and seen(reader, created_at):
        return Never("seen")
    if choice == "digest":
        at = next_digest(reader, created_at)
        if not presses(deadline, at):
            return InDigest(at)
    waits = choice == "quiet" or (event == "turn" and reader.shown)
    wait = min(SETTLING, quiet) if kind.settles else quiet if waits else timedelta()
    if now < created_at + wait and not presses(deadline, created_at + wait):
        return Later(created_at + wait, "settling" if kind.settles else "quiet_minutes")
    end = quiet_until(reader, now)
    if end is not None and not presses(deadline, end):
        return Later(end, "quiet_hours")
    return Now()


def seen(reader: Reader, created_at: datetime) -> bool:
    """Whether the reader was here since the letter was enqueued."""
    return reader.seen_at is not None and reader.seen_at >= created_at


def next_digest(reader: Reader, after: datetime) -> datetime:
    """The next moment at which the reader's clock shows the hour of their digest."""
    return _next(reader, after, reader.digest_hour)


def quiet_until(reader: Reader, now: datetime) -> datetime | None:
    """End of the current quiet hours, or None."""
    begins, ends = reader.quiet_from, reader.quiet_to
    if begins is None or ends is None or begins == ends:
        return None
    hour = now.astimezone(ZoneInfo(reader.zone)).hour
    inside = begins <= hour < ends if begins < ends else not ends <= hour < begins
    return _next(reader, now, ends) if inside else None


def _next(reader: Reader, after: datetime, hour: int) -> datetime:
    """The first moment after that one at which it is that hour there, or would be: some days skip one."""
    zone = ZoneInfo(reader.zone)
    day = after.astimezone(zone).date()
    moments = (
        datetime.combine(day + timedelta(days=n), time(hour), zone).astimezone(after.tzinfo) for n in range(3)
    )
    return next(moment for moment in moments if moment > after)


def presses(deadline: datetime | None, until: datetime) -> bool:
    """Whether a letter that waits until then would leave less than MARGIN before the deadline."""
    return deadline is not None and deadline <= until + MARGIN
