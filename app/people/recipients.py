"""Players as recipients of letters: address, language, and the hours in which letters may come."""

from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.sql import Query


class Recipient(msgspec.Struct, frozen=True):
    """A player as the recipient of a letter."""

    player_id: int
    address: str
    address_key: str
    name: str
    language: str
    zone: str
    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    seen_at: datetime | None
    """When they last signed in or marked everything as seen."""


_COLUMNS = """id AS player_id, address, address_key, name, language, zone, digest_hour, quiet_from, quiet_to,
              seen_at"""
_by_id = Query(Recipient, f"SELECT {_COLUMNS} FROM player WHERE id = :player_id")  # noqa: S608 - constants
_by_key = Query(Recipient, f"SELECT {_COLUMNS} FROM player WHERE address_key = :key")  # noqa: S608 - constants


def by_id(connection: Connection, player_id: int) -> Recipient:
    """The player of that number. Raises LookupError."""
    return _by_id.one(connection, player_id=player_id)


def by_key(connection: Connection, address_key: str) -> Recipient | None:
    """The player with that address, or None."""
    return _by_key.first(connection, key=address_key)
