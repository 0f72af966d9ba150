"""Changes by the organiser before the start: invitations, a start with fewer players, calling off."""

from datetime import datetime, timedelta

from app import clock
from app.people import bars
from app.people import service as people
from app.people.mailboxes import beside, mailbox_of
from app.play.lobby import limits
from app.play.lobby.invitations import call_off_unstarted
from app.play.lobby.letters import invitation_letter
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import OPEN, Invitation, LobbySnapshot, snapshot_of
from app.play.lobby.start import start
from app.play.match import invitations, matches
from app.play.match.invitations import Invite
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.store import outbox
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

MOST_AGAIN = 2
"""How often an invitation is sent again within DAY."""
DAY = timedelta(days=1)


def send_again(store: Store, viewer: Viewer, invitation_id: int) -> LobbyView:
    """Send an invitation again, at most once an hour and MOST_AGAIN times a day.

    Raises NotFound, Closed, Refused("too_often", "sent_again_enough", "invited_enough").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, invitation = _own_invitation(connection, viewer, invitation_id)
        if invitation.status != "invited":
            raise Closed(invitation.status)
        lately = outbox.times_of_invitation(connection, invitation.id, "invited", now - DAY)
        if len(lately) > MOST_AGAIN:
            raise Refused("sent_again_enough", most=MOST_AGAIN)
        host = next(mailbox_of(one.key) for one in snapshot.invitations if one.organiser)
        if limits.is_enough(connection, now, host, mailbox_of(invitation.key)):
            raise Refused("invited_enough", most=limits.MOST_TO_ONE)
        letter = invitation_letter(snapshot.match_id, invitation.id, again=f"{now:%Y%m%d%H}")
        if not enqueue(connection, now, letter):
            raise Refused("too_often", most=1)
        return snapshot.view()


def withdraw(store: Store, viewer: Viewer, invitation_id: int) -> LobbyView:
    """Withdraw an invitation that was not accepted. An invitee already written to gets an email.

    Raises NotFound, Closed.
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, invitation = _own_invitation(connection, viewer, invitation_id)
        if invitation.status not in ("waiting", "invited"):
            raise Closed(invitation.status)
        _withdraw_with_letter(connection, snapshot, invitation, now)
        return snapshot_of(connection, snapshot.match_id, viewer).view()


