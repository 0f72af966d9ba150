"""The request for a letter: a row in the outbox, in the transaction of what it tells of."""

import secrets
from datetime import datetime

import msgspec

from app.store import base32
from app.store.connection import Connection
from app.store.session import wake_after_commit
from app.store.sql import Command, Query


class LetterRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A letter to be written. `once` names recipient, occasion and kind: the same is enqueued once."""

    kind: str
    once: str
    match_id: int | None = None
    seat: str | None = None
    player_id: int | None = None
    invitation_id: int | None = None
    turn: int | None = None
    """The turn that it asks for."""
    by_seat: str | None = None
    """The seat whose player nudges."""
    consequence: str | None = None
    """The result of a missed deadline, as the clock's rule names it."""
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
    """The address it goes to if that is not the player's."""
    incoming_id: str | None = None
    """The mail that it answers."""
    confirmation_id: int | None = None
    """The request that its link confirms."""
    former_id: int | None = None
    """The former address that its link restores."""

    @property
    def id(self) -> str:
        """A new key for its row, 13 letters and digits that nobody can guess. Before they were 32 of hex."""
        return base32.written(secrets.token_bytes(8))


_insert = Command(
    """INSERT INTO letter (id, kind, once, match_id, seat, player_id, invitation_id, run, by_seat,
                           consequence, guest_id, offer, due_match_id, digest_at, absence_id, to_address,
                           incoming_id, confirmation_id, former_id, status, reason, created_at, due_at, tries)
       VALUES (:id, :kind, :once, :match_id, :seat, :player_id, :invitation_id, :turn, :by_seat,
               :consequence, :guest_id, :offer, :due_match_id, :digest_at, :absence_id, :to_address,
               :incoming_id, :confirmation_id, :former_id, 'waiting', '', :now, :now, 0)
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


HELD = ("quiet_minutes", "settling", "quiet_hours", "digest", "collected")
"""Reasons of waiting letters that the recipient's settings hold back."""
_release = Command(
    f"""UPDATE letter SET due_at = :now, reason = ''
        WHERE player_id = :player_id AND status = 'waiting' AND reason IN {HELD}"""  # noqa: S608 - constants
)
_reopen = Command(
    """UPDATE letter SET status = 'waiting', due_at = :now, reason = ''
       WHERE player_id = :player_id AND kind = 'asked' AND status = 'dropped'
         AND reason IN ('by_choice', 'left', 'suppressed')
         AND EXISTS (SELECT 1 FROM question q WHERE q.match_id = letter.match_id AND q.seat = letter.seat
                     AND q.closed_at IS NULL AND NOT q.optional AND q.run = letter.run)"""
)
_waits = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter
                      WHERE player_id = :player_id AND kind = :kind AND status = 'waiting') AS waits""",
)
_undelivered = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter
                      WHERE once = :once AND status = 'waiting' AND tries > 0
                        AND reason <> '') AS undelivered""",
)
_stuck = Query(
    datetime,
    """SELECT min(l.stuck_since) AS since FROM letter l
       WHERE l.player_id = :player_id AND l.status IN ('waiting', 'failed') AND l.stuck_since IS NOT NULL
         AND (l.kind = 'asked' AND l.match_id = :match_id AND l.seat = :seat AND l.run = :turn
              OR l.kind = 'digest' AND EXISTS (
                  SELECT 1 FROM letter a
                  WHERE a.kind = 'asked' AND a.match_id = :match_id AND a.seat = :seat AND a.run = :turn
                    AND a.player_id = :player_id AND a.status = 'dropped' AND a.reason = 'digested'
                    AND a.due_at = l.digest_at))
         AND NOT EXISTS (SELECT 1 FROM letter s
                         WHERE s.kind = 'asked' AND s.match_id = :match_id AND s.seat = :seat
                           AND s.run = :turn AND s.player_id = :player_id AND s.status = 'sent')""",
)
_count_late = Query(
    int,
    """SELECT count(*) FROM (SELECT 1 FROM letter
                             WHERE status = 'waiting' AND due_at < :until
                               AND (due_at < :before OR (tries > 0 AND created_at < :before))
                             LIMIT :most) found""",
)
_nudged = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter
                      WHERE player_id = :player_id AND kind = 'nudge' AND created_at > :since
                        AND (status <> 'dropped' OR (match_id = :match_id AND by_seat = :by_seat))
                     ) AS nudged""",
)
_asking_waits = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter
                      WHERE match_id = :match_id AND player_id = :player_id AND kind = 'asked'
                        AND run = :turn AND status = 'waiting') AS waits""",
)
_times = Query(
    datetime,
    """SELECT created_at FROM letter
       WHERE player_id = :player_id AND kind = :kind AND once LIKE :begins AND created_at > :since
       ORDER BY created_at""",
)
_times_of_confirmation = Query(
    datetime,
    """SELECT created_at FROM letter
       WHERE player_id = :player_id AND confirmation_id = :confirmation_id ORDER BY created_at""",
)
_times_of_invitation = Query(
    datetime,
    """SELECT created_at FROM letter
       WHERE invitation_id = :invitation_id AND kind = :kind AND created_at > :since ORDER BY created_at""",
)
_wishes = Query(
    int,
    """SELECT count(*) FROM invitation i CROSS JOIN letter l
       WHERE i.mailbox = :mailbox AND l.invitation_id = i.id AND l.kind IN ('seat_offer', 'join')
         AND l.offer = 'own_wish' AND l.created_at > :since""",
)
_confirmation = Query(int, "SELECT confirmation_id FROM letter WHERE id = :letter_id")
_former = Query(int, "SELECT former_id FROM letter WHERE id = :letter_id")


