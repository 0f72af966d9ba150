"""Keys by which programs act for players. Only their hashes are stored; deleting the row ends a key.

A key outlives the session in which it was made, so an email tells the player of it.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people.checks import clean_name
from app.people.errors import NotFound, Refused
from app.store.connection import Connection
from app.store.locks import hold_player
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.sql import Command, Query

READ, PLAY, HOST, ACCOUNT = "read", "play", "host", "account"
SCOPES = (READ, PLAY, HOST, ACCOUNT)
"""The rights of a key: see what its player sees; answer, talk and note; set games up and enter them; change
settings. Every key may read."""
BEGINS = "tidepost_"
"""The first characters of each key, by which one that got somewhere by mistake is found there."""
MOST = 20
"""Keys of a player."""
MADE = "key_made"
"""The kind of the email that tells of new keys, one in an hour."""
NOTED_AFTER = timedelta(hours=1)
"""The use of a key is written down again after this."""


class ApiKey(msgspec.Struct, frozen=True):
    """A key as its player sees it."""

    key_id: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    used_at: datetime | None
    """To the hour; None: never."""


class KeyHolder(msgspec.Struct, frozen=True):
    """The player who acts by a key, with its rights."""

    key_id: int
    player_id: int
    scopes: tuple[str, ...]


class _Row(msgspec.Struct, frozen=True):
    key_id: int
    player_id: int
    name: str
    scopes: str
    created_at: datetime
    used_at: datetime | None


_COLUMNS = "id AS key_id, player_id, name, scopes, created_at, used_at"
_of_player = Query(
    _Row,
    f"SELECT {_COLUMNS} FROM apikey WHERE player_id = :player_id ORDER BY id",  # noqa: S608 - constants
)
_find = Query(_Row, f"SELECT {_COLUMNS} FROM apikey WHERE hash = :hash")  # noqa: S608 - constants
_count = Query(int, "SELECT count(*) FROM apikey WHERE player_id = :player_id")
_insert = Command(
    """INSERT INTO apikey (hash, player_id, name, scopes, created_at)
       VALUES (:hash, :player_id, :name, :scopes, :now)"""
)
_use = Command("UPDATE apikey SET used_at = :now WHERE id = :key_id")
_end = Command("DELETE FROM apikey WHERE id = :key_id AND player_id = :player_id")
_end_all = Command("DELETE FROM apikey WHERE player_id = :player_id")


def make(store: Store, player_id: int, name: str, scopes: Iterable[str]) -> str:
    """A new key, which is kept nowhere. It may read, and do what else is in `scopes`. An email tells of it.

    Raises Refused: the reasons of `clean_name`, and "keys_full" where the player has MOST.
    """
    name, chosen = clean_name(name), {READ, *scopes}
    key, now = BEGINS + secrets.token_urlsafe(24), clock.now()
    with store.transaction() as connection:
        hold_player(connection, player_id)
        if _count.one(connection, player_id=player_id) >= MOST:
            raise Refused("keys_full", most=MOST)
        _insert.run(
            connection,
            hash=_hash(key),
            player_id=player_id,
            name=name,
            scopes=" ".join(one for one in SCOPES if one in chosen),
            now=now,
        )
        once = f"{MADE}:{player_id}:{now:%Y%m%d%H}"
        enqueue(connection, now, LetterRequest(kind=MADE, once=once, player_id=player_id))
    return key


def keys_of(store: Store, player_id: int) -> tuple[ApiKey, ...]:
    """The keys of a player, the oldest first."""
    with store.looking() as connection:
        found = _of_player.all(connection, player_id=player_id)
    return tuple(
        ApiKey(one.key_id, one.name, tuple(one.scopes.split()), one.created_at, one.used_at) for one in found
    )


def holder(store: Store, key: str) -> KeyHolder:
    """The player who acts by a key. Its use is noted, once an hour. Raises NotFound: there is none such."""
    now = clock.now()
    with store.looking() as connection:
        found = _find.first(connection, hash=_hash(key))
    if found is None:
        raise NotFound("api_key")
    if found.used_at is None or now - found.used_at >= NOTED_AFTER:
        with store.statements() as connection:
            _use.run(connection, now=now, key_id=found.key_id)
    return KeyHolder(found.key_id, found.player_id, tuple(found.scopes.split()))


def end(store: Store, player_id: int, key_id: int) -> None:
    """End a key of a player, if there is one such."""
    with store.transaction() as connection:
        _end.run(connection, key_id=key_id, player_id=player_id)


def end_all(connection: Connection, player_id: int) -> None:
    """End all keys of a player."""
    _end_all.run(connection, player_id=player_id)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode(errors="surrogatepass")).digest()
