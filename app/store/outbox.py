"""The request for a letter: a row in the outbox, in the transaction of what it tells of."""

import uuid
from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.session import wake_after_commit
from app.store.sql import Command


class LetterRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A letter to be written. `once` names recipient, occasion and kind: the same is enqueued once."""

    kind: str
    once: str
    match_id: int | None = None
    seat: str | None = None
    player_id: int | None = None
    invitation_id: int | None = None
    about: str = ""

    @property
    def id(self) -> str:
        """A new key for its row."""
        return uuid.uuid4().hex


_insert = Command(
    """INSERT INTO letter (id, kind, once, match_id, seat, player_id, invitation_id, about, status, reason,
                           created_at, due_at, tries)
       VALUES (:id, :kind, :once, :match_id, :seat, :player_id, :invitation_id, :about, 'waiting', '',
               :now, :now, 0)
       ON CONFLICT (once) DO NOTHING"""
)


def enqueue(connection: Connection, now: datetime, *wanted: LetterRequest) -> int:
    """Put the letters into the outbox, due at once, and wake the workers after the commit.

    Returns how many were new.
    """
    new = _insert.write(connection, wanted, now=now)
    if new:
        wake_after_commit(connection)
    return new
