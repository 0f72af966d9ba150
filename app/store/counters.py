"""Counters of tries, shared by all processes. Their names are hashes.

Callers must go on when the database doesn't answer: a counter is never a reason to refuse.
"""

from datetime import datetime, timedelta

from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query

_tries = Query(int, "SELECT tries FROM counter WHERE name = :name AND until > :now")
_count = Query(
    int,
    """INSERT INTO counter (name, tries, until) VALUES (:name, 1, :until)
       ON CONFLICT (name) DO UPDATE
       SET tries = CASE WHEN counter.until > :now THEN counter.tries + 1 ELSE 1 END,
           until = CASE WHEN counter.until > :now THEN counter.until ELSE excluded.until END
       RETURNING tries""",
)
_forget = Command(
    """DELETE FROM counter WHERE name IN (SELECT name FROM counter
           WHERE until <= :before ORDER BY until LIMIT :most)"""
)


def count(store: Store, name: str, most: int, span: timedelta, now: datetime) -> bool:
    """Count one more try; False if there were `most` already since the first one, less than `span` ago.

    Tries beyond that are not written, so that a flood costs a read each. Raises errors of the driver.
    """
    with store.reading() as connection:
        if (_tries.first(connection, name=name, now=now) or 0) >= most:
            return False
    with store.statements() as lent:
        return _count.one(lent, name=name, now=now, until=now + span) <= most


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete counters whose while was over by a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
