"""Asking for letters: a row in the outbox, in the transaction of what it tells of."""

import uuid
from datetime import datetime

import msgspec

from app.store.session import wake_after_commit
from app.store.statement import Statement, Wire, stored


class LetterRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A letter asked for. `once` names recipient, occasion and kind: the same is never asked for twice."""

    kind: str
    once: str
    match_id: int | None = None
    seat: str | None = None
    player_id: int | None = None
    invitation_id: int | None = None
    about: str = ""


_insert = Statement(
    """INSERT INTO letter (id, kind, once, match_id, seat, player_id, invitation_id, about, status, reason,
                           created_at, due_at, tries)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', ?, ?, 0)""",
    after="ON CONFLICT (once) DO NOTHING",
)


def enqueue(connection: Wire, now: datetime, *wanted: LetterRequest) -> int:
    """Put the letters into the outbox, due at once, and ring after the commit. How many were new."""
    if not wanted:
        return 0
    at = stored(connection, now)
    new = _insert.write(
        connection,
        [
            (uuid.uuid4().hex, *(getattr(one, name) for name in LetterRequest.__struct_fields__), at, at)
            for one in wanted
        ],
    )
    if new:
        wake_after_commit(connection)
    return new
