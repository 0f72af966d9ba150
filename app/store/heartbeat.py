"""Signs of life of what must keep running."""

from datetime import datetime

from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query

BEAT, ANSWER = "beat", "answer"
"""A sweep that beat asked for, and a worker that was asked whether it is there."""

_last = Query(datetime, "SELECT at FROM heartbeat WHERE name = :name")
_newest = Query(datetime, "SELECT max(at) AS at FROM heartbeat")
_insert = Command("INSERT INTO heartbeat (name, at) VALUES (:name, :now) ON CONFLICT (name) DO NOTHING")
_update = Command("UPDATE heartbeat SET at = :now WHERE name = :name AND at = :before")
_mark = Command(
    """INSERT INTO heartbeat (name, at) VALUES (:name, :at)
       ON CONFLICT (name) DO UPDATE SET at = excluded.at"""
)


def last(store: Store, name: str) -> datetime | None:
    """When the named thing ran last, or None."""
    with store.reading() as connection:
        return last_in(connection, name)


def last_in(connection: Connection, name: str) -> datetime | None:
    """When the named thing ran last, or None."""
    return _last.first(connection, name=name)


def newest_in(connection: Connection) -> datetime | None:
    """When anything ran last, or None."""
    return _newest.first(connection)


def beat(connection: Connection, name: str, now: datetime) -> datetime | None:
    """Keep that the named thing runs now, and return when it did before; None: never.

    Of several at once each sees the beat of the one before.
    """
    if _insert.run(connection, name=name, now=now):
        return None
    while True:
        before = _last.one(connection, name=name)
        if _update.run(connection, name=name, now=now, before=before) == 1:
            return before


def mark(connection: Connection, name: str, at: datetime) -> None:
    """Keep how far the named thing has come."""
    _mark.run(connection, name=name, at=at)
