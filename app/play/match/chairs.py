"""The rows of chairs, who sits on which seat from when until when: every change to them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.store.connection import Connection
from app.store.sql import Command, Query

_insert = Command(
    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply)
       VALUES (:match_id, :seat, :player_id, :bot, :name, :now, -1)"""
)
_succeed = Query(
    int,
    """INSERT INTO chair (match_id, seat, player_id, bot, name, since, heard_ply, bank, heard_notice)
       VALUES (:match_id, :seat, :player_id, :bot, '', :now, -1, :bank, :heard_notice) RETURNING id""",
)
_vacate = Command(
    """UPDATE chair SET until = :now, open_since = NULL, pause_wanted_at = NULL
       WHERE id = :chair_id AND until IS NULL AND open_since IS NOT NULL"""
)
_open = Command(
    """UPDATE chair SET open_since = :now
       WHERE id = :chair_id AND until IS NULL AND open_since IS NULL"""
)
_close = Command(
    """UPDATE chair SET open_since = NULL
       WHERE id = :chair_id AND until IS NULL AND open_since IS NOT NULL"""
)
_resign = Command("UPDATE chair SET resigned_at = :now, lost = :lost WHERE id = :chair_id")
_bank = Command("UPDATE chair SET bank = :bank WHERE id = :chair_id")
_credit = Command(
    """UPDATE chair SET credited = credited + :seconds, credited_until = :until WHERE id = :chair_id"""
)
_want_pause = Command("UPDATE chair SET pause_wanted_at = :at WHERE id = :chair_id")
_end_wishes = Command("UPDATE chair SET pause_wanted_at = NULL WHERE match_id = :match_id AND until IS NULL")
_see = Command("UPDATE chair SET seen_at = :now WHERE id = :chair_id")
_watch = Command("UPDATE chair SET watched_at = :now WHERE id = :chair_id")
_note = Command("UPDATE chair SET noted = noted + 1 WHERE id = :chair_id")
_note_all = Command("UPDATE chair SET noted = noted + 1 WHERE player_id = :player_id")
_mark_orders = Command("UPDATE chair SET noted = noted + 1, orders = :active WHERE id = :chair_id")
_OF_PLAYER = "match_id = :match_id AND player_id = :player_id AND until IS NULL"
_hear_ply = Command(f"UPDATE chair SET heard_ply = :ply WHERE {_OF_PLAYER} AND heard_ply < :ply")  # noqa: S608
_hear_notice = Command(
    f"UPDATE chair SET heard_notice = :notice WHERE {_OF_PLAYER} AND heard_notice < :notice"  # noqa: S608
)


class ToldSoFar(msgspec.Struct, frozen=True):
    """When a player's time on a seat began, and the last ply and notice that an email told of."""

    chair_id: int
    since: datetime
    heard_ply: int
    heard_notice: int


_bring = Command(
    """UPDATE chair SET since = :since, open_since = :open_since, bank = :bank, credited = :credited,
                        credited_until = :credited_until, heard_ply = :heard_ply, heard_notice = :heard_notice
       WHERE id = :chair_id"""
)
_heard = Query(
    ToldSoFar,
    """SELECT id AS chair_id, since, heard_ply, heard_notice FROM chair
       WHERE match_id = :match_id AND until IS NULL""",
)


class Brought(msgspec.Struct, frozen=True):
    """A player's time on a seat as it stood on another server."""

    since: datetime
    open_since: datetime | None
    bank: float | None
    credited: float
    credited_until: datetime | None
    heard_ply: int
    heard_notice: int


class Sitter(msgspec.Struct, frozen=True):
    """A player, or a bot with its name, on a seat of a match that starts."""

    seat: Seat
    player_id: int | None
    bot: bool
    name: str
    """Of a bot; empty for a person."""


class Former(msgspec.Struct, frozen=True):
    """A player who left a seat."""

    player_id: int
    seat: Seat


_former = Query(
    Former,
    """SELECT player_id, seat FROM chair
       WHERE match_id = :match_id AND until IS NOT NULL AND player_id IS NOT NULL ORDER BY id""",
)


class Spell(msgspec.Struct, frozen=True):
    """A player's time on a seat."""

    player_id: int | None
    seat: Seat
    since: datetime
    until: datetime | None


_spells = Query(
    Spell, "SELECT player_id, seat, since, until FROM chair WHERE match_id = :match_id ORDER BY id"
)


class PlayerSeat(msgspec.Struct, frozen=True):
    """A seat that a player holds in a running match."""

    match_id: int
    seat: Seat
    slug: str
    edition: int


_running_of = Query(
    PlayerSeat,
    """SELECT c.match_id, c.seat, m.game AS slug, m.edition
       FROM chair c JOIN "match" m ON m.id = c.match_id AND m.status = 'running'
       WHERE c.player_id = :player_id AND c.until IS NULL AND c.resigned_at IS NULL ORDER BY c.match_id""",
)
_timed = Query(
    int,
    """SELECT DISTINCT c.match_id FROM chair c
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat
           AND q.closed_at IS NULL AND q.begun_at IS NOT NULL
       WHERE c.player_id = :player_id AND c.until IS NULL ORDER BY c.match_id""",
)
_players = Query(
    int, "SELECT DISTINCT player_id FROM chair WHERE match_id = :match_id AND player_id IS NOT NULL"
)
_since = Query(datetime, "SELECT since FROM chair WHERE id = :chair_id")


