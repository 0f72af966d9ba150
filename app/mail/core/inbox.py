"""The inbox: every statement that reads a mail that came in or writes what becomes of it.

A mail is kept before its sender is told so, and read afterwards.
"""

import uuid
from datetime import datetime

import msgspec

from app.mail.core.report import Report
from app.store.connection import Connection
from app.store.sql import Command, Query


class Mail(msgspec.Struct, frozen=True):
    """A mail that a worker reads."""

    id: str
    key: str
    kind: str
    """The purpose of its address here: reply, bounce, leave."""
    token_hash: str
    letter_id: str | None
    sender: str
    """The envelope's."""
    raw: bytes
    tries: int
    received_at: datetime
    own: bool
    """Its From is the address of the player who replies by its address here."""


class NewMail(msgspec.Struct, frozen=True):
    """A mail to be kept."""

    key: str
    """The same for two copies of a mail."""
    kind: str
    source: str
    """listener, imap, stdin."""
    recipient: str
    """Its address here, the token masked."""
    token_hash: str
    letter_id: str | None
    player_id: int | None
    sender: str
    raw: bytes
    own: bool = False
    """Its From is the player's address."""

    @property
    def id(self) -> str:
        """A new key for its row."""
        return uuid.uuid4().hex


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading a mail."""

    status: str
    """read, dropped, failed; waiting: to be tried again."""
    reason: str = ""
    error: str | None = None
    """For the operator. None: that of an earlier try stays."""
    player_id: int | None = None
    match_id: int | None = None
    results: str = "[]"
    """JSON: the report."""
    held_until: datetime | None = None
    """For one that waits: no worker takes it before. For one that a collected answer tells of: its moment."""
    untried: bool = False
    """For one that waits: this reading doesn't count as a try."""


class Unread(msgspec.Struct, frozen=True):
    """A mail that was not carried out."""

    id: str
    received_at: datetime
    source: str
    tries: int
    size: int
    error: str
    status: str
    """failed, dropped, waiting."""
    reason: str
    held_until: datetime | None


class Told(msgspec.Struct, frozen=True):
    """A mail of which a collected answer tells."""

    match_id: int | None
    own: bool
    results: str
    """JSON: its report."""


class Kept(msgspec.Struct, frozen=True):
    """A mail as it came, and what went wrong with it."""

    raw: bytes
    error: str
    status: str
    reason: str


# A player's mails are read in the order in which they came. One that failed once doesn't stop the others, and
# mail from elsewhere to the player's addresses stops none of their own.
_BLOCKED = """EXISTS (SELECT 1 FROM incoming AS earlier
                      WHERE earlier.player_id = incoming.player_id AND earlier.status = 'waiting'
                        AND earlier.tries <= 1 AND earlier.own = incoming.own
                        AND (earlier.received_at < incoming.received_at
                             OR earlier.received_at = incoming.received_at AND earlier.id < incoming.id))"""
