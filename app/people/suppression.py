"""Addresses that get no letters: earlier ones bounced, or the owner wants none."""

from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query


class Suppression(msgspec.Struct, frozen=True):
    """The reason for sending nothing to an address, and its start."""

    reason: str
    """bounced, unwanted."""
    at: datetime


class Stopped(msgspec.Struct, frozen=True):
    """An address that gets no letters."""

    address_key: str
    reason: str
    at: datetime


_every = Query(Stopped, "SELECT address_key, reason, at FROM suppressed ORDER BY address_key LIMIT :most")
_put = Command(
    """INSERT INTO suppressed (address_key, reason, letter_id, at) VALUES (:key, :reason, :letter_id, :now)
       ON CONFLICT (address_key) DO UPDATE
       SET reason = excluded.reason, letter_id = excluded.letter_id, at = excluded.at"""
)
_find = Query(
    Suppression,
    "SELECT reason, at FROM suppressed WHERE address_key IN (:address_key, :match_key) ORDER BY address_key",
)
_lift = Command("DELETE FROM suppressed WHERE address_key = :key AND reason = :reason")
_reason = Query(str, "SELECT reason FROM suppressed WHERE address_key = :key")
_bounced = Query(int, "SELECT count(*) AS many FROM suppressed WHERE reason = 'bounced'")
_bounced_since = Query(
    int, "SELECT count(*) AS many FROM suppressed WHERE reason = 'bounced' AND at > :since"
)
_of_player = Query(
    str,
    """SELECT s.reason FROM suppressed s JOIN player p ON p.address_key = s.address_key
       WHERE p.id = :player_id""",
)


def suppress(
    connection: Connection,
    address_key: str,
    reason: str,
    now: datetime,
    letter_id: str | None = None,
    match_id: int | None = None,
) -> None:
    """Stop letters to an address, or only those of a match."""
    key = _key(address_key, match_id)
    _put.run(connection, key=key, reason=reason, letter_id=letter_id, now=now)


def lift(connection: Connection, address_key: str, reason: str, match_id: int | None = None) -> bool:
    """Allow letters again if they were stopped for this reason. Returns whether that changed anything."""
    return _lift.run(connection, key=_key(address_key, match_id), reason=reason) > 0


def suppression_of(
    connection: Connection, address_key: str, match_id: int | None = None
) -> Suppression | None:
    """The reason for sending no letters, or none of the match, to an address; None if they may be sent."""
    return _find.first(connection, address_key=address_key, match_key=_key(address_key, match_id))


def is_unwanted(connection: Connection, address_key: str, match_id: int | None = None) -> bool:
    """Whether the owner of an address wants no letters; with `match_id`, whether none of that match alone."""
    return _reason.first(connection, key=_key(address_key, match_id)) == "unwanted"


def bounces(connection: Connection, player_id: int) -> bool:
    """Whether letters to the player bounce."""
    return "bounced" in _of_player.all(connection, player_id=player_id)


def count_bounced(connection: Connection) -> int:
    """The number of addresses that get no letters because letters bounced."""
    return _bounced.one(connection)


def count_bounced_since(connection: Connection, since: datetime) -> int:
    """The number of addresses that get no letters because one bounced after a moment."""
    return _bounced_since.one(connection, since=since)


def every(connection: Connection, most: int) -> list[Stopped]:
    """The addresses that get no letters, by address; those of one match have its number behind a space."""
    return _every.all(connection, most=most)


def _key(address_key: str, match_id: int | None) -> str:
    """The key of an address, or of its letters of one match. No address contains a space."""
    return address_key if match_id is None else f"{address_key} {match_id}"
