"""Notices: the public log of a match beside its moves, with one entry for each occasion."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from app.engine import codec
from app.engine.game import Seat
from app.play.match import matches
from app.play.match.records import Notice
from app.play.match.snapshot import MatchSnapshot
from app.store.connection import Connection
from app.store.sql import Command, Query

__all__ = ["count_since", "last", "said_since", "tell", "told", "told_once", "touch"]

_insert = Command(
    """INSERT INTO notice (match_id, ply, what, seat, by_seat, facts, once, at)
       SELECT id, ply, :what, :seat, :by_seat, :facts, :once, :now FROM "match" WHERE id = :match_id
       ON CONFLICT (once) DO NOTHING"""
)
_told = Query(
    Notice,
    """SELECT id AS notice_id, ply, what, seat, by_seat, facts, at FROM notice
       WHERE match_id = :match_id AND ply >= :since AND ply <= :until ORDER BY id""",
)
_last = Query(int, "SELECT COALESCE(MAX(id), 0) AS id FROM notice WHERE match_id = :match_id")
_told_once = Query(bool, "SELECT EXISTS (SELECT 1 FROM notice WHERE once = :once) AS told")
_said = Query(
    int,
    """SELECT count(*) AS said FROM notice
       WHERE match_id = :match_id AND by_seat = :seat AND what = 'said' AND at > :since""",
)
_count = Query(
    int,
    "SELECT count(*) AS told FROM notice WHERE match_id = :match_id AND what = :what AND at > :since",
)
_bring = Command(
    """INSERT INTO notice (match_id, ply, what, seat, by_seat, facts, at)
       VALUES (:match_id, :ply, :what, :seat, :by_seat, :facts, :at)"""
)
_AT_A_TIME = 100
"""Notices in a statement."""
_delete_of_match = Command("DELETE FROM notice WHERE match_id = :match_id")


def tell(
    connection: Connection,
    now: datetime,
    match_id: int,
    what: str,
    *,
    seat: Seat | None = None,
    by_seat: Seat | None = None,
    once: str | None = None,
    **facts: Any,
) -> bool:
    """Write a notice. False: the occasion was told before, and nothing changed.

    `once` names the occasion within the match. Moments among the facts become text.
    """
    new = _insert.run(
        connection,
        what=what,
        seat=seat,
        by_seat=by_seat,
        facts=codec.dumps(facts),
        once=_key(match_id, once),
        now=now,
        match_id=match_id,
    )
    if new:
        touch(connection, match_id)
    return bool(new)


class Brought(msgspec.Struct, frozen=True):
    """A notice of a match that was played elsewhere."""

    ply: int
    what: str
    seat: Seat | None
    by_seat: Seat | None
    facts: str
    """JSON."""
    at: datetime


def bring(connection: Connection, match_id: int, entries: Sequence[Brought]) -> None:
    """Write the notices of a match that has none, each with its own moment."""
    for start in range(0, len(entries), _AT_A_TIME):
        _bring.write(connection, entries[start : start + _AT_A_TIME], match_id=match_id)


def _key(match_id: int, once: str | None) -> str | None:
    return None if once is None else f"{match_id}:{once}"


touch = matches.touch


def told(connection: Connection, match: MatchSnapshot, since: int, until: int) -> tuple[Notice, ...]:
    """The notices written after these plies, oldest first."""
    if not match.news:
        return ()
    return tuple(_told.all(connection, match_id=match.match_id, since=since, until=until))


def told_once(connection: Connection, match_id: int, once: str) -> bool:
    """Whether the occasion was told."""
    return _told_once.one(connection, once=_key(match_id, once))


def said_since(connection: Connection, match_id: int, seat: Seat, since: datetime) -> int:
    """How many messages the seat's player has written since then."""
    return _said.one(connection, match_id=match_id, seat=seat, since=since)


def count_since(connection: Connection, match_id: int, what: str, since: datetime) -> int:
    """How many notices of a kind the match has had since then."""
    return _count.one(connection, match_id=match_id, what=what, since=since)


def last(connection: Connection, match_id: int) -> int:
    """The number of the match's last notice, or 0."""
    return _last.one(connection, match_id=match_id)


def delete_of_match(connection: Connection, match_id: int) -> None:
    """Delete the notices of a match that never began."""
    _delete_of_match.run(connection, match_id=match_id)
