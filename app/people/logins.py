"""Browsers that are signed in, and browsers that may play one seat. Deleting a row signs a browser out."""

import secrets
from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query
from app.store.tokens import hash_of

LONGEST = timedelta(days=366)
"""A browser must sign in again after this, however often it is used."""


class Login(msgspec.Struct, frozen=True):
    """The rights of a browser."""

    player_id: int
    chair_id: int | None
    """The only seat that it may play; None: it is signed in as the player."""


_insert = Command(
    """INSERT INTO login (hash, player_id, chair_id, created_at)
       VALUES (:hash, :player_id, :chair_id, :now)"""
)
_find = Query(Login, "SELECT player_id, chair_id FROM login WHERE hash = :hash AND created_at > :since")
_end = Command("DELETE FROM login WHERE hash = :hash")
_end_all = Command("DELETE FROM login WHERE player_id = :player_id")
_forget = Command(
    """DELETE FROM login WHERE hash IN (SELECT hash FROM login
           WHERE created_at <= :before ORDER BY created_at LIMIT :most)"""
)


def begin(connection: Connection, now: datetime, player_id: int, chair_id: int | None = None) -> str:
    """Sign a browser in; returns the key for its cookie. With `chair_id` it may play that seat only."""
    key = secrets.token_urlsafe(16)
    _insert.run(connection, hash=hash_of(key), player_id=player_id, chair_id=chair_id, now=now)
    return key


def find(connection: Connection, now: datetime, key: str) -> Login | None:
    """The rights of the browser with this key; None: it was signed out."""
    return _find.first(connection, hash=hash_of(key), since=now - LONGEST)


def find_outside_tx(store: Store, now: datetime, key: str) -> Login | None:
    """As `find`, in no transaction."""
    return next(iter(_find.fetch_outside_tx(store.engine, hash=hash_of(key), since=now - LONGEST)), None)


def end(connection: Connection, key: str) -> None:
    """Sign a browser out."""
    _end.run(connection, hash=hash_of(key))


def end_all(connection: Connection, player_id: int) -> None:
    """Sign a player out in every browser, and end what browsers may play for them."""
    _end_all.run(connection, player_id=player_id)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete the rows of browsers that signed in before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
