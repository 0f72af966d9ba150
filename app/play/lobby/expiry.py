"""Remind of unanswered invitations after three days; end them after fourteen."""

from datetime import datetime, timedelta

from app import clock
from app.play.lobby import limits
from app.play.lobby.letters import seat_offer_letter
from app.play.match import invitations, matches
from app.play.match.invitations import Expired, Reminded
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

REMIND_AFTER = timedelta(days=3)
BATCH = 200
"""Invitations handled in one transaction."""


def remind_and_expire(store: Store) -> int:
    """Remind of invitations three days old, once, and end those fourteen days old. Returns the letter count.

    Invitations that a limit held back are sent where there is room by then.

    Beat calls this; running it twice does no harm. The organiser is told of an expired invitation, but not of
    an expired seat offer, and a match that was never confirmed ends without a letter. Each BATCH is a
    transaction of its own, so that players do not wait for long.
    """
    letters = 0
    while True:
        found, requested = _next_batch(store)
        letters += requested
        if not found:
            return letters + limits.let_all_out(store)


def _next_batch(store: Store) -> tuple[int, int]:
    """Handle the next BATCH of due invitations. Returns the number of invitations and of letters."""
    now = clock.now()
    with store.transaction() as connection:
        expired = invitations.expire(connection, now, BATCH)
        reminded = invitations.remind(connection, now, now - REMIND_AFTER, BATCH)
        requests = [_reminder(one, now) for one in reminded]
        for one in expired:
            if one.organiser:
                matches.call_off(connection, now, one.match_id)
            elif not one.seat:
                requests.append(_expired_letter(one, matches.organiser_of(connection, one.match_id)))
        enqueue(connection, now, *requests)
        return len(expired) + len(reminded), len(requests)


def _reminder(invitation: Reminded, now: datetime) -> LetterRequest:
    if invitation.seat:
        return seat_offer_letter(invitation.match_id, invitation.id, now, "reminder")
    return LetterRequest(
        kind="invitation_reminder",
        once=f"invitation_reminder:{invitation.id}",
        match_id=invitation.match_id,
        invitation_id=invitation.id,
    )


def _expired_letter(invitation: Expired, organiser_id: int | None) -> LetterRequest:
    return LetterRequest(
        kind="expired",
        once=f"expired:{invitation.id}",
        match_id=invitation.match_id,
        player_id=organiser_id,
        guest_id=invitation.id,
    )
