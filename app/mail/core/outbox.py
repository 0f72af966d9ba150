"""The outbox: every statement that reads a letter's row or writes what becomes of it.

Letters are enqueued by `app.store.outbox`. All parts of mail ask here.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.mail.core.letter import LetterRow
from app.store.connection import Connection
from app.store.sql import Command, Query

LOST = "lost"
"""The reason of a waiting letter that the mail server may have taken."""
LOST_TWICE = "lost_twice"
"""The reason of a claimed letter that it may have taken at the second try too: it is not tried again."""
DIGESTED = "digested"
"""The reason of a letter that was dropped because a digest tells of it."""


class ReasonCount(msgspec.Struct, frozen=True):
    """The number of letters that failed for a reason."""

    reason: str
    many: int


_COLUMNS = """id, kind, once, match_id, seat, player_id, invitation_id, run AS turn, by_seat,
              consequence, guest_id, offer, due_match_id, digest_at, absence_id, to_address, incoming_id,
              confirmation_id, former_id,
              status, reason, created_at, due_at, tries, sent_at, sent_to, stuck_since, repeats"""
_FREE = "status = 'waiting' AND due_at <= :now AND (held_until IS NULL OR held_until < :now)"
_UNCHANGED = "id = :id AND status = 'waiting' AND due_at = :due_at AND reason = :reason"
_one = Query(LetterRow, f"SELECT {_COLUMNS} FROM letter WHERE id = :letter_id")  # noqa: S608 - constants
_claim = Query(
    LetterRow,
    f"""UPDATE letter SET held_until = :until, tries = tries + 1,
               reason = CASE WHEN text_at IS NULL THEN reason
                             WHEN repeats = 0 THEN '{LOST}' ELSE '{LOST_TWICE}' END
        WHERE id = :letter_id AND {_FREE}
        RETURNING {_COLUMNS}""",  # noqa: S608 - constants
)
_begin = Command(
    f"""UPDATE letter SET text_at = :now,
               repeats = repeats + CASE WHEN reason = '{LOST}' THEN 1 ELSE 0 END
        WHERE id = :letter_id AND status = 'waiting' AND held_until = :until"""  # noqa: S608 - constants
)
_stuck = Command(
    """UPDATE letter SET held_until = NULL, tries = tries - 1, stuck_since = COALESCE(stuck_since, :now)
       WHERE id = :letter_id AND status = 'waiting'"""
)
_due_unstuck = Query(
    str,
    f"SELECT id FROM letter WHERE {_FREE} AND stuck_since IS NULL ORDER BY due_at LIMIT :most",  # noqa: S608
)
_due = Query(str, f"SELECT id FROM letter WHERE {_FREE} ORDER BY due_at LIMIT :most")  # noqa: S608 - constants
_settle = Command(
    """UPDATE letter SET status = :status, reason = :reason, held_until = NULL, text_at = NULL,
                         failed_at = :failed_at,
                         stuck_since = CASE WHEN :ours THEN COALESCE(stuck_since, :now) END
       WHERE id = :letter_id AND status = 'waiting'"""
)
_retry = Command(
    """UPDATE letter SET due_at = :at, reason = :reason, held_until = NULL, text_at = NULL,
                         stuck_since = CASE WHEN :ours THEN COALESCE(stuck_since, :now) ELSE stuck_since END
       WHERE id = :letter_id AND status = 'waiting'"""
)
_put_off = Command(
    f"""UPDATE letter SET due_at = :until, reason = :new_reason, held_until = NULL, tries = tries - 1
        WHERE {_UNCHANGED}"""  # noqa: S608 - constants
)
_refuse = Command(
    f"""UPDATE letter SET status = 'dropped', reason = :new_reason, due_at = :at, held_until = NULL
        WHERE {_UNCHANGED}"""  # noqa: S608 - constants
)
_release = Command(
    "UPDATE letter SET held_until = NULL, tries = tries - 1 WHERE id = :id AND status = 'waiting'"
)
_sent = Command(
    """UPDATE letter SET status = 'sent', reason = '', held_until = NULL, text_at = NULL, failed_at = NULL,
                         sent_at = :now, to_ply = :to_ply, to_notice = :to_notice,
                         sent_to = CASE WHEN sent_to = '-' THEN sent_to ELSE :address_key END
       WHERE id = :letter_id"""
)
_digested = Command(
    """UPDATE letter SET status = 'dropped', reason = 'digested', held_until = NULL
       WHERE id = :letter_id AND status = 'waiting'"""
)
_not_told = Command(
    """UPDATE letter SET reason = 'answered'
       WHERE id = :letter_id AND kind = 'asked' AND status = 'dropped' AND reason = 'digested'"""
)
_returned = Command(
    """UPDATE letter SET status = 'failed', reason = :reason, failed_at = :now,
                         stuck_since = CASE WHEN :ours THEN COALESCE(stuck_since, sent_at, :now) END
       WHERE id = :letter_id
         AND (status IN ('sent', 'unknown') OR status = 'failed' AND reason <> 'bounced' AND :final)"""
)
_in_digest = Query(
    LetterRow,
    f"""SELECT {_COLUMNS} FROM letter
        WHERE player_id = :player_id AND kind <> 'digest' AND due_at = :at
          AND (status = 'waiting' AND reason = 'digest' OR status = 'dropped' AND reason = 'digested')
        ORDER BY created_at""",  # noqa: S608 - constants
)
_failed_since = Query(
    ReasonCount,
    """SELECT reason, count(*) AS many FROM letter WHERE status = 'failed' AND failed_at > :since
       GROUP BY reason ORDER BY reason""",
)
_unwritable = Query(
    int,
    """SELECT count(*) AS many FROM letter
       WHERE status = 'waiting' AND reason IN ('unwritable', 'unsendable')""",
)
_repeated = Query(int, "SELECT count(*) AS many FROM letter WHERE repeats > 0")
_latest = Query(
    LetterRow,
    f"""SELECT {_COLUMNS} FROM letter
        WHERE player_id = :player_id AND to_address IS NULL AND (:match_id = 0 OR match_id = :match_id)
        ORDER BY created_at DESC, id LIMIT :most OFFSET :before""",  # noqa: S608 - constants
)
_of_once = Query(LetterRow, f"SELECT {_COLUMNS} FROM letter WHERE once = :once")  # noqa: S608 - constants
_last_again = Query(
    datetime,
    "SELECT max(created_at) AS at FROM letter WHERE player_id = :player_id AND once LIKE :begins",
)
_sent_since = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter WHERE player_id = :player_id AND kind = :kind AND sent_at >= :since
                      AND id <> :id) AS sent""",
)
_asked_in_answer = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter WHERE kind = 'reply' AND match_id = :match_id
                      AND player_id = :player_id AND status = 'sent' AND to_ply >= :turn) AS asked""",
)


_last_sent = Query(
    datetime,
    """SELECT max(sent_at) AS at FROM letter
       WHERE player_id = :player_id AND match_id = :match_id AND kind = :kind AND status = 'sent'""",
)
_was_told = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM letter
                      WHERE invitation_id = :invitation_id AND (reason = 'lost' OR status IN
                      ('sent', 'unknown', 'failed')) AND kind NOT IN ('withdrawn', 'called_off')) AS told""",
)


