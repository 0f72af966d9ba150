"""Accept or decline an invitation, and the letters about invitations."""

from datetime import datetime

import msgspec

from app import clock
from app.people import blocks
from app.people import service as people
from app.people.mailboxes import mailbox_of
from app.people.service import Person
from app.play.lobby import limits
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import OPEN, Invitation, LobbySnapshot, snapshot_by_token, unstarted
from app.play.lobby.start import start
from app.play.match import invitations, matches, presence
from app.play.match.records import Closed, NotFound
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.sql import is_key

LAPSED, OPERATOR = "lapsed", "operator"
"""Why a match was called off that has waited for too long, or by the operator; else its organiser did it."""


def accept(store: Store, token: str, name: str, language: str, zone: str, word: str) -> LobbyView:
    """Accept an invitation. The last acceptance starts the match; the organiser's confirms it.

    On confirmation the other invitations are sent, as far as the limits allow. Accepting again changes
    nothing. Raises NotFound, Refused (name, language, zone, word, "too_many_open"), and Closed with the
    status of the invitation or the match: "declined", "withdrawn", "expired", "called_off", "started", or
    "full" for someone who asked to join and finds no seat left.
    """
    name, word = people.clean_name(name), people.check_word(word)
    language, zone = people.check_language(language), people.check_zone(zone)
    now = clock.now()
    with store.transaction() as connection:
        snapshot = snapshot_by_token(connection, token, lock=True)
        own = _own(snapshot)
        if not _can_accept(connection, snapshot, own):
            return snapshot.view()
        player_id = people.keep(connection, own.address, own.key, name, language, zone)
        _take_seat(connection, now, snapshot, own, player_id, word)
        view = snapshot_by_token(connection, token).view()
    presence.changed(store, player_id)  # a new time zone changes the deadlines of the player's other matches
    return view


def invited_to(store: Store, player: Person) -> tuple[LobbyView, ...]:
    """The games that wait for a player's answer before they start; none of hosts that they have blocked."""
    _, key = people.check_address(player.address)
    with store.reading() as connection:
        found = [
            one
            for one in invitations.unanswered(connection, key)
            if not one.seat and not one.organiser and not blocks.blocks(connection, player.id, one.host_id)
        ]
        return tuple(_of(connection, player, one.match_id).view() for one in found)


def accept_as(store: Store, player: Person, match_id: int, word: str) -> LobbyView:
    """As `accept`, for a player who is known otherwise than by the invitation's link."""
    word = people.check_word(word)
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)
        snapshot = _of(connection, player, match_id)
        own = _own(snapshot)
        if _can_accept(connection, snapshot, own):
            _take_seat(connection, now, snapshot, own, player.id, word)
        return _of(connection, player, match_id).view()


def decline_as(store: Store, player: Person, match_id: int) -> LobbyView:
    """As `decline`, for a player who is known otherwise than by the invitation's link."""
    with store.transaction() as connection:
        hold_match(connection, match_id)
        _decline(connection, _of(connection, player, match_id))
        return _of(connection, player, match_id).view()


def _of(connection: Connection, player: Person, match_id: int) -> LobbySnapshot:
    """A match to which the player is invited, as they see it. Raises NotFound."""
    _, key = people.check_address(player.address)
    if not is_key(match_id):
        raise NotFound("match")
    snapshot = unstarted(connection, match_id)
    own = next((one for one in snapshot.invitations if one.player_id == player.id or one.key == key), None)
    if own is None:
        raise NotFound("match")
    return msgspec.structs.replace(snapshot, own=own)


def _can_accept(connection: Connection, snapshot: LobbySnapshot, own: Invitation) -> bool:
    """Whether an invitation can be accepted; False: it was. Raises as `accept`."""
    if own.status == "accepted" and snapshot.status != "called_off":
        return False
    if snapshot.status not in OPEN:
        raise Closed("called_off" if snapshot.status == "called_off" else "started")
    if own.status != "invited":
        raise Closed(own.status)
    if own.joins and not snapshot.has_room:
        raise Closed("full")
    if own.organiser:
        limits.check_host(connection, mailbox_of(own.key), snapshot.count("waiting"))
        if snapshot.joinable:
            limits.check_listed(connection, own.key)
    return True


