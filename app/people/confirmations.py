"""Requests that are carried out only when their player confirms them by an email's link."""

from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

LASTS = timedelta(hours=24)
"""How long a request can be confirmed."""


class Confirmation(msgspec.Struct, frozen=True):
    """A request, confirmed or not."""

    id: int
    player_id: int
    match_id: int | None
    what: str
    """address, or one of `confirming`: resign, away, orders and others."""
    facts: dict[str, str]
    """The request as it was typed."""
    expires_at: datetime
    done_at: datetime | None

    def waits(self, now: datetime) -> bool:
        """Whether it can be confirmed."""
        return self.done_at is None and self.expires_at > now


_insert = Query(
    int,
    """INSERT INTO confirmation (player_id, match_id, what, facts, created_at, expires_at)
       VALUES (:player_id, :match_id, :what, :facts, :now, :expires_at) RETURNING id""",
)
_find = Query(
    Confirmation,
    """SELECT id, player_id, match_id, what, facts, expires_at, done_at FROM confirmation
       WHERE id = :confirmation_id""",
)
_finish = Command(
    """UPDATE confirmation SET done_at = :now
       WHERE id = :confirmation_id AND done_at IS NULL AND expires_at > :now"""
)
_count = Query(
    int,
    """SELECT count(*) FROM confirmation
       WHERE player_id = :player_id AND what = :what AND created_at > :since""",
)
_count_all = Query(
    int,
    """SELECT count(*) FROM confirmation
       WHERE player_id = :player_id AND what <> :but AND created_at > :since""",
)
_same = Query(
    int,
    """SELECT id FROM confirmation
       WHERE player_id = :player_id AND what = :what AND facts = :facts
         AND COALESCE(match_id, 0) = :match_id
         AND done_at IS NULL AND created_at > :since""",
)
_latest = Query(int, "SELECT max(id) AS id FROM confirmation WHERE player_id = :player_id AND what = :what")
_end = Command(
    """UPDATE confirmation SET expires_at = :now
       WHERE player_id = :player_id AND done_at IS NULL AND expires_at > :now"""
)
_forget = Command(
    """DELETE FROM confirmation WHERE id IN (SELECT id FROM confirmation
           WHERE created_at < :before ORDER BY created_at LIMIT :most)"""
)
_delete_of_match = Command("DELETE FROM confirmation WHERE match_id = :match_id")


def ask(
    connection: Connection,
    now: datetime,
    player_id: int,
    what: str,
    facts: dict[str, str],
    match_id: int | None = None,
    lasts: timedelta = LASTS,
) -> int:
    """Keep a request that can be confirmed for a while; returns its number."""
    return _insert.one(
        connection,
        player_id=player_id,
        match_id=match_id,
        what=what,
        facts=facts,
        now=now,
        expires_at=now + lasts,
    )


def find(connection: Connection, confirmation_id: int) -> Confirmation | None:
    """The request, or None."""
    return _find.first(connection, confirmation_id=confirmation_id) if is_key(confirmation_id) else None


def finish(connection: Connection, now: datetime, confirmation_id: int) -> bool:
    """Mark a request as confirmed. False: it was before, or is too old."""
    return _finish.run(connection, now=now, confirmation_id=confirmation_id) == 1


def count_since(connection: Connection, player_id: int, what: str, since: datetime) -> int:
    """The number of a player's requests of a kind after a moment, confirmed ones too."""
    return _count.one(connection, player_id=player_id, what=what, since=since)


def count_all_since(connection: Connection, player_id: int, since: datetime, but: str) -> int:
    """The number of a player's requests of all kinds but one after a moment, confirmed ones too."""
    return _count_all.one(connection, player_id=player_id, since=since, but=but)


def same(
    connection: Connection,
    player_id: int,
    what: str,
    facts: dict[str, str],
    match_id: int | None,
    since: datetime,
) -> int | None:
    """The number of an equal request that waits since then, or None."""
    return _same.first(
        connection, player_id=player_id, what=what, facts=facts, match_id=match_id or 0, since=since
    )


def latest(connection: Connection, player_id: int, what: str) -> int | None:
    """The number of a player's last request of a kind, or None."""
    return _latest.one(connection, player_id=player_id, what=what)


def end_all(connection: Connection, now: datetime, player_id: int) -> None:
    """Let no request of a player be confirmed any more."""
    _end.run(connection, now=now, player_id=player_id)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete requests from before a moment, confirmed or not; returns how many."""
    return _forget.run(connection, before=before, most=most)


def delete_of_match(connection: Connection, match_id: int) -> None:
    """Delete the requests about a match that is to be deleted."""
    _delete_of_match.run(connection, match_id=match_id)