_FREE = f"status = 'waiting' AND (held_until IS NULL OR held_until < :now) AND NOT {_BLOCKED}"
_insert = Command(
    """INSERT INTO incoming (id, key, kind, source, recipient, token_hash, letter_id, player_id, sender, raw,
                             own, status, reason, error, results, received_at, tries)
       VALUES (:id, :key, :kind, :source, :recipient, :token_hash, :letter_id, :player_id, :sender, :raw,
               :own, 'waiting', '', '', '[]', :now, 0)
       ON CONFLICT (key) DO NOTHING"""
)
_known = Query(bool, "SELECT EXISTS (SELECT 1 FROM incoming WHERE key = :key) AS known")
_came = Query(
    int,
    """SELECT count(*) AS many FROM incoming
       WHERE token_hash = :token_hash AND received_at > :since AND own = :own""",
)
_waiting = Query(
    str,
    f"SELECT id FROM incoming WHERE {_FREE} ORDER BY received_at LIMIT :most",  # noqa: S608 - constants
)
_claim = Query(
    Mail,
    f"""UPDATE incoming SET held_until = :until, tries = tries + 1 WHERE id = :mail_id AND {_FREE}
        RETURNING id, key, kind, token_hash, letter_id, sender, raw, tries, received_at, own""",  # noqa: S608
)
_settle = Command(
    """UPDATE incoming SET status = :status, reason = :reason, error = COALESCE(:error, error),
                           results = :results, player_id = COALESCE(:player_id, player_id),
                           match_id = COALESCE(:match_id, match_id), held_until = :held_until, read_at = :now,
                           tries = CASE WHEN :untried THEN tries - 1 ELSE tries END
       WHERE id = :mail_id AND status = 'waiting'"""
)
_status = Query(str, "SELECT status FROM incoming WHERE token_hash = :mark ORDER BY received_at LIMIT 1")
_results = Query(str, "SELECT results FROM incoming WHERE id = :mail_id")
_read_since = Query(
    datetime,
    """SELECT read_at FROM incoming
       WHERE player_id = :player_id AND own AND status = 'read' AND read_at > :since
       ORDER BY read_at DESC LIMIT :most""",
)
_collected = Query(
    Told,
    """SELECT match_id, own, results FROM incoming
       WHERE player_id = :player_id AND status <> 'waiting' AND held_until = :at
       ORDER BY received_at, id LIMIT :most""",
)
_SHOWN = "id, received_at, source, tries, length(raw) AS size, error, status, reason, held_until"
_FAILED = "status IN ('failed', 'dropped') AND status = 'failed' AND dealt_at IS NULL"
"""In the words of the index of both."""
_failed = Query(
    Unread,
    f"""SELECT {_SHOWN} FROM incoming
        WHERE {_FAILED} ORDER BY received_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_passed_over = Query(
    Unread,
    f"""SELECT {_SHOWN} FROM incoming WHERE status IN ('failed', 'dropped') AND dealt_at IS NULL
        ORDER BY received_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_late = Query(
    Unread,
    f"""SELECT {_SHOWN} FROM incoming
        WHERE status = 'waiting' AND (received_at < :before OR reason = 'deferred')
        ORDER BY received_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_deal = Command(
    """UPDATE incoming SET dealt_at = :now
       WHERE id = :mail_id AND status IN ('failed', 'dropped') AND dealt_at IS NULL"""
)
_kept = Query(Kept, "SELECT raw, error, status, reason FROM incoming WHERE id = :mail_id")
_empty = Command(
    """UPDATE incoming SET raw = :nothing, sender = '', results = '{}', error = ''
       WHERE id IN (SELECT id FROM incoming
                    WHERE status <> 'waiting' AND length(raw) > 0 AND received_at < :before
                    ORDER BY received_at LIMIT :most)"""
)
_forget = Command(
    """DELETE FROM incoming WHERE id IN (SELECT id FROM incoming
           WHERE status <> 'waiting' AND received_at < :before ORDER BY received_at LIMIT :most)"""
)
_part = Command("UPDATE incoming SET match_id = NULL WHERE match_id = :match_id")
_count_waiting = Query(
    int, "SELECT count(*) FROM (SELECT 1 FROM incoming WHERE status = 'waiting' LIMIT :most) found"
)


_count_unreadable = Query(
    int,
    f"""SELECT count(*) FROM (SELECT 1 FROM incoming
                              WHERE {_FAILED} AND received_at > :since LIMIT :most) found""",  # noqa: S608
)


_count_late = Query(
    int,
    """SELECT count(*) FROM (SELECT 1 FROM incoming
                             WHERE status = 'waiting' AND received_at < :before AND reason <> 'deferred'
                             LIMIT :most) found""",
)


def count_late(connection: Connection, before: datetime, most: int) -> int:
    """The number of mails that came before a moment and are still to be read, `most` at most.

    Those that were put off don't count.
    """
    return _count_late.one(connection, before=before, most=most)


def count_unreadable(connection: Connection, since: datetime, most: int) -> int:
    """The number of mails that came after a moment and could not be read, `most` at most."""
    return _count_unreadable.one(connection, since=since, most=most)


def count_waiting(connection: Connection, most: int) -> int:
    """The number of mails that wait to be processed, `most` at most."""
    return _count_waiting.one(connection, most=most)


def deal_with(connection: Connection, now: datetime, mail_id: str) -> bool:
    """Take a mail off the list of those that were not carried out. False: it is not on it."""
    return _deal.run(connection, mail_id=mail_id, now=now) == 1


def keep(connection: Connection, now: datetime, mail: NewMail) -> bool:
    """Keep a mail. False: it had come before, and nothing changed."""
    return _insert.run(connection, mail, now=now) == 1


def status_at(connection: Connection, mark: str) -> str:
    """The status of the first mail to an address of ours, by its mark; empty: none has come."""
    return _status.first(connection, mark=mark) or ""


def is_known(connection: Connection, key: str) -> bool:
    """Whether a mail with this key has come before."""
    return _known.one(connection, key=key)


def count_to(connection: Connection, token_hash: str, since: datetime, *, own: bool) -> int:
    """The number of mails to one address of ours since that moment, from its player or from all others."""
    return _came.one(connection, token_hash=token_hash, since=since, own=own)


def waiting(connection: Connection, now: datetime, most: int) -> list[str]:
    """The ids of mails that can be claimed now, the oldest first."""
    return _waiting.all(connection, now=now, most=most)


def claim(connection: Connection, mail_id: str, now: datetime, until: datetime) -> Mail | None:
    """Hold a mail until a moment. None: it was read, or is held, or an earlier one of its player waits."""
    return _claim.first(connection, mail_id=mail_id, now=now, until=until)


def settle(connection: Connection, now: datetime, mail_id: str, result: Settled) -> bool:
    """Record the result of reading a mail. False: it was settled already."""
    return _settle.run(connection, result, now=now, mail_id=mail_id) == 1


def report(connection: Connection, mail_id: str) -> Report:
    """The report on a mail that was read. Raises LookupError."""
    return msgspec.json.decode(_results.one(connection, mail_id=mail_id), type=Report)


def read_since(connection: Connection, player_id: int, since: datetime, most: int) -> list[datetime]:
    """When a player's own replies were read since that moment, the newest first, `most` at most."""
    return _read_since.all(connection, player_id=player_id, since=since, most=most)


def collected(connection: Connection, player_id: int, at: datetime, most: int) -> list[Told]:
    """The mails of which the player's collected answer of that moment tells, the oldest first."""
    return _collected.all(connection, player_id=player_id, at=at, most=most)


def failed(connection: Connection, most: int) -> list[Unread]:
    """The mails that could not be read, the newest first."""
    return _failed.all(connection, most=most)


def passed_over(connection: Connection, before: datetime, most: int) -> list[Unread]:
    """The mails that were not carried out, the newest first, after those that wait.

    Those wait since before a moment, or were put off.
    """
    late = _late.all(connection, before=before, most=most)
    return [*late, *_passed_over.all(connection, most=most)]


def kept(connection: Connection, mail_id: str) -> Kept | None:
    """A mail as it came, or None."""
    return _kept.first(connection, mail_id=mail_id)


def empty(connection: Connection, before: datetime, most: int) -> int:
    """Delete the text of mails that came before a moment and were dealt with; returns how many.

    Their keys stay, so that no copy is read anew.
    """
    return _empty.run(connection, before=before, nothing=b"", most=most)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete mails that came before a moment and were dealt with; returns how many."""
    return _forget.run(connection, before=before, most=most)


def part_from_match(connection: Connection, match_id: int) -> None:
    """Let no mail be about a match that is to be deleted."""
    _part.run(connection, match_id=match_id)
