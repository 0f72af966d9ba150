"""Absences of players: the calendar, the yearly limit, and the rows that keep them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from app.people.errors import NotFound, Refused
from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

MOST_DAYS = 30
"""Days of absence in a calendar year of the player's time zone. A day begun counts whole."""
FARTHEST = timedelta(days=366)
"""How far ahead an absence may end."""
DAY = timedelta(days=1)


class Absence(msgspec.Struct, frozen=True):
    """A player's absence, as it was entered."""

    absence_id: int
    begins: datetime
    ends: datetime
    cancelled_at: datetime | None
    zone: str
    """The player's time zone, in which the days are counted."""
    used_until: datetime | None = None
    """If cancelled: the end of the days that count as used, because a deadline keeps them."""

    @property
    def until(self) -> datetime:
        """The actual end, past or future."""
        return self.ends if self.cancelled_at is None else min(self.ends, self.cancelled_at)

    @property
    def first(self) -> date:
        """The first day."""
        return self.begins.astimezone(ZoneInfo(self.zone)).date()

    @property
    def last(self) -> date:
        """The last day."""
        return (self.ends - timedelta(microseconds=1)).astimezone(ZoneInfo(self.zone)).date()

    @property
    def days(self) -> frozenset[date]:
        """The days that count against the yearly limit.

        After a cancellation: the days until then, and those added to a deadline that stays where it is.
        """
        until = max(self.until, self.used_until or self.until)
        if until <= self.begins:
            return frozenset()
        last = (until - timedelta(microseconds=1)).astimezone(ZoneInfo(self.zone)).date()
        return frozenset(each_day(self.first, last))


class Span(msgspec.Struct, frozen=True):
    """An absence, by its beginning and its end."""

    begins: datetime
    ends: datetime


_of_player = Query(
    Absence,
    """SELECT a.id AS absence_id, a.begins, a.ends, a.cancelled_at, p.zone, a.used_until
       FROM absence a JOIN player p ON p.id = a.player_id
       WHERE a.player_id = :player_id ORDER BY a.begins, a.id""",
)
_insert = Query(
    int,
    """INSERT INTO absence (player_id, begins, ends, created_at) VALUES (:player_id, :begins, :ends, :now)
       RETURNING id""",
)
_cancel = Command("UPDATE absence SET cancelled_at = :now WHERE id = :absence_id AND cancelled_at IS NULL")
_use = Command("UPDATE absence SET used_until = :until WHERE id = :absence_id")
_zone = Query(str, "SELECT zone FROM player WHERE id = :player_id")
_set_stops = Command("UPDATE player SET away = :stops WHERE id = :player_id")
_forget = Command(
    """DELETE FROM absence WHERE id IN (SELECT id FROM absence
           WHERE ends < :before ORDER BY ends LIMIT :most)"""
)


def zone_of(connection: Connection, player_id: int) -> str:
    """The player's time zone. Raises NotFound."""
    zone = _zone.first(connection, player_id=player_id) if is_key(player_id) else None
    if zone is None:
        raise NotFound("player")
    return zone


def of_player(connection: Connection, player_id: int) -> tuple[Absence, ...]:
    """All absences of a player, past and cancelled ones too, the earliest first."""
    return tuple(_of_player.all(connection, player_id=player_id))


def insert(connection: Connection, now: datetime, player_id: int, begins: datetime, ends: datetime) -> int:
    """The id of a new absence."""
    return _insert.one(connection, player_id=player_id, begins=begins, ends=ends, now=now)


def cancel(connection: Connection, now: datetime, absence_id: int) -> bool:
    """Mark an absence as cancelled now. False: it was cancelled before."""
    return _cancel.run(connection, now=now, absence_id=absence_id) == 1


def set_used(connection: Connection, absence_id: int, until: datetime) -> None:
    """Store the end of the days that count as used after a cancellation."""
    _use.run(connection, until=until, absence_id=absence_id)


def set_stops(connection: Connection, player_id: int, stops: tuple[msgspec.Struct, ...]) -> None:
    """Store the periods in which the player's clocks stand still because of absences."""
    _set_stops.run(connection, stops=stops, player_id=player_id)


def bring(connection: Connection, now: datetime, player_id: int, spans: Iterable[Span]) -> None:
    """Write down absences that a new player had announced on another server."""
    kept = tuple(spans)
    for one in kept:
        insert(connection, now, player_id, one.begins, one.ends)
    set_stops(connection, player_id, kept)


def each_day(first: date, last: date) -> Iterator[date]:
    """The days from the first to the last, both included."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(ordinal)


def midnight(day: date, zone: str) -> datetime:
    """The moment at which a day begins in a time zone, in UTC."""
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


def today(now: datetime, zone: str) -> date:
    """The date of a moment in a time zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def left_in(year: int, known: Iterable[Absence]) -> int:
    """The days of absence that are left in a year."""
    taken = {day for one in known for day in one.days if day.year == year}
    return max(MOST_DAYS - len(taken), 0)


def check(first: date, last: date, now: date, known: Iterable[Absence]) -> None:
    """Raises Refused: "away_order", "away_past", "away_far", "away_overlap", "away_limit"."""
    if last < first:
        raise Refused("away_order", first=first, last=last)
    if first < now:
        raise Refused("away_past", first=first, today=now)
    if last > now + FARTHEST:
        raise Refused("away_far", last=last, latest=now + FARTHEST)
    known = tuple(known)
    for one in known:
        if one.cancelled_at is None and one.first <= last and first <= one.last:
            raise Refused("away_overlap", first=one.first, last=one.last)
    for year in range(first.year, last.year + 1):
        planned = {day for day in each_day(first, last) if day.year == year}
        left = left_in(year, known)
        added = len(planned - {day for one in known for day in one.days})
        if added > left:
            raise Refused("away_limit", year=year, left=left, most=MOST_DAYS, days=added)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete absences that ended before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
