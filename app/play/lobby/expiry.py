"""Remind of unanswered invitations after three days; end them after fourteen, by the law of all clocks."""

from app import clock
from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop
from app.play.lobby import limits
from app.play.lobby.letters import seat_offer_letter
from app.play.match import invitations, lifetimes, matches, site_stops
from app.play.match.invitations import Due
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

BATCH = 200
"""Invitations handled in one transaction."""


def remind_and_expire(store: Store) -> int:
    """Remind of invitations three days old, once, and end those fourteen days old. Returns the letter count.

    Invitations that a limit held back are sent where there is room by then.

    Beat calls this; running it twice does no harm. Nothing happens while all clocks stand still, and that
    time doesn't count. The organiser is told of an expired invitation, but not of an expired seat offer, and
    a match that was never confirmed ends without a letter. Each BATCH is a transaction of its own, so that
    players do not wait for long.
    """
    letters = passed = 0
    while True:
        found, requested = _next_to_expire(store)
        letters += requested
        if not found:
            break
    while True:
        found, requested = _next_to_remind(store, passed)
        letters += requested
        passed += found - requested
        if not found:
            return letters + limits.let_all_out(store)


def _next_to_expire(store: Store) -> tuple[int, int]:
    """Handle the next BATCH of invitations that may have ended. Returns their number, and that of letters."""
    now = clock.now()
    with store.transaction() as connection:
        stops = _stops(connection)
        if stops is None:
            return 0, 0
        found = invitations.to_expire(connection, now, BATCH)
        requests: list[LetterRequest] = []
        for one in found:
            lasts = lifetimes.ASKING if one.joins else lifetimes.LIFETIME
            until = lifetimes.ends(one.invited_at, one.zone, stops, one.expires_at, lasts)
            if until is None or until > now:
                invitations.prolong(connection, one.id, until or now + lifetimes.SLACK)
            elif invitations.expire(connection, one.id):
                requests += _expired(connection, one)
        enqueue(connection, now, *requests)
        return len(found), len(requests)


def _expired(connection: Connection, one: Due) -> list[LetterRequest]:
    """The letters about an invitation that has ended. One to the organiser ends the match."""
    if one.organiser:
        matches.call_off(connection, clock.now(), one.match_id)
        return []
    quiet = one.seat or one.joins
    return [] if quiet else [_expired_letter(one, matches.organiser_of(connection, one.match_id))]


def _next_to_remind(store: Store, passed: int) -> tuple[int, int]:
    """Handle the next BATCH of invitations that may need a reminder, without the first that don't yet.

    Returns their number, and that of letters.
    """
    now = clock.now()
    with store.transaction() as connection:
        stops = _stops(connection)
        if stops is None:
            return 0, 0
        before = now - lifetimes.REMIND_AFTER + lifetimes.SLACK
        found = invitations.to_remind(connection, before, passed, BATCH)
        requests = []
        for one in found:
            at = lifetimes.reminds(one.invited_at, one.zone, stops)
            if at is not None and at <= now and invitations.remind(connection, now, one.id):
                requests.append(_reminder(one))
        enqueue(connection, now, *requests)
        return len(found), len(requests)


def _stops(connection: Connection) -> tuple[Stop, ...] | None:
    """The stops of all clocks; None: they stand still now."""
    now = clock.now()
    stops = site_stops.known(connection, now)
    return stops if rules.standing_still(now, Calendar(stops=stops)) is None else None


def _reminder(invitation: Due) -> LetterRequest:
    if invitation.seat:
        return seat_offer_letter(invitation.match_id, invitation.id, clock.now(), "reminder")
    return LetterRequest(
        kind="invitation_reminder",
        once=f"invitation_reminder:{invitation.id}",
        match_id=invitation.match_id,
        invitation_id=invitation.id,
    )


def _expired_letter(invitation: Due, organiser_id: int | None) -> LetterRequest:
    return LetterRequest(
        kind="expired",
        once=f"expired:{invitation.id}",
        match_id=invitation.match_id,
        player_id=organiser_id,
        guest_id=invitation.id,
    )
