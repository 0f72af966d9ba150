"""The rows of questions: the one place that writes them.

A question is opened and closed with its match's ply (`replace`); in between only its clock changes, and
whether the server answers it first. Each seat has a row for each question that it is asked at once, and the
rows are used again.
"""

import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.engine.game import Asking, Seat
from app.play.clock.turn import UNTIMED, TurnClock
from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

_upsert = Command(
    """INSERT INTO question (match_id, seat, place, number, asks, about, run, optional, unmanned,
                             asked_at, begun_at, allowed, due_at, remind_at, late_at, announced_at,
                             zone, reminded, closed_at)
       VALUES (:match_id, :seat, :place, :number, :asks, :about, :turn, :optional, :automated,
               :now, :begun_at, :allowed, :due_at, :remind_at, :late_at, :announced_at,
               :zone, :reminded, :closed_at)
       ON CONFLICT (match_id, seat, place) DO UPDATE SET
           number = excluded.number, asks = excluded.asks, about = excluded.about, run = excluded.run,
           optional = excluded.optional, unmanned = excluded.unmanned, asked_at = excluded.asked_at,
           begun_at = excluded.begun_at, allowed = excluded.allowed, due_at = excluded.due_at,
           remind_at = excluded.remind_at, late_at = excluded.late_at, announced_at = excluded.announced_at,
           zone = excluded.zone, reminded = excluded.reminded, closed_at = excluded.closed_at"""
)
_clear = Command("DELETE FROM question WHERE match_id = :match_id")
_close_all = Command("UPDATE question SET closed_at = :now WHERE match_id = :match_id AND closed_at IS NULL")
_reopen = Command(
    """UPDATE question SET closed_at = NULL
       WHERE match_id = :match_id AND seat = :seat AND asks = :asks AND about = :about
         AND closed_at = (SELECT MAX(q.closed_at) FROM question q WHERE q.match_id = :match_id)"""
)
_set_clock = Command(
    """UPDATE question SET begun_at = :begun_at, allowed = :allowed, due_at = :due_at, remind_at = :remind_at,
                           late_at = :late_at, announced_at = :announced_at, zone = :zone,
                           reminded = :reminded
       WHERE match_id = :match_id AND number = :number AND closed_at IS NULL"""
)
_begin_grace = Command(
    """UPDATE question SET late_at = :now, due_at = :until, remind_at = NULL
       WHERE match_id = :match_id AND seat = :seat AND run = :turn
         AND closed_at IS NULL AND begun_at IS NOT NULL"""
)
_look_again = Command(
    """UPDATE question SET due_at = :at, remind_at = NULL
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL AND due_at IS NOT NULL"""
)
_look_again_at_all = Command(
    "UPDATE question SET due_at = :now WHERE closed_at IS NULL AND begun_at IS NOT NULL AND due_at IS NULL"
)
_forget = Command(
    """UPDATE question SET due_at = NULL, remind_at = NULL
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL"""
)
_remind = Command(
    """UPDATE question SET remind_at = :at, reminded = :reminded
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL AND remind_at IS NOT NULL"""
)
_give_up = Command(
    """UPDATE question SET unmanned = :automated, begun_at = NULL, due_at = NULL, remind_at = NULL
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL"""
)
_hand_over = Command(
    """UPDATE question SET run = :turn, unmanned = :automated
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL"""
)
_ask_player = Command(
    """UPDATE question SET unmanned = :automated
       WHERE match_id = :match_id AND number = :number
         AND closed_at IS NULL AND unmanned AND NOT optional"""
)


_ahead = Query(
    int, "SELECT number FROM question WHERE match_id = :match_id AND closed_at IS NULL AND unmanned"
)


class At(msgspec.Struct, frozen=True):
    """A seat of a match."""

    match_id: int
    seat: Seat


class Name(msgspec.Struct, frozen=True):
    """The name of a question, as forms give it."""

    match_id: int
    number: int

    def __str__(self) -> str:
        return f"{self.match_id}.{self.number}"

    @property
    def ply(self) -> int:
        """The ply that opened it."""
        return self.number // AT_ONCE


AT_ONCE = 100
"""More than are ever opened by one ply."""
_NAME = re.compile(r"([1-9][0-9]{0,9})\.([0-9]{1,12})", re.ASCII)
_EARLIER = re.compile("[0-9a-f]{32}")

_LOOKED_AT = "closed_at IS NULL AND look_at IS NOT NULL"
_automated = Query(
    Name,
    """SELECT match_id, number FROM question WHERE closed_at IS NULL AND unmanned AND NOT optional
       ORDER BY asked_at LIMIT :most""",
)
_due = Query(
    At,
    f"""SELECT match_id, seat FROM question
        WHERE {_LOOKED_AT} AND look_at <= :now AND due_at <= :now ORDER BY due_at LIMIT :most""",  # noqa: S608
)
_to_remind = Query(
    At,
    f"""SELECT match_id, seat FROM question
        WHERE {_LOOKED_AT} AND look_at <= :now AND remind_at <= :now
        ORDER BY remind_at LIMIT :most""",  # noqa: S608 - constants
)
_overdue = Query(
    int,
    f"""SELECT match_id FROM question
        WHERE {_LOOKED_AT} AND look_at < :before AND due_at < :before LIMIT :most""",  # noqa: S608 - constants
)
_in_grace = Query(
    int,
    f"""SELECT match_id FROM question WHERE {_LOOKED_AT} AND late_at IS NOT NULL LIMIT :most""",  # noqa: S608
)
_idle = Query(
    int,
    """SELECT match_id FROM question
       WHERE closed_at IS NULL AND unmanned AND NOT optional AND asked_at < :before LIMIT :most""",
)