def take_out(store: Store, viewer: Viewer, invitation_id: int) -> LobbyView:
    """Take a guest who accepted out of a game before its start. Their link ends, and one email tells them.

    Twice is once. Raises NotFound, Closed.
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, invitation = _own_invitation(connection, viewer, invitation_id)
        if invitation.status not in ("accepted", "withdrawn"):
            raise Closed(invitation.status)
        if invitation.status == "accepted":
            _withdraw_with_letter(connection, snapshot, invitation, now)
        return snapshot_of(connection, snapshot.match_id, viewer).view()


def replace(store: Store, viewer: Viewer, invitation_id: int, address: str) -> LobbyView:
    """Invite another address in place of an invitation that was not accepted, or renew one that has ended.

    The invitation waits where a limit holds it back. If the address is that of a person here whose
    name alone the organiser knows, they see no difference.
    Raises NotFound, Closed, Refused("address", "other_address_barred", "own_address", "twice", "too_many" or
    "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        snapshot, invitation = _own_invitation(connection, viewer, invitation_id)
        if invitation.status == "accepted":
            raise Closed("accepted")
        bars.check(connection, key, "other_address_barred", address=address)
        known = next((one for one in snapshot.invitations if one.key == key), None)
        if known is not None and known.nameless:
            known, key = _beside(connection, snapshot, known, invitation)
        if known is not None and known.status not in ("withdrawn", "expired") and not known.asks_to_join:
            raise Refused("own_address" if known.organiser else "twice", address=address)
        pending = invitation.status in ("invited", "waiting")
        if snapshot.free + pending < 1:
            raise Refused("too_many", free=0, given=1)
        if pending:
            _withdraw_with_letter(connection, snapshot, invitation, now)
        if known is not None:
            invitations.wait(connection, known.id)
            new_id = known.id
        else:
            invite = Invite(address, key, status="waiting")
            (new_id,) = invitations.write(connection, snapshot.match_id, [invite])
        letters = limits.let_out(connection, now, snapshot.match_id)
        if not letters and not invitations.waits(connection, new_id):
            raise Refused("too_often", most=1)
        return snapshot_of(connection, snapshot.match_id, viewer).view()


def _beside(
    connection: Connection, snapshot: LobbySnapshot, known: Invitation, replaced: Invitation
) -> tuple[Invitation | None, str]:
    """The invitation and the key for an address that is already here under a name.

    One that has ended, or ends now, makes room for a new one. Beside one that stands the organiser gets a row
    like any other, of which no email goes out: its owner has been asked.
    """
    if known.id == replaced.id or known.status not in ("invited", "waiting", "accepted"):
        invitations.part(connection, known.id, beside(known.key, known.id))
        return None, known.key
    key = beside(known.key)
    return next((one for one in snapshot.invitations if one.key == key), None), key


def start_with_fewer(store: Store, viewer: Viewer, match_id: int) -> LobbyView:
    """Start with the players who accepted, and withdraw the unanswered invitations.

    Raises NotFound, Closed, Refused("too_few"), and BadOptions if the options don't suit that few players.
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot = _own_match(connection, viewer, match_id)
        game = snapshot.game
        seats = snapshot.count("accepted") + snapshot.bots
        if seats not in game.seats:
            raise Refused("too_few", least=game.seats[0], given=seats)
        kept: dict[str, str] = {}
        for option in game.options:
            fits = option.available(seats, kept)
            kept[option.name] = (
                snapshot.options.get(option.name, option.choices[0]) if fits else option.choices[0]
            )
        filled = game.complete_options(seats, kept)
        for invitation in snapshot.invitations:
            if invitation.status in ("waiting", "invited"):
                _withdraw_with_letter(connection, snapshot, invitation, now)
        matches.shrink(connection, match_id, seats, filled)
        start(connection, match_id)
        return snapshot_of(connection, match_id, viewer).view()


def call_off(store: Store, viewer: Viewer, match_id: int) -> LobbyView:
    """Call off the match and write to everyone invited. Raises NotFound, Closed."""
    now = clock.now()
    with store.transaction() as connection:
        call_off_unstarted(connection, _own_match(connection, viewer, match_id, confirmed=False), now)
        return snapshot_of(connection, match_id, viewer).view()


def _withdraw_with_letter(
    connection: Connection, snapshot: LobbySnapshot, invitation: Invitation, now: datetime
) -> None:
    invitations.withdraw(connection, now, invitation.id)
    if invitation.status == "accepted" or (invitation.status == "invited" and not invitation.joins):
        letter = LetterRequest(
            kind="withdrawn",
            once=f"withdrawn:{invitation.id}",
            match_id=snapshot.match_id,
            invitation_id=invitation.id,
        )
        enqueue(connection, now, letter)


def _own_match(
    connection: Connection, viewer: Viewer, match_id: int, *, confirmed: bool = True
) -> LobbySnapshot:
    """A match organised by the viewer, locked.

    Raises NotFound, Closed("started", "called_off" or, if `confirmed`, "unconfirmed").
    """
    snapshot = snapshot_of(connection, match_id, viewer, lock=True)
    if not snapshot.organised:
        raise NotFound("match")
    if snapshot.status not in OPEN:
        raise Closed("called_off" if snapshot.status == "called_off" else "started")
    if confirmed and snapshot.status == "unconfirmed":
        raise Closed("unconfirmed")
    return snapshot


def _own_invitation(
    connection: Connection, viewer: Viewer, invitation_id: int
) -> tuple[LobbySnapshot, Invitation]:
    """A match organised by the viewer, locked, and another player's invitation to it.

    Raises NotFound, Closed.
    """
    match_id = invitations.match_of(connection, invitation_id)
    if match_id is None:
        raise NotFound("invitation")
    snapshot = _own_match(connection, viewer, match_id)
    invitation = next(one for one in snapshot.invitations if one.id == invitation_id)
    if invitation.organiser:
        raise NotFound("invitation")
    return snapshot, invitation
