"""Mail of the mailbox that belongs to no address here: listed for the operator, for a while."""

import hashlib
from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query

MOST_AN_HOUR = 100
"""Mails that are listed, of junk and of all others each. The rest is counted in the log only."""
UNKEPT = "unkept"
"""The reason of mail that stays unread in its mailbox, because keeping it fails."""
JUNK = "no_token"
"""The reason of mail that names no address here: anybody can send any amount of it."""
LONGEST = 16_000
"""Bytes of a mail that are kept."""
HOUR = timedelta(hours=1)


class PassedOver(msgspec.Struct, frozen=True):
    """A mail that was passed over."""

    id: str
    reason: str
    """no_token, unknown_sender, too_big, unkept."""
    source: str
    size: int
    """Bytes."""
    head: bytes
    received_at: datetime


_insert = Command(
    """INSERT INTO passedover (id, reason, source, size, head, received_at)
       VALUES (:id, :reason, :source, :size, :head, :received_at) ON CONFLICT (id) DO NOTHING"""
)
_since = Query(
    int, "SELECT count(*) AS many FROM passedover WHERE received_at > :since AND (reason = :junk) = :is_junk"
)
_COLUMNS = "id, reason, source, size, head, received_at"
_unkept = Query(
    int,
    """SELECT count(*) AS many FROM passedover
       WHERE received_at > :since AND reason = :reason AND dealt_at IS NULL""",
)
_latest = Query(
    PassedOver,
    f"""SELECT {_COLUMNS} FROM passedover WHERE (reason = :junk) = :is_junk AND dealt_at IS NULL
        ORDER BY received_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_deal = Command("UPDATE passedover SET dealt_at = :now WHERE id = :mail_id AND dealt_at IS NULL")
_one = Query(PassedOver, f"SELECT {_COLUMNS} FROM passedover WHERE id = :mail_id")  # noqa: S608 - constants
_forget = Command(
    """DELETE FROM passedover WHERE id IN (SELECT id FROM passedover
           WHERE received_at < :before ORDER BY received_at LIMIT :most)"""
)


def keep(connection: Connection, now: datetime, raw: bytes, reason: str, source: str, size: int) -> bool:
    """List a mail by its beginning. False: too many were listed in this hour."""
    if _since.one(connection, since=now - HOUR, junk=JUNK, is_junk=reason == JUNK) >= MOST_AN_HOUR:
        return False
    head = raw[:LONGEST]
    mail_id = hashlib.sha256(head).hexdigest()[:32]
    _insert.run(connection, PassedOver(mail_id, reason, source, size, head, now))
    return True


def count_unkept(connection: Connection, since: datetime) -> int:
    """The number of mails that could not be kept, by their first tries after a moment."""
    return _unkept.one(connection, since=since, reason=UNKEPT)


def latest(connection: Connection, most: int) -> list[PassedOver]:
    """The mails that were passed over, the newest first; up to `most` of junk, and of all others."""
    others, junk = (_latest.all(connection, most=most, junk=JUNK, is_junk=one) for one in (False, True))
    return [*others, *junk]


def deal_with(connection: Connection, now: datetime, mail_id: str) -> bool:
    """Take a mail off the list. False: it is not on it."""
    return _deal.run(connection, mail_id=mail_id, now=now) == 1


def one(connection: Connection, mail_id: str) -> PassedOver | None:
    """A mail that was passed over, or None."""
    return _one.first(connection, mail_id=mail_id)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete mails that came before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
