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
    run: int | None = None
    """The run of questions in which it asks its seat."""
    by_seat: str | None = None
    """The seat whose player nudges."""
    consequence: str | None = None
    """What followed when time was up, as the clock's rule names it."""
    guest_id: int | None = None
    """The invitation whose answer or end it tells."""
    offer: str | None = None
    """Why a seat is offered: own_wish, reminder; None: the organiser asks."""
    due_match_id: int | None = None
    """The match for which a reminder is due; it tells of all."""
    digest_at: datetime | None = None
    """The moment of a digest."""
    absence_id: int | None = None
    to_address: str | None = None
    """The address it goes to where that is not the player's."""
    incoming_id: str | None = None
    """The mail that it answers."""

    @property
    def id(self) -> str:
        """A new key for its row."""
        return uuid.uuid4().hex


_insert = Command(
    """INSERT INTO letter (id, kind, once, match_id, seat, player_id, invitation_id, run, by_seat,
                           consequence, guest_id, offer, due_match_id, digest_at, absence_id, to_address,
                           incoming_id, status, reason, created_at, due_at, tries)
       VALUES (:id, :kind, :once, :match_id, :seat, :player_id, :invitation_id, :run, :by_seat,
               :consequence, :guest_id, :offer, :due_match_id, :digest_at, :absence_id, :to_address,
               :incoming_id, 'waiting', '', :now, :now, 0)
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
