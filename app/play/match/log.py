"""The log of a match: its plies, append only, and the truth from which every state can be made again."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from app.engine import codec
from app.engine.game import Addressed, Seat
from app.play.match.packing import pack, unpack
from app.store.connection import Connection
from app.store.sql import Command, Query

_AT_A_TIME = 100
"""Plies in a statement."""
_INSERT = """
    INSERT INTO played (match_id, ply, seat, move, source, source_key, told, packed, at, answers, typed)
    VALUES (:match_id, :ply, :seat, :move, :source, :source_key, '', :packed, :now, :answers, :typed)"""
_insert = Command(_INSERT)
_insert_and_look = Query(
    bool,
    f"""{_INSERT}
        RETURNING EXISTS (SELECT 1 FROM chair c
                          WHERE c.match_id = played.match_id AND c.until IS NULL AND c.orders
                            AND :known NOT LIKE '% ' || c.seat || ' %') AS more_orders""",  # noqa: S608
)


_bring = Command(
    """INSERT INTO played (match_id, ply, seat, move, source, told, packed, at)
       VALUES (:match_id, :ply, :seat, :move, :source, '', :packed, :at)"""
)


class Entry(msgspec.Struct, frozen=True):
    """One ply to be logged. `move` may be one of the system's: start, undo, resign."""

    seat: Seat | None
    move: str
    told: tuple[Addressed, ...] = ()


class Ply(msgspec.Struct, frozen=True):
    """One ply of the log."""

    ply: int
    seat: Seat | None
    move: str


class Keyed(msgspec.Struct, frozen=True):
    """The ply that was logged for a source key."""

    match_id: int
    ply: int
    seat: Seat | None
    move: str


class Answer(msgspec.Struct, frozen=True):
    """One ply of an answer."""

    seat: Seat
    move: str
    typed: str | None
    """At the first ply: a digest of the answer as typed, if that was not the log's notation."""


class _Stored(msgspec.Struct, frozen=True):
    ply: int
    seat: Seat | None
    move: str
    told: str
    packed: bytes | None
    at: datetime
    source: str

    def text(self, slug: str) -> str:
        """The events as JSON."""
        return self.told if self.packed is None else unpack(slug, self.packed)


class Logged(msgspec.Struct, frozen=True):
    """One ply of the log, with what was told of it."""

    ply: int
    seat: Seat | None
    move: str
    told: str
    at: datetime
    source: str
    """web, letter, bot, default, orders, clock, house, file (brought without its moment)."""


_plies = Query(
    Ply,
    """SELECT ply, seat, move FROM played
       WHERE match_id = :match_id AND ply > :after ORDER BY ply""",
)
_keyed = Query(Keyed, "SELECT match_id, ply, seat, move FROM played WHERE source_key = :source_key")
_answer = Query(
    Answer,
    """SELECT seat, move, typed FROM played
       WHERE match_id = :match_id AND ply > :after AND answers = :number ORDER BY ply""",
)
_logged = Query(
    _Stored,
    """SELECT ply, seat, move, told, packed, at, source FROM played
       WHERE match_id = :match_id AND ply > :after AND ply <= :until ORDER BY ply""",
)


class _Row(msgspec.Struct, frozen=True):
    ply: int
    seat: Seat | None
    move: str
    source_key: str | None
    packed: bytes
    typed: str | None


def write(
    connection: Connection,
    now: datetime,
    slug: str,
    match_id: int,
    ply: int,
    entries: Sequence[Entry],
    source: str,
    source_key: str | None = None,
    ordering: Collection[Seat] = (),
    answers: int | None = None,
    typed: str | None = None,
) -> bool:
    """Log the entries from this ply on; the key goes with the first. Raises Clash for a key that is there.

    `answers`: the number of the question that they answer; `typed`: a digest of the answer as it was typed.

    Returns whether a seat other than `ordering` has standing orders at this moment: where the database has
    several writers, one may have left them since the match was read.
    """
    rows = [
        _Row(
            ply + n,
            entry.seat,
            entry.move,
            None if n else source_key,
            pack(slug, codec.dump_told(entry.told)),
            None if n else typed,
        )
        for n, entry in enumerate(entries)
    ]
    same = {"match_id": match_id, "source": source, "now": now, "answers": answers}
    if connection.dialect.name == "sqlite":
        _insert.write(connection, rows, **same)
        return False
    return any(_insert_and_look.write(connection, rows, **same, known=f" {' '.join(ordering)} "))


class Brought(msgspec.Struct, frozen=True):
    """A ply of a match that was played elsewhere."""

    ply: int
    seat: Seat | None
    move: str
    told: tuple[Addressed, ...]
    source: str
    at: datetime


class _BroughtRow(msgspec.Struct, frozen=True):
    ply: int
    seat: Seat | None
    move: str
    source: str
    packed: bytes
    at: datetime


def bring(connection: Connection, slug: str, match_id: int, entries: Sequence[Brought]) -> None:
    """Log the plies of a match that has none, each with its own moment."""
    for start in range(0, len(entries), _AT_A_TIME):
        rows = [
            _BroughtRow(
                one.ply, one.seat, one.move, one.source, pack(slug, codec.dump_told(one.told)), one.at
            )
            for one in entries[start : start + _AT_A_TIME]
        ]
        _bring.write(connection, rows, match_id=match_id)


def plies(connection: Connection, match_id: int, after: int = -1) -> list[Ply]:
    """All plies behind `after`."""
    return _plies.all(connection, match_id=match_id, after=after)


def answer(connection: Connection, match_id: int, number: int, after: int) -> list[Answer]:
    """The plies behind `after` that answered a question, in order; none: it was closed without an answer."""
    return _answer.all(connection, match_id=match_id, number=number, after=after)


def of_key(connection: Connection, source_key: str) -> Keyed | None:
    """The ply that was logged for a source key, such as a letter's message id."""
    return _keyed.first(connection, source_key=source_key)


def told(connection: Connection, slug: str, match_id: int, after: int, until: int) -> list[Logged]:
    """The plies behind `after`, up to `until`, with what was told of them."""
    rows = _logged.all(connection, match_id=match_id, after=after, until=until)
    return [Logged(one.ply, one.seat, one.move, one.text(slug), one.at, one.source) for one in rows]