def fill(connection: Connection, now: datetime, match_id: int, sitters: Sequence[Sitter]) -> None:
    """Seat the players of a match that starts."""
    _insert.write(connection, sitters, match_id=match_id, now=now)


def succeed(
    connection: Connection,
    now: datetime,
    match_id: int,
    seat: Seat,
    player_id: int,
    bank: float | None,
    heard_notice: int,
) -> int:
    """Seat a player in place of one who left; returns the chair's number. Raises Clash if it is taken.

    `heard_notice`: the last notice of the match, so that earlier ones are not told.
    """
    return _succeed.one(
        connection,
        match_id=match_id,
        seat=seat,
        player_id=player_id,
        bot=False,
        now=now,
        bank=bank,
        heard_notice=heard_notice,
    )


def bring(connection: Connection, chair_id: int, brought: Brought) -> None:
    """Let a player's time on a seat go on as it was on another server."""
    _bring.run(connection, brought, chair_id=chair_id)


def heard(connection: Connection, match_id: int) -> dict[int, ToldSoFar]:
    """For each chair of a match whose time has not ended, what emails told it of."""
    return {one.chair_id: one for one in _heard.all(connection, match_id=match_id)}


def vacate(connection: Connection, now: datetime, chair_id: int) -> bool:
    """End a player's time on a seat that looks for another. False: it no longer does."""
    return _vacate.run(connection, now=now, chair_id=chair_id) == 1


def open_seat(connection: Connection, now: datetime, chair_id: int) -> bool:
    """Let others take the seat. False: they already can."""
    return _open.run(connection, now=now, chair_id=chair_id) == 1


def close_seat(connection: Connection, chair_id: int) -> bool:
    """Let nobody else take the seat. False: nobody could."""
    return _close.run(connection, chair_id=chair_id) == 1


def resign(connection: Connection, now: datetime, chair_id: int, *, lost: bool) -> None:
    """Mark the seat as given up; `lost`: by the clock."""
    _resign.run(connection, now=now, lost=lost, chair_id=chair_id)


def set_bank(connection: Connection, chair_id: int, bank: float) -> None:
    """Keep the thinking time that is left, in seconds."""
    _bank.run(connection, bank=bank, chair_id=chair_id)


def credit(connection: Connection, chair_id: int, seconds: float, until: datetime) -> None:
    """Count time given back to the player's clock, which could not be used until a moment."""
    _credit.run(connection, chair_id=chair_id, seconds=seconds, until=until)


def want_pause(connection: Connection, chair_id: int, at: datetime | None) -> None:
    """Keep since when the player wants a pause; None: not any more."""
    _want_pause.run(connection, at=at, chair_id=chair_id)


def end_pause_wishes(connection: Connection, match_id: int) -> None:
    """Forget all wishes for a pause."""
    _end_wishes.run(connection, match_id=match_id)


def see(connection: Connection, now: datetime, chair_id: int) -> None:
    """Keep that the player has seen what waits for the seat."""
    _see.run(connection, now=now, chair_id=chair_id)


def watch(connection: Connection, now: datetime, chair_id: int) -> None:
    """Keep that a visible page of the seat looks for news."""
    _watch.run(connection, now=now, chair_id=chair_id)


def touch_notes(connection: Connection, chair_id: int) -> None:
    """Count a change of the player's own notes, so that their page is made again."""
    _note.run(connection, chair_id=chair_id)


def touch_all_notes(connection: Connection, player_id: int) -> None:
    """Have the player's own pages of all matches made again, because they hear from fewer or more people."""
    _note_all.run(connection, player_id=player_id)


def mark_orders(connection: Connection, chair_id: int, *, active: bool) -> None:
    """Keep whether any standing orders are active, and count the change, so that the page is made again."""
    _mark_orders.run(connection, active=active, chair_id=chair_id)


def hear(connection: Connection, match_id: int, player_id: int, ply: int | None, notice: int | None) -> None:
    """Keep the last ply and the last notice that an email told the player of. None: it told of none."""
    if ply is not None:
        _hear_ply.run(connection, match_id=match_id, player_id=player_id, ply=ply)
    if notice is not None:
        _hear_notice.run(connection, match_id=match_id, player_id=player_id, notice=notice)


def former_players(connection: Connection, match_id: int) -> Iterable[Former]:
    """The players who left a seat of the match, the first one first."""
    return _former.all(connection, match_id=match_id)


def since(connection: Connection, chair_id: int) -> datetime:
    """The moment from which the seat is its player's."""
    return _since.one(connection, chair_id=chair_id)


def player_then(spells: Sequence[Spell], seat: Seat | None, at: datetime) -> int | None:
    """The player who held a seat at a moment."""
    found = (one for one in spells if one.seat == seat and one.since <= at)
    return next((one.player_id for one in found if one.until is None or at < one.until), None)


def spells(connection: Connection, match_id: int) -> list[Spell]:
    """All times on all seats of a match."""
    return _spells.all(connection, match_id=match_id)


def running_of(connection: Connection, player_id: int) -> list[PlayerSeat]:
    """The seats of a player in running matches, by match id."""
    return _running_of.all(connection, player_id=player_id)


def timed_matches(connection: Connection, player_id: int) -> list[int]:
    """The matches in which a clock runs for the player."""
    return _timed.all(connection, player_id=player_id)


def players_of(connection: Connection, match_id: int) -> list[int]:
    """Everybody who has or had a seat of a match."""
    return _players.all(connection, match_id=match_id)