def _take_seat(
    connection: Connection,
    now: datetime,
    snapshot: LobbySnapshot,
    own: Invitation,
    player_id: int,
    word: str,
) -> None:
    if not invitations.accept(connection, now, own.id, player_id, word):
        raise Closed("expired")  # it expired between the read and the write
    if own.organiser:
        matches.confirm(connection, snapshot.match_id, player_id)
        limits.let_out(connection, now, snapshot.match_id)
    joined(connection, now, snapshot, own.id, host=own.organiser)


def confirmed(
    connection: Connection, now: datetime, snapshot: LobbySnapshot, invitation_id: int, player_id: int
) -> None:
    """A new match, confirmed by its organiser's pressing of a button, as by their link.

    `snapshot` is the match before, `invitation_id` the organiser's.
    """
    matches.confirm(connection, snapshot.match_id, player_id)
    invitations.accept(connection, now, invitation_id, player_id)
    limits.let_out(connection, now, snapshot.match_id)
    joined(connection, now, snapshot, invitation_id, host=True)


def joined(
    connection: Connection, now: datetime, snapshot: LobbySnapshot, invitation_id: int, *, host: bool
) -> None:
    """Start the match if the last seat was taken just now, else tell the organiser of a guest who joined.

    `snapshot` is the match before.
    """
    taken = snapshot.count("accepted") + 1 + snapshot.bots
    if taken == snapshot.seats:
        start(connection, snapshot.match_id)
    elif not host:
        enqueue(connection, now, answered_letter(snapshot, invitation_id, "accepted"))


def decline(store: Store, token: str) -> LobbyView:
    """Decline an invitation before the start, even after accepting it; the organiser gets an email.

    If the organiser declines, the match is called off. Declining again changes nothing. Raises NotFound,
    Closed.
    """
    with store.transaction() as connection:
        _decline(connection, snapshot_by_token(connection, token, lock=True))
        return snapshot_by_token(connection, token).view()


def _decline(connection: Connection, snapshot: LobbySnapshot) -> None:
    own, now = _own(snapshot), clock.now()
    if own.status == "declined":
        return
    if snapshot.status not in OPEN:
        raise Closed("called_off" if snapshot.status == "called_off" else "started")
    if own.status not in ("invited", "accepted"):
        raise Closed(own.status)
    if own.organiser:
        call_off_unstarted(connection, snapshot, now)
    invitations.decline(connection, now, own.id)
    if not own.organiser:
        enqueue(connection, now, answered_letter(snapshot, own.id, "declined"))


def call_off_unstarted(
    connection: Connection, snapshot: LobbySnapshot, now: datetime, why: str | None = None
) -> None:
    """Call off a match before its start and write to everyone invited except the organiser, who does it.

    `why`: LAPSED, if it has only waited for too long, or OPERATOR. Then the organiser is told too.
    """
    matches.call_off(connection, now, snapshot.match_id)
    enqueue(
        connection,
        now,
        *(
            LetterRequest(
                kind="called_off",
                once=f"called_off:{one.id}",
                match_id=snapshot.match_id,
                invitation_id=one.id,
                consequence=why,
            )
            for one in snapshot.invitations
            if one.status in ("invited", "accepted") and (why is not None or not one.organiser)
        ),
    )


def answered_letter(snapshot: LobbySnapshot, invitation_id: int, answer: str) -> LetterRequest:
    """The email that tells the organiser of a guest's answer."""
    return LetterRequest(
        kind="answered",
        once=f"answered:{invitation_id}:{answer}",
        match_id=snapshot.match_id,
        player_id=snapshot.organiser_id,
        guest_id=invitation_id,
    )


def _own(snapshot: LobbySnapshot) -> Invitation:
    assert snapshot.own is not None
    return snapshot.own