class Change(msgspec.Struct, frozen=True):
    """A question to be opened, or (with `closed_at`) a row whose question is closed."""

    seat: Seat
    place: int
    number: int
    asks: str
    about: str
    turn: int
    """The ply at which the seat's turn began."""
    optional: bool
    automated: bool = False
    """The server answers first: for a bot, a player who resigned, or one who left standing orders."""
    clock: TurnClock = UNTIMED
    closed_at: datetime | None = None

    begun_at = property(lambda self: self.clock.begun_at)
    allowed = property(lambda self: self.clock.allowed)
    due_at = property(lambda self: self.clock.due_at)
    remind_at = property(lambda self: self.clock.remind_at)
    late_at = property(lambda self: self.clock.late_at)
    announced_at = property(lambda self: self.clock.announced_at)
    zone = property(lambda self: self.clock.zone)
    reminded = property(lambda self: self.clock.reminded)


def replace(connection: Connection, now: datetime, match_id: int, changes: Sequence[Change]) -> None:
    """Open new questions and close answered or outdated ones, by one statement."""
    _upsert.write(connection, changes, match_id=match_id, now=now)


def clear(connection: Connection, match_id: int) -> None:
    """Remove the rows of a match that is over."""
    _clear.run(connection, match_id=match_id)


def close_all(connection: Connection, now: datetime, match_id: int) -> None:
    """Close the questions of a match that goes on elsewhere; no sweep finds them then."""
    _close_all.run(connection, now=now, match_id=match_id)


def reopen(connection: Connection, match_id: int, asking: Sequence[Asking]) -> None:
    """Open again, as they were, those of these questions that were closed last."""
    for one in asking:
        _reopen.run(connection, match_id=match_id, seat=one.seat, asks=one.asks, about=one.about)


def named(text: str) -> Name | None:
    """The name that `Name` was written as, or None. The match need not exist."""
    found = _NAME.fullmatch(text)
    return Name(int(found[1]), int(found[2])) if found and is_key(int(found[1])) else None


def is_earlier(text: str) -> bool:
    """Whether it names a question as pages did that were opened before questions had numbers."""
    return _EARLIER.fullmatch(text) is not None


def set_clock(connection: Connection, name: Name, clock: TurnClock) -> None:
    """Announce another deadline and reminder of an open question."""
    _set_clock.run(connection, clock, name)


def begin_grace(
    connection: Connection, now: datetime, match_id: int, seat: Seat, turn: int, until: datetime | None
) -> None:
    """Keep that the deadline of a turn passed now, and until when the grace lasts."""
    _begin_grace.run(connection, now=now, until=until, match_id=match_id, seat=seat, turn=turn)


def look_again(connection: Connection, match_id: int, seat: Seat, at: datetime) -> None:
    """Let the sweep look at the seat's deadline again at that time."""
    _look_again.run(connection, match_id=match_id, seat=seat, at=at)


def look_again_at_all(connection: Connection, now: datetime) -> None:
    """Let the sweep work out every deadline that has no end known."""
    _look_again_at_all.run(connection, now=now)


def forget_deadline(connection: Connection, match_id: int, seat: Seat) -> None:
    """Remove the seat's deadline and reminder."""
    _forget.run(connection, match_id=match_id, seat=seat)


def set_reminder(
    connection: Connection, match_id: int, seat: Seat, at: datetime | None, reminded: str
) -> None:
    """Set when the seat is reminded next, and the reminders that have come. None: not any more."""
    _remind.run(connection, match_id=match_id, seat=seat, at=at, reminded=reminded)


def give_up(connection: Connection, match_id: int, seat: Seat) -> None:
    """Let the server answer for a seat whose player resigned; its clock stops."""
    _give_up.run(connection, match_id=match_id, seat=seat, automated=True)


def hand_over(connection: Connection, match_id: int, seat: Seat, turn: int) -> None:
    """Begin a new turn with the seat's open questions, for another player."""
    _hand_over.run(connection, match_id=match_id, seat=seat, turn=turn, automated=False)


def ask_player(connection: Connection, name: Name) -> bool:
    """Leave the answer to the player after all. False: it is closed, or theirs already."""
    return _ask_player.run(connection, name, automated=False) == 1


def automated(connection: Connection, most: int) -> list[Name]:
    """The questions that the server answers first, the oldest first."""
    return _automated.all(connection, most=most)


def answered_first(connection: Connection, match_id: int) -> list[int]:
    """The numbers of a match's open questions that the server answers first."""
    return _ahead.all(connection, match_id=match_id)


def due(connection: Connection, now: datetime, most: int) -> list[At]:
    """The seats whose announced deadline has passed, the earliest first."""
    return _due.all(connection, now=now, most=most)


def to_remind(connection: Connection, now: datetime, most: int) -> list[At]:
    """The seats that are to be reminded, the earliest first."""
    return _to_remind.all(connection, now=now, most=most)


def overdue(connection: Connection, before: datetime, most: int) -> list[int]:
    """The match of each announced deadline before a moment, `most` at most."""
    return _overdue.all(connection, before=before, most=most)


def in_grace(connection: Connection, most: int) -> list[int]:
    """The match of each turn whose deadline has passed and whose grace runs, `most` at most."""
    return _in_grace.all(connection, most=most)


def idle(connection: Connection, before: datetime, most: int) -> list[int]:
    """The match of each question for the server to answer that was asked before a moment, `most` at most."""
    return _idle.all(connection, before=before, most=most)
