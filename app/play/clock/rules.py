"""The law of the clock: how much time has counted, and when it is up. Pure; moments are returned in UTC.

Time counts except on weekdays off, which are whole local days in the zone of the player whose clock runs,
and while a stop lasts: a pause, an absence, an outage. A day is a day of the clock on the player's wall, so
that three days from Friday at eight end on Monday at eight, also where the clocks change in between. Spans of
less than a day are elapsed time. Reminders and deadlines come from the same walk.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from heapq import merge

import msgspec

from app.graphemes import cut
from app.people.errors import Refused
from app.play.clock import wall
from app.play.clock.wall import zone_of

HOUR, DAY = 3600, 86400
KINDS = ("none", "per_move", "bank")
THENS = ("default", "bot", "replace", "lose")
LEAST, MOST_MOVE, MOST_BANK, MOST_GRACE = HOUR, 90 * DAY, 180 * DAY, 30 * DAY
"""Seconds."""
FARTHEST = timedelta(days=36525)
"""A deadline farther off does not exist."""
NO_TIME = timedelta(0)
ONE_DAY = timedelta(days=1)
WEEK = frozenset(range(7))


class Rule(msgspec.Struct, frozen=True):
    """The time limit of a match: chosen with its settings, stored as JSON. Spans are in seconds."""

    kind: str = "none"
    """none, per_move, bank."""
    per_move: int = 0
    """For each turn, which is an unbroken row of questions."""
    bank: int = 0
    """The bank at the start; a turn may use all of it."""
    increment: int = 0
    """Added to the bank after each turn."""
    cap: int = 0
    """The most that the bank holds."""
    off: tuple[int, ...] = ()
    """Weekdays that do not count, 0 = Monday."""
    grace: int = 0
    """The grace period after a deadline."""
    then: str = "default"
    """The consequence: default (move), bot (plays this turn), replace (others may take the seat), lose."""

    def allowance(self, bank_left: float | None) -> timedelta:
        """The time of a turn that begins; `bank_left` in seconds, None: the bank is untouched.

        Without a clock `timedelta.max`, from which no deadline follows.
        """
        if self.kind == "per_move":
            return timedelta(seconds=self.per_move)
        if self.kind == "bank":
            return timedelta(seconds=self.bank if bank_left is None else bank_left)
        return timedelta.max

    @property
    def full_move(self) -> timedelta:
        """The least time for a player who takes over a seat; with a bank its increment, at least a day."""
        if self.kind == "bank":
            return timedelta(seconds=max(self.increment, min(self.bank, DAY)))
        return timedelta(seconds=self.per_move)


class Stop(msgspec.Struct, frozen=True):
    """A time in which clocks stand still, from its beginning until just before its end."""

    begins: datetime
    """Its first moment."""
    ends: datetime | None = None
    """None: open-ended."""


class Calendar(msgspec.Struct, frozen=True):
    """The times that do not count. Stops may overlap and come in any order."""

    zone: str = "UTC"
    """An unknown zone counts as UTC: zones are checked where they are entered."""
    off: tuple[int, ...] = ()
    stops: tuple[Stop, ...] = ()
    by_wall: bool = True
    """A day is one of the clock on the wall; otherwise 24 hours, as for spans of less than a day."""

    def counting(self, span: timedelta) -> "Calendar":
        """The calendar as it counts a turn, or a grace period, of this length."""
        return msgspec.structs.replace(self, by_wall=span >= ONE_DAY)


def spent(begins: datetime, ends: datetime, calendar: Calendar) -> timedelta:
    """The counted time between two moments; zero if the end is not after the beginning."""
    counted, at = NO_TIME, begins
    for since, until in _still(begins, calendar):
        if since >= ends:
            break
        counted += _gone(at, max(since, at), begins, calendar)
        if until is None or until >= ends:
            return counted
        at = until
    return counted + _gone(at, ends, begins, calendar, stops=False)


def deadline(
    begun: datetime, allowed: timedelta, calendar: Calendar, announced: datetime | None = None
) -> datetime | None:
    """The moment when the allowed time is up; never before an announced deadline.

    None: a stop without an end, or seven weekdays off, come first. An announced deadline that lies inside
    stopped time moves to where time counts again.
    """
    due = _up(begun.astimezone(UTC), max(allowed, NO_TIME), calendar)
    if due is None or announced is None or announced <= due:
        return due
    still = standing_still(announced, calendar)
    if still is not None and still.begins < announced:
        return still.ends
    return announced.astimezone(UTC)


def left(now: datetime, due: datetime | None, calendar: Calendar) -> timedelta:
    """The counted time until the deadline; `timedelta.max` if there is none. It never grows while it runs.

    What a clock that stands still for an unknown time has left, `time_left` tells.
    """
    return timedelta.max if due is None else spent(now, due, calendar)


def time_left(
    now: datetime,
    begun: datetime,
    allowed: timedelta,
    calendar: Calendar,
    announced: datetime | None = None,
) -> timedelta:
    """The counted time left; an open-ended stop that has begun counts as if it ended now."""
    stops = tuple(
        Stop(stop.begins, now) if stop.ends is None and stop.begins <= now else stop
        for stop in calendar.stops
    )
    closed = msgspec.structs.replace(calendar, stops=stops)
    return left(now, deadline(begun, allowed, closed, announced), closed)


def open_ended(stops: Iterable[Stop]) -> bool:
    """Whether one of the stops is open-ended."""
    return any(stop.ends is None for stop in stops)


def standing_still(now: datetime, calendar: Calendar) -> Stop | None:
    """The stretch of stopped time around a moment, even if made of several stops; or None."""
    for since, until in _still(now, calendar):
        return Stop(since, until) if since <= now else None
    return None


def bank_after(rule: Rule, bank: float | None, allowed: timedelta, used: timedelta) -> float:
    """The bank in seconds after a turn.

    What a turn may take beyond the bank, by an extension or because a deadline was announced, is for that
    turn alone: what it leaves of that is not kept.
    """
    left = min(allowed, rule.allowance(bank)) - used
    return min(float(rule.cap), max(left, NO_TIME).total_seconds() + rule.increment)


def check_rule(rule: Rule) -> Rule:
    """The checked rule: weekdays in order, without values that its kind does not use.

    Raises Refused: "clock_kind", "clock_days", "clock_bank", "clock_increment", "clock_cap",
    "clock_weekdays", "clock_grace", "clock_then". The facts of spans are in seconds: given, least, most.
    """
    if rule.kind not in KINDS:
        raise Refused("clock_kind", kind=cut(rule.kind, 40))
    if rule.kind == "none":
        return Rule()
    off = tuple(sorted(set(rule.off)))
    if len(off) > 6 or not WEEK.issuperset(off):
        raise Refused("clock_weekdays")
    if rule.then not in THENS:
        raise Refused("clock_then", then=cut(rule.then, 40))
    _within("clock_grace", rule.grace, 0, MOST_GRACE)
    if rule.kind == "per_move":
        _within("clock_days", rule.per_move, LEAST, MOST_MOVE)
        return Rule("per_move", per_move=rule.per_move, off=off, grace=rule.grace, then=rule.then)
    _within("clock_bank", rule.bank, LEAST, MOST_BANK)
    _within("clock_increment", rule.increment, LEAST, MOST_MOVE)
    _within("clock_cap", rule.cap, rule.bank, MOST_BANK)
    return Rule(
        "bank",
        bank=rule.bank,
        increment=rule.increment,
        cap=rule.cap,
        off=off,
        grace=rule.grace,
        then=rule.then,
    )


def _within(reason: str, given: int, least: int, most: int) -> None:
    if not least <= given <= most:
        raise Refused(reason, given=given, least=least, most=most)


def _up(begun: datetime, rest: timedelta, calendar: Calendar) -> datetime | None:
    """The earliest moment by which so much time has counted; None: never, or too far off."""
    at = begun
    for since, until in _still(begun, calendar):
        running = _gone(at, since, begun, calendar)
        if running >= rest:
            break
        if until is None or until - begun > FARTHEST:
            return None
        rest -= running
        at = until
    if rest > FARTHEST - (at - begun):
        return None
    return wall.moment(calendar.zone, at, rest, begun) if calendar.by_wall and rest else at + rest


def _gone(
    begins: datetime, ends: datetime, since: datetime, calendar: Calendar, *, stops: bool = True
) -> timedelta:
    """The time of a stretch between stops, in a count that began at `since`; none if it ends before."""
    if ends <= begins:
        return NO_TIME
    return wall.gone(calendar.zone, begins, ends, since, stops=stops) if calendar.by_wall else ends - begins


def _still(begins: datetime, calendar: Calendar) -> Iterator[tuple[datetime, datetime | None]]:
    """The stretches of stopped time that end after a moment, in order, merged where they touch."""
    if not calendar.stops and not calendar.off:
        return  # most clocks never stop
    since: datetime | None = None
    until: datetime | None = None
    for begun, ended in merge(_stops(begins, calendar), _days_off(begins, calendar), key=_begin):
        if since is None:
            since, until = begun, ended
        elif until is None:
            break
        elif begun > until:
            yield since, until
            since, until = begun, ended
        else:
            until = None if ended is None else max(until, ended)
    if since is not None:
        yield since, until


def _begin(stretch: tuple[datetime, datetime | None]) -> datetime:
    return stretch[0]


def _stops(begins: datetime, calendar: Calendar) -> list[tuple[datetime, datetime | None]]:
    return sorted(
        (
            (stop.begins, stop.ends)
            for stop in calendar.stops
            if stop.ends is None or begins < stop.ends > stop.begins
        ),
        key=_begin,
    )


def _days_off(begins: datetime, calendar: Calendar) -> Iterator[tuple[datetime, datetime | None]]:
    """The endless series of days off that end after a moment, each from midnight to midnight."""
    off = WEEK.intersection(calendar.off)
    if len(off) > 6:
        yield begins, None
    if not off or len(off) > 6:
        return
    # A day earlier, because clocks that go back over midnight show the day before once more.
    day = begins.astimezone(zone_of(calendar.zone)).toordinal() - 1
    while day < date.max.toordinal() - 14:
        while (day - 1) % 7 not in off:
            day += 1
        first = day
        while (day - 1) % 7 in off:
            day += 1
        since, until = _midnight(calendar.zone, first), _midnight(calendar.zone, day)
        if begins < until > since:
            yield since, until


@lru_cache(maxsize=8192)
def _midnight(zone: str, day: int) -> datetime:
    """The beginning of a local day: the first of two midnights, or the jump over a missing one."""
    return datetime.combine(date.fromordinal(day), time.min, zone_of(zone)).astimezone(UTC)
