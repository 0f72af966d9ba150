"""The mail server as it behaved last: its last words of trouble, and until when it is left alone.

One row, shared by all workers. After a failure that is the server's own, letters wait until a moment; then
one worker tries one letter while the others still wait, and its success lets all go on.
"""

from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query

SHORTEST_REST = timedelta(seconds=30)
LONGEST_REST = timedelta(minutes=10)
PROBING = timedelta(minutes=3)
"""For how long the others wait for the worker that tries first: longer than a hand-over can last."""
OFTEN = timedelta(minutes=1)
"""How often at most a success is written."""


class Relay(msgspec.Struct, frozen=True):
    """The row."""

    said: str
    kind: str
    """connection, relay, us, policy."""
    said_at: datetime | None
    failures: int
    """In a row."""
    since: datetime | None
    """Of the first of them; None: it works."""
    rests_until: datetime | None
    taken_at: datetime | None


_read = Query(
    Relay,
    "SELECT said, kind, said_at, failures, since, rests_until, taken_at FROM relay WHERE id = 1",
)
_failed = Command(
    """UPDATE relay SET said = :said, kind = :kind, said_at = :now, failures = failures + 1,
                        since = COALESCE(since, :now), rests_until = :until
       WHERE id = 1"""
)
_said = Command("UPDATE relay SET said = :said, kind = :kind, said_at = :now WHERE id = 1")
_took = Command(
    """UPDATE relay SET failures = 0, since = NULL, rests_until = NULL, taken_at = :now
       WHERE id = 1 AND (failures > 0 OR rests_until IS NOT NULL OR taken_at IS NULL OR taken_at < :before)"""
)
_probe = Command(
    "UPDATE relay SET rests_until = :until WHERE id = 1 AND failures > 0 AND rests_until <= :now"
)


def read(connection: Connection) -> Relay:
    """The row."""
    return _read.one(connection)


def failed(connection: Connection, now: datetime, kind: str, said: str) -> datetime:
    """Keep a failure that is the server's own; returns until when it is left alone."""
    before = _read.one(connection).failures
    until = now + min(SHORTEST_REST * (1 << min(before, 10)), LONGEST_REST)
    _failed.run(connection, said=said, kind=kind, now=now, until=until)
    return until


def said(connection: Connection, now: datetime, kind: str, words: str) -> None:
    """Keep a refusal that is about us, though the server works."""
    _said.run(connection, said=words, kind=kind, now=now)


def took(connection: Connection, now: datetime) -> None:
    """It took a letter: nobody waits for it any longer."""
    _took.run(connection, now=now, before=now - OFTEN)


def may_probe(connection: Connection, now: datetime) -> bool:
    """Whether this worker may try one letter, though the last ones failed. The others wait for PROBING."""
    return _probe.run(connection, now=now, until=now + PROBING) == 1
