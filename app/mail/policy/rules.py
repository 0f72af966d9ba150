"""When a letter may go, as its reader wants it: one pure function, asked before the letter is written."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import TypeAlias
from zoneinfo import ZoneInfo

import msgspec

QUIET = timedelta(minutes=10)
"""Who answers within them needs no letter."""
SETTLING = timedelta(minutes=1)
"""Of news: what happens in one minute is told at once, and what was overtaken not at all."""
MARGIN = timedelta(hours=2)
"""No letter is put off so long that less than this is left of the time to answer."""

EVENT_OF: Mapping[str, str] = {
    "asked": "turn",
    "reminder": "reminder",
    "nudge": "reminder",
    "late": "time_up",
    "timed_out": "time_up",
    "news": "news",
    "chat": "chat",
    "started": "started",
    "joined": "started",
    "over": "over",
    "digest": "digest",
    "invited": "invitation",
    "invitation_reminder": "invitation",
    "seat_offer": "invitation",
    "answered": "table",
    "expired": "table",
    "withdrawn": "table",
    "called_off": "table",
    "confirm": "account",
    "links": "account",
    "sign_in": "account",
    "address": "account",
    "address_changed": "account",
}
"""What each kind of letter tells of. A kind that is not here is an answer to its reader."""
MAY_WAIT = frozenset({"turn", "reminder", "time_up", "news", "chat", "started", "over"})
"""Events of whose letters the reader may choose the time, or the hours in which they come."""


class Reader(msgspec.Struct, frozen=True):
    """What the player's wishes depend on."""

    zone: str = "UTC"
    digest_hour: int = 8
    quiet_from: int | None = None
    quiet_to: int | None = None
    seen_at: datetime | None = None
    """When he last signed in or said that he had seen what waits."""


class Now(msgspec.Struct, frozen=True):
    """The letter may go."""


class Later(msgspec.Struct, frozen=True):
    """Not before then. `reason` is one of `outbox.HELD`."""

    until: datetime
    reason: str


class InDigest(msgspec.Struct, frozen=True):
    """The digest of that moment tells of it."""

    at: datetime
    player_id: int = 0


class Never(msgspec.Struct, frozen=True):
    """Not at all. `reason` is a word for the player's page."""

    reason: str


Verdict: TypeAlias = Now | Later | InDigest | Never


def event_of(kind: str) -> str:
    """What a kind of letter tells of; empty for an answer."""
    return EVENT_OF.get(kind, "")


def when(
    kind: str,
    choice: str,
    reader: Reader,
    now: datetime,
    created_at: datetime,
    deadline: datetime | None,
    quiet: timedelta = QUIET,
) -> Verdict:
    """When a letter may go that was asked for at `created_at`.

    `choice` is the reader's for this event in this match; `left` where he has left the list. `deadline` is
    what he must keep, if anything; `quiet` is how long a turn waits. Presence alone puts a letter off and
    never stops it: only acting does, signing in, or saying that one has seen, and those two only where the
    reader wants one letter a visit.
    """
    event = event_of(kind)
    if choice == "left":
        return Never("left")
    if event not in MAY_WAIT:
        return Now()
    if choice == "none" or (event == "turn" and choice == "reminders"):
        return Never("by_choice")
    if event == "turn" and choice in ("quiet", "digest") and seen(reader, created_at):
        return Never("seen")
    if choice == "digest":
        at = next_digest(reader, created_at)
        if not presses(deadline, at):
            return InDigest(at)
    settles = event in ("news", "chat")
    wait = min(SETTLING, quiet) if settles else quiet if choice == "quiet" else timedelta()
    if now < created_at + wait and not presses(deadline, created_at + wait):
        return Later(created_at + wait, "settling" if settles else "quiet_minutes")
    end = quiet_until(reader, now)
    if end is not None and not presses(deadline, end):
        return Later(end, "quiet_hours")
    return Now()


def seen(reader: Reader, created_at: datetime) -> bool:
    """Whether the reader has seen what the letter would tell him."""
    return reader.seen_at is not None and reader.seen_at >= created_at


def next_digest(reader: Reader, after: datetime) -> datetime:
    """The next moment at which the reader's clock shows the hour of his digest."""
    return _next(reader, after, reader.digest_hour)


def quiet_until(reader: Reader, now: datetime) -> datetime | None:
    """The end of the quiet hours that it is now; None where it is none."""
    begins, ends = reader.quiet_from, reader.quiet_to
    if begins is None or ends is None or begins == ends:
        return None
    hour = now.astimezone(ZoneInfo(reader.zone)).hour
    inside = begins <= hour < ends if begins < ends else not ends <= hour < begins
    return _next(reader, now, ends) if inside else None


def _next(reader: Reader, after: datetime, hour: int) -> datetime:
    """The first moment after that one at which it is that hour there, or would be: some days lack one."""
    zone = ZoneInfo(reader.zone)
    day = after.astimezone(zone).date()
    moments = (
        datetime.combine(day + timedelta(days=n), time(hour), zone).astimezone(after.tzinfo) for n in range(3)
    )
    return next(moment for moment in moments if moment > after)


def presses(deadline: datetime | None, until: datetime) -> bool:
    """Whether a letter that waits until then would come too late for the deadline."""
    return deadline is not None and deadline <= until + MARGIN
