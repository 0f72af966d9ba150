"""Whether a letter of the outbox may go now: what its reader wishes, and whether letters reach him at all."""

from datetime import datetime, timedelta
from typing import Any

from app.mail.core.context import TO_ABOUT
from app.mail.policy.rules import (
    QUIET,
    InDigest,
    Later,
    Never,
    Now,
    Reader,
    Verdict,
    event_of,
    next_digest,
    presses,
    when,
)
from app.people import preferences
from app.people.checks import check_address
from app.people.suppression import suppression_of
from app.store.outbox import LetterRequest
from app.store.statement import Statement, Wire, moment, moment_or_none

ON_REQUEST = frozenset({"links", "sign_in", "reply", "address"})
"""What the reader asks for himself: it is tried, even where letters came back before."""
ANSWERS = frozenset({"reply"})
"""To what the reader wrote: no list that he left is meant by it."""
AGAIN = "again:"
"""How `once` begins of a letter that its reader had sent again; the first letter's id follows."""

_row = Statement(
    """SELECT l.kind, l.match_id, l.seat, l.player_id, l.to_address, l.reason, l.created_at, l.due_at,
              COALESCE(i.address_key, p.address_key),
              p.zone, p.digest_hour, p.quiet_from, p.quiet_to, p.seen_at, c.seen_at, l.once,
              l.due_match_id, l.digest_at
       FROM letter l
       LEFT JOIN player p ON p.id = l.player_id
       LEFT JOIN invitation i ON i.id = l.invitation_id AND l.player_id IS NULL
       LEFT JOIN chair c ON c.match_id = l.match_id AND c.player_id = l.player_id AND c.until IS NULL
       WHERE l.id = ?"""
)
_player_of = Statement("SELECT id FROM player WHERE address_key = ?")
_deadline = Statement(
    """SELECT min(due_at) FROM question
       WHERE match_id = ? AND seat = ? AND closed_at IS NULL AND NOT optional"""
)
_deadlines = Statement(
    """SELECT min(q.due_at) FROM question q
       JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       WHERE c.player_id = ? AND q.closed_at IS NULL AND NOT q.optional"""
)
_status = Statement("SELECT status FROM letter WHERE once = ?")


def decide(connection: Wire, letter_id: str, now: datetime, quiet: timedelta = QUIET) -> Verdict:
    """What is to become of the letter at this moment."""
    (row,) = _row.fetch(connection, letter_id)[:1]
    kind, match_id, seat, player_id, to_address, reason = row[:6]
    created_at, due_at, key = moment(row[6]), moment(row[7]), row[8]
    if kind in TO_ABOUT:
        _, key = check_address(to_address)
    again = row[15].startswith(AGAIN)
    if key is not None:
        bar = suppression_of(connection, key, match_id)
        asked_since = bar is not None and (kind in ON_REQUEST or again) and created_at > bar.at
        if bar is not None and not ((bar.reason == "bounced" or kind in ANSWERS) and asked_since):
            return Never("suppressed" if bar.reason == "bounced" else "left")
        if player_id is None:
            player_id = next((found[0] for found in _player_of.fetch(connection, key)), None)
    if player_id is None or again or kind in ANSWERS:
        return Now()
    of = row[16] or match_id  # it is about all, and due for one
    choice = preferences.choice_of(connection, player_id, of, event_of(kind))
    if row[17] is not None and choice != "left" and now < (at := moment(row[17])):
        return Later(at, "digest")
    reader = Reader(row[9] or "UTC", row[10] or 0, row[11], row[12], _last(row[13], row[14]))
    deadline = _due(connection, match_id, seat, player_id)
    found = when(kind, choice, reader, now, created_at, deadline, quiet)
    if isinstance(found, InDigest):
        at = due_at if reason == "digest" else found.at
        if (told := _status.fetch(connection, digest_of(player_id, at).once)) and told[0][0] != "waiting":
            at = next_digest(reader, now)
        found = Now() if presses(deadline, at) else InDigest(at, player_id)
    return found


def digest_of(player_id: int, at: datetime) -> LetterRequest:
    """The digest of that moment."""
    once = f"digest:{player_id}:{at.isoformat(timespec='minutes')}"
    return LetterRequest(kind="digest", once=once, player_id=player_id, digest_at=at)


def _due(connection: Wire, match_id: int | None, seat: str | None, player_id: int) -> datetime | None:
    """What the player must keep in that match, or anywhere."""
    if match_id is None:
        rows = _deadlines.fetch(connection, player_id)
    elif seat is None:
        return None
    else:
        rows = _deadline.fetch(connection, match_id, seat)
    return moment_or_none(rows[0][0])


def _last(*moments: Any) -> datetime | None:
    return max((moment(one) for one in moments if one is not None), default=None)
