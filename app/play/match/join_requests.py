"""The rows of requests to join a game before its start: invitations that people ask for themselves."""

from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command, Query

_ask_to_join = Command(
    """UPDATE invitation SET seat = '', joins = :joins, status = 'invited', invited_at = :now,
                             expires_at = :expires_at, player_id = NULL, answered_at = NULL, votes = '{}'
       WHERE id = :invitation_id"""
)
_count_joins = Query(
    int,
    """SELECT count(*) FROM invitation
       WHERE match_id = :match_id AND joins AND status = 'invited' AND invited_at > :since""",
)
_count_listed = Query(
    int,
    """SELECT count(*) FROM invitation h CROSS JOIN "match" m
       WHERE h.mailbox = :mailbox AND h.organiser AND m.id = h.match_id AND m.status = 'open'
         AND m.joinable""",
)


def ask_to_join(
    connection: Connection, now: datetime, invitation_id: int, expires_at: datetime, *, joins: bool
) -> None:
    """Let people answer anew who were invited before, or had left. `joins`: at their own request."""
    _ask_to_join.run(connection, now=now, invitation_id=invitation_id, expires_at=expires_at, joins=joins)


def count_joins(connection: Connection, match_id: int, since: datetime) -> int:
    """The number of people who asked to join a match since a moment and haven't confirmed it."""
    return _count_joins.one(connection, match_id=match_id, since=since)


def count_listed(connection: Connection, mailbox: str) -> int:
    """The number of a host's games before their start that anybody may join."""
    return _count_listed.one(connection, mailbox=mailbox)