def reconsider(connection: Connection, now: datetime, player_id: int) -> None:
    """Decide again about a player's letters, because the settings changed.

    These are the letters that the settings hold back, and the dropped letter of each turn that still waits.
    """
    changed = _release.run(connection, now=now, player_id=player_id)
    changed += _reopen.run(connection, now=now, player_id=player_id)
    if changed:
        wake_after_commit(connection)


def waits(connection: Connection, player_id: int, kind: str) -> bool:
    """Whether a letter of a kind to a player waits to be sent."""
    return _waits.one(connection, player_id=player_id, kind=kind)


def undelivered(connection: Connection, once: str) -> bool:
    """Whether a letter waits after a failed delivery."""
    return _undelivered.one(connection, once=once)


def undeliverable_since(
    connection: Connection, match_id: int, seat: str, turn: int, player_id: int
) -> datetime | None:
    """Since when the player can't be asked for a turn by email for a reason that is not theirs.

    None: the email went out, or was not due, or what keeps it back is the player's: the settings, a mailbox
    that doesn't exist or is full.
    """
    return _stuck.first(connection, match_id=match_id, seat=seat, turn=turn, player_id=player_id)


def count_late(connection: Connection, until: datetime, before: datetime, most: int) -> int:
    """The number of letters that should have gone out before a moment, `most` at most.

    They were due then; or were requested then, were tried, and are to be tried again by `until`.
    """
    return _count_late.one(connection, until=until, before=before, most=most)


def nudged_since(
    connection: Connection, player_id: int, match_id: int, by_seat: str, since: datetime
) -> bool:
    """Whether a player was nudged after a moment by anybody, or by this seat even if it wasn't sent."""
    return _nudged.one(connection, player_id=player_id, match_id=match_id, by_seat=by_seat, since=since)


def asking_waits(connection: Connection, match_id: int, player_id: int, turn: int) -> bool:
    """Whether the letter that asks a player for a turn has not gone out yet."""
    return _asking_waits.one(connection, match_id=match_id, player_id=player_id, turn=turn)


def times_requested(
    connection: Connection, player_id: int, kind: str, begins: str, since: datetime
) -> list[datetime]:
    """When letters of a kind to a player were requested whose `once` begins like this, the oldest first."""
    return _times.all(connection, player_id=player_id, kind=kind, begins=f"{begins}%", since=since)


def times_of_confirmation(connection: Connection, player_id: int, confirmation_id: int) -> list[datetime]:
    """When the letters were requested that ask a player to confirm one request, the oldest first."""
    return _times_of_confirmation.all(connection, player_id=player_id, confirmation_id=confirmation_id)


def times_of_invitation(
    connection: Connection, invitation_id: int, kind: str, since: datetime
) -> list[datetime]:
    """When letters of a kind about an invitation were requested, the oldest first."""
    return _times_of_invitation.all(connection, invitation_id=invitation_id, kind=kind, since=since)


def count_wishes(connection: Connection, mailbox: str, since: datetime) -> int:
    """The number of offers of seats that were asked for in a mailbox's name after a moment."""
    return _wishes.one(connection, mailbox=mailbox, since=since)


def confirmation_of(connection: Connection, letter_id: str) -> int | None:
    """The number of the request that a letter's link confirms, or None."""
    return _confirmation.first(connection, letter_id=letter_id)


def former_of(connection: Connection, letter_id: str) -> int | None:
    """The number of the former address that a letter's link restores, or None."""
    return _former.first(connection, letter_id=letter_id)
