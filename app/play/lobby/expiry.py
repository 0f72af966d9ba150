"""Remind of unanswered invitations after three days; end them after fourteen."""

from datetime import timedelta

from app import clock
from app.play.lobby.invitations import seat_offer_letter
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, stored

REMIND_AFTER = timedelta(days=3)
BATCH = 200
"""Invitations handled in one transaction."""

_remind = Statement(
    """UPDATE invitation SET reminded_at = ?
       WHERE id IN (SELECT id FROM invitation
                    WHERE status = 'invited' AND NOT organiser AND reminded_at IS NULL AND invited_at <= ?
                      AND match_id IN (SELECT id FROM "match" WHERE status IN ('open', 'running'))
                    LIMIT ?)
       RETURNING id, match_id, seat"""
)
_expire = Statement(
    """UPDATE invitation SET status = 'expired'
       WHERE id IN (SELECT id FROM invitation
                    WHERE status = 'invited' AND expires_at <= ?
                      AND (seat <> '' OR match_id IN (
                          SELECT id FROM "match" WHERE status IN ('unconfirmed', 'open')))
                    LIMIT ?)
       RETURNING id, match_id, organiser, seat"""
)
_call_off = Statement(
    """UPDATE "match" SET status = 'called_off', ended_at = ?
       WHERE id = ? AND status IN ('unconfirmed', 'open')"""
)
_organiser = Statement('SELECT organiser_id FROM "match" WHERE id = ?')


def remind_and_expire(store: Store) -> int:
    """Remind of invitations three days old, once, and end those fourteen days old. Returns the letter count.

    Beat calls this; running it twice does no harm. The organiser is told of an expired invitation, but not of
    an expired seat offer, and a match that was never confirmed ends without a letter. Each BATCH is a
    transaction of its own, so that players do not wait for long.
    """
    letters = 0
    while True:
        found, requested = _next_batch(store)
        letters += requested
        if not found:
            return letters


def _next_batch(store: Store) -> tuple[int, int]:
    """Handle the next BATCH of due invitations. Returns the number of invitations and of letters."""
    now = clock.now()
    with store.transaction() as connection:
        at = stored(connection, now)
        expired = _expire.fetch(connection, at, BATCH)
        reminded = _remind.fetch(connection, at, stored(connection, now - REMIND_AFTER), BATCH)
        requests = [
            seat_offer_letter(match_id, invitation_id, now, "reminder")
            if seat
            else LetterRequest(
                kind="invitation_reminder",
                once=f"invitation_reminder:{invitation_id}",
                match_id=match_id,
                invitation_id=invitation_id,
            )
            for invitation_id, match_id, seat in reminded
        ]
        for invitation_id, match_id, organiser, seat in expired:
            if organiser:
                _call_off.run(connection, at, match_id)
            if organiser or seat:
                continue
            for (organiser_id,) in _organiser.fetch(connection, match_id):
                requests.append(
                    LetterRequest(
                        kind="expired",
                        once=f"expired:{invitation_id}",
                        match_id=match_id,
                        player_id=organiser_id,
                        guest_id=invitation_id,
                    )
                )
        enqueue(connection, now, *requests)
        return len(expired) + len(reminded), len(requests)