_all_waiting = Query(
    LetterRow,
    f"SELECT {_COLUMNS} FROM letter WHERE status = 'waiting' ORDER BY due_at LIMIT :most",  # noqa: S608 - constants
)
_all_failed = Query(
    LetterRow,
    f"""SELECT {_COLUMNS} FROM letter
        WHERE status = 'failed' AND failed_at > :since ORDER BY failed_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_of_match = Query(
    LetterRow,
    f"""SELECT {_COLUMNS} FROM letter
        WHERE match_id = :match_id ORDER BY created_at DESC LIMIT :most""",  # noqa: S608 - constants
)
_try_now = Command(
    """UPDATE letter SET status = 'waiting', reason = '', due_at = :now, held_until = NULL, tries = 0,
                         failed_at = NULL, stuck_since = COALESCE(stuck_since, :now)
       WHERE id = :letter_id AND (status = 'failed' OR status = 'waiting' AND held_until IS NULL)"""
)
_drop = Command(
    """UPDATE letter SET status = 'dropped', reason = 'operator', held_until = NULL
       WHERE id = :letter_id AND status = 'waiting' AND (held_until IS NULL OR held_until < :now)"""
)


class _Count(msgspec.Struct, frozen=True):
    kind: str
    many: int


_lately = Query(
    _Count,
    """SELECT kind, count(*) AS many FROM letter WHERE player_id = :player_id AND created_at > :since
       GROUP BY kind""",
)


def letter(connection: Connection, letter_id: str) -> LetterRow | None:
    """The letter, or None."""
    return _one.first(connection, letter_id=letter_id)


def all_waiting(connection: Connection, most: int) -> list[LetterRow]:
    """Letters that wait, the one that is due first in front."""
    return _all_waiting.all(connection, most=most)


def all_failed(connection: Connection, since: datetime, most: int) -> list[LetterRow]:
    """Letters that failed since then, the latest first."""
    return _all_failed.all(connection, since=since, most=most)


def of_match(connection: Connection, match_id: int, most: int) -> list[LetterRow]:
    """The letters of a match, the newest first."""
    return _of_match.all(connection, match_id=match_id, most=most)


def try_now(connection: Connection, letter_id: str, now: datetime) -> bool:
    """Let a letter that failed or waits be tried at once. False: there is none, or a worker has it."""
    return _try_now.run(connection, letter_id=letter_id, now=now) == 1


def drop(connection: Connection, letter_id: str, now: datetime) -> bool:
    """Let a waiting letter never go. False: there is none, or a worker has it."""
    return _drop.run(connection, letter_id=letter_id, now=now) == 1


def due(connection: Connection, now: datetime, most: int) -> list[str]:
    """The ids of letters that can be claimed now, the longest waiting first."""
    return _due.all(connection, now=now, most=most)


def claim(connection: Connection, letter_id: str, now: datetime, until: datetime) -> LetterRow | None:
    """Hold a letter that is due until a moment. None: it isn't due, or another worker holds it."""
    return _claim.first(connection, letter_id=letter_id, now=now, until=until)


def begin(connection: Connection, letter_id: str, now: datetime, until: datetime) -> bool:
    """Record that its text is about to be sent. False: the lease of that moment is over, another has it."""
    return _begin.run(connection, letter_id=letter_id, now=now, until=until) == 1


def due_unstuck(connection: Connection, now: datetime, most: int) -> list[str]:
    """As `due`, without those that are known to be stuck."""
    return _due_unstuck.all(connection, now=now, most=most)


def stuck(connection: Connection, letter_id: str, now: datetime) -> None:
    """End the claim of a letter that only the mail server keeps back; this counts as no try."""
    _stuck.run(connection, letter_id=letter_id, now=now)


def settle(
    connection: Connection, letter_id: str, status: str, reason: str, now: datetime, *, ours: bool = False
) -> None:
    """Record the end of a waiting letter. `ours`: it failed for a reason that is not its reader's."""
    failed_at = now if status == "failed" else None
    _settle.run(
        connection, letter_id=letter_id, status=status, reason=reason, failed_at=failed_at, ours=ours, now=now
    )


def retry(
    connection: Connection, letter_id: str, at: datetime, reason: str, now: datetime, *, ours: bool
) -> None:
    """Try a waiting letter again at that time. `ours`: what keeps it back is not its reader's fault."""
    _retry.run(connection, letter_id=letter_id, at=at, reason=reason, now=now, ours=ours)


def put_off(connection: Connection, row: LetterRow, until: datetime, reason: str) -> bool:
    """Decide again at that time; this counts as no try. False: its row has changed since it was claimed."""
    return _put_off.run(connection, row, until=until, new_reason=reason) == 1


def refuse(connection: Connection, row: LetterRow, reason: str, at: datetime | None = None) -> bool:
    """Drop it by its reader's settings. False: its row has changed since it was claimed."""
    return _refuse.run(connection, row, new_reason=reason, at=at or row.due_at) == 1


def release(connection: Connection, row: LetterRow) -> None:
    """End the claim, so that the letter can be claimed again at once."""
    _release.run(connection, row)


def mark_sent(
    connection: Connection,
    letter_id: str,
    now: datetime,
    address_key: str,
    to_ply: int | None,
    to_notice: int | None,
) -> None:
    """Record that it was taken by the mail server, where it went, and how far it tells."""
    _sent.run(
        connection,
        letter_id=letter_id,
        now=now,
        address_key=address_key,
        to_ply=to_ply,
        to_notice=to_notice,
    )


def mark_digested(connection: Connection, letter_id: str, *, answered: bool) -> None:
    """Drop a waiting letter because a digest replaces it. An answered turn is not told there."""
    _digested.run(connection, letter_id=letter_id)
    if answered:
        _not_told.run(connection, letter_id=letter_id)


def mark_returned(
    connection: Connection, letter_id: str, reason: str, now: datetime, *, ours: bool = False
) -> bool:
    """Record that a sent letter was not delivered. False: that was known.

    `ours`: for a reason that is not its reader's. That there is no such address is the last word: it replaces
    any other reason.
    """
    final = reason == "bounced"
    return _returned.run(connection, letter_id=letter_id, reason=reason, now=now, ours=ours, final=final) == 1


def in_digest(connection: Connection, player_id: int, at: datetime) -> list[LetterRow]:
    """The letters that the player's digest of that moment replaces, the oldest first."""
    return _in_digest.all(connection, player_id=player_id, at=at)


def failed_since(connection: Connection, since: datetime) -> dict[str, int]:
    """The number of letters that failed for good since that moment, by reason."""
    return {one.reason: one.many for one in _failed_since.all(connection, since=since)}


def count_unwritable(connection: Connection) -> int:
    """The number of letters that wait because they could not be written, or raise when handed over."""
    return _unwritable.one(connection)


def count_repeated(connection: Connection) -> int:
    """The number of letters that were tried again though the mail server may have taken them."""
    return _repeated.one(connection)


def latest(
    connection: Connection, player_id: int, match_id: int, most: int, before: int = 0
) -> list[LetterRow]:
    """A player's letters about a match (0: about anything), the newest first. None to another address.

    `before`: how many newer ones are left out.
    """
    return _latest.all(connection, player_id=player_id, match_id=match_id, most=most, before=before)


def of_occasion(connection: Connection, once: str) -> LetterRow | None:
    """The letter that was enqueued for an occasion, or None."""
    return _of_once.first(connection, once=once)


def last_sent_again(connection: Connection, player_id: int, begins: str) -> datetime | None:
    """When the player last had a letter sent again whose `once` begins like this, or None."""
    return _last_again.one(connection, player_id=player_id, begins=f"{begins}%")


def sent_since(connection: Connection, row: LetterRow) -> bool:
    """Whether another letter of its kind went to the player since this one was enqueued."""
    return _sent_since.one(connection, row, since=row.created_at)


def asked_in_answer(connection: Connection, row: LetterRow) -> bool:
    """Whether an answer to the player's mail has shown them the letter's turn already."""
    return _asked_in_answer.one(connection, row)


def count_since(connection: Connection, player_id: int, kinds: Sequence[str], since: datetime) -> int:
    """The number of letters of some kinds that were enqueued for a player since that moment."""
    counts = _lately.all(connection, player_id=player_id, since=since)
    return sum(one.many for one in counts if one.kind in kinds)


def was_told(connection: Connection, invitation_id: int) -> bool:
    """Whether any letter of an invitation has gone out, so that its guest may know of it."""
    return _was_told.one(connection, invitation_id=invitation_id)


def last_sent(connection: Connection, row: LetterRow) -> datetime | None:
    """When the last letter of its kind about its match went to the player, or None."""
    return _last_sent.one(connection, row)
