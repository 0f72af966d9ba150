"""Addresses that players had before: for some days each still signs in, and can undo the change."""

from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

LASTS = timedelta(days=7)
"""How long a former address signs in and can undo the change."""


class FormerAddress(msgspec.Struct, frozen=True):
    """An address that a player had before."""

    id: int
    player_id: int
    address: str
    address_key: str
    created_at: datetime
    until: datetime
    ended_at: datetime | None

    def stands(self, now: datetime) -> bool:
        """Whether it still signs in and can undo the change."""
        return self.ended_at is None and self.until > now


_COLUMNS = "id, player_id, address, address_key, created_at, until, ended_at"
_insert = Query(
    int,
    """INSERT INTO formeraddress (player_id, address, address_key, created_at, until)
       VALUES (:player_id, :address, :key, :now, :until) RETURNING id""",
)
_find = Query(FormerAddress, f"SELECT {_COLUMNS} FROM formeraddress WHERE id = :former_id")  # noqa: S608
_of_key = Query(
    FormerAddress,
    f"""SELECT {_COLUMNS} FROM formeraddress
        WHERE address_key = :key AND ended_at IS NULL AND until > :now ORDER BY id""",  # noqa: S608
)
_keys_of = Query(
    str,
    """SELECT address_key FROM formeraddress
       WHERE player_id = :player_id AND ended_at IS NULL AND until > :now ORDER BY id""",
)
_end_since = Command(
    """UPDATE formeraddress SET ended_at = :now
       WHERE player_id = :player_id AND id >= :former_id AND ended_at IS NULL"""
)
_end = Command(
    """UPDATE formeraddress SET ended_at = :now
       WHERE player_id = :player_id AND address_key = :key AND ended_at IS NULL"""
)
_forget = Command(
    """DELETE FROM formeraddress WHERE id IN (SELECT id FROM formeraddress
           WHERE until < :before ORDER BY until LIMIT :most)"""
)


def keep(connection: Connection, now: datetime, player_id: int, address: str, key: str) -> int:
    """Keep the address that a player had until now; returns its number."""
    return _insert.one(connection, player_id=player_id, address=address, key=key, now=now, until=now + LASTS)


def find(connection: Connection, former_id: int) -> FormerAddress | None:
    """The former address of that number, or None."""
    return _find.first(connection, former_id=former_id) if is_key(former_id) else None


def of_key(connection: Connection, now: datetime, key: str) -> FormerAddress | None:
    """The former address with this key that still signs in, or None."""
    return _of_key.first(connection, key=key, now=now)


def keys_of(connection: Connection, now: datetime, player_id: int) -> list[str]:
    """The keys of a player's former addresses that still sign in."""
    return _keys_of.all(connection, player_id=player_id, now=now)


def end_since(connection: Connection, now: datetime, player_id: int, former_id: int) -> None:
    """End this former address and those that the player had later."""
    _end_since.run(connection, now=now, player_id=player_id, former_id=former_id)


def end(connection: Connection, now: datetime, player_id: int, key: str) -> None:
    """End the former address with this key, because it is the player's again."""
    _end.run(connection, now=now, player_id=player_id, key=key)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete addresses that signed in last before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
