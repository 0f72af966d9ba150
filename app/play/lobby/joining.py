"""Taking a free seat before the start without an invitation: of a listed game, or by its link to share.

A seat is taken by a player who is signed in, or by an address once the link of an email has confirmed it.
Until then the request keeps no seat, counts against no limit of the host, and the host does not see it.
"""

from datetime import datetime, timedelta

from app import clock
from app.people import bars, blocks, equal_work, recipients
from app.people import service as people
from app.people.mailboxes import mailbox_of
from app.play.lobby.invitations import joined
from app.play.lobby.limits import check_listed
from app.play.lobby.records import LobbyView
from app.play.lobby.snapshot import OPEN, Invitation, LobbySnapshot, snapshot_of, unstarted
from app.play.match import invitations, join_requests, matches
from app.play.match.invitations import Invite
from app.play.match.lifetimes import ASKING
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.store import outbox
from app.store.connection import Connection
from app.store.locks import hold_counter, hold_match
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.sql import is_key

MOST_ASKING = 20
"""Addresses in an hour that ask to join one game and haven't confirmed it."""
MOST_OF_MAILBOX = 3
"""Emails to one mailbox in a day that strangers ask for in its name, offers of open seats among them."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OWN_WISH = "own_wish"


def joinable(store: Store, match_id: int, share: int = 0) -> LobbyView:
    """A game before its start that is listed, or to which the shared link with this number leads.

    It is shown as to people without an invitation. Raises NotFound: it isn't open to them, or has begun.
    """
    with store.reading() as connection:
        return _open_to_all(connection, match_id, share).view()


def join(store: Store, player_id: int, match_id: int, share: int = 0) -> LobbyView:
    """Take a free seat as a signed-in player; the last one starts the game. Twice is once.

    An invitation to the player is accepted instead. Raises NotFound, Closed("full"), Refused("cannot_join",
    "own_address_barred").
    """
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)
        snapshot = _open_to_all(connection, match_id, share)
        person = recipients.by_id(connection, player_id)
        known = next((one for one in snapshot.invitations if player_id == one.player_id), None)
        known = known or next((one for one in snapshot.invitations if one.key == person.address_key), None)
        if known is None or known.status != "accepted":
            bars.check(connection, person.address_key)
            _check_welcome(connection, snapshot, known, player_id)
            invitation_id = _held_seat(connection, now, snapshot, known, (person.address, person.address_key))
            if not invitations.accept(connection, now, invitation_id, player_id):
                raise Closed("full")
            joined(connection, now, snapshot, invitation_id, host=False)
        return snapshot_of(connection, match_id, Viewer(player_id=player_id)).view()


def ask_to_join(store: Store, address: str, match_id: int, share: int = 0, language: str = "") -> None:
    """Send the owner of an address a link by which they take a free seat, if one is left then.

    `language` is that of the email to people who don't play here yet. The answer doesn't reveal whether the
    address is known here, plays, or has had enough such emails. Raises NotFound, Closed("full"),
    Refused("address", "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)
        snapshot = _open_to_all(connection, match_id, share)
        if snapshot.free < 1:
            raise Closed("full")
        if join_requests.count_joins(connection, match_id, now - HOUR) >= MOST_ASKING:
            raise Refused("too_often", most=MOST_ASKING)
        equal_work.work(connection, now, f"join {match_id}", key)
        known = next((one for one in snapshot.invitations if one.key == key), None)
        player_id = people.player_with_key(connection, key)
        mailbox = mailbox_of(key)
        hold_counter(connection, f"wishes:{mailbox}")
        if (bar := bars.of(connection, key)) is not None:
            enqueue(connection, now, *([bars.notice(player_id, bar)] if player_id is not None else []))
            return
        if outbox.count_wishes(connection, mailbox, now - DAY) >= MOST_OF_MAILBOX:
            return
        try:
            _check_welcome(connection, snapshot, known, player_id)
        except Refused:
            return
        if known is not None and known.status in ("accepted", "waiting"):
            return
        invitation_id = _asked(connection, now, snapshot, known, (address, key), language)
        once = f"join:{invitation_id}:{now:%Y%m%d%H}"
        letter = LetterRequest(
            kind="join", once=once, match_id=match_id, invitation_id=invitation_id, offer=OWN_WISH
        )
        enqueue(connection, now, letter)


def list_game(store: Store, viewer: Viewer, match_id: int, *, listed: bool) -> LobbyView:
    """List a game of the viewer among those that anybody may join, or no longer.

    Raises NotFound, Closed, Refused("private_listed", "listed_most").
    """
    with store.transaction() as connection:
        snapshot = _own(connection, viewer, match_id)
        if listed and not snapshot.joinable:
            if snapshot.private:
                raise Refused("private_listed")
            check_listed(connection, next(one.key for one in snapshot.invitations if one.organiser))
        matches.set_joinable(connection, match_id, joinable=listed)
        return snapshot_of(connection, match_id, viewer).view()


def share(store: Store, viewer: Viewer, match_id: int, *, shared: bool) -> LobbyView:
    """Make the link to share of a game, or end it; a new link has another number. Raises NotFound, Closed."""
    with store.transaction() as connection:
        snapshot = _own(connection, viewer, match_id)
        if shared and snapshot.share <= 0:
            matches.set_share(connection, match_id, 1 - snapshot.share)
        elif not shared and snapshot.share > 0:
            matches.set_share(connection, match_id, -snapshot.share)
        return snapshot_of(connection, match_id, viewer).view()


def _open_to_all(connection: Connection, match_id: int, share: int) -> LobbySnapshot:
    if not is_key(match_id):
        raise NotFound("match")
    snapshot = unstarted(connection, match_id)
    by_link = 0 < share == snapshot.share
    if snapshot.status != "open" or not (by_link or (snapshot.joinable and not snapshot.private)):
        raise NotFound("match")
    return snapshot


def _check_welcome(
    connection: Connection, snapshot: LobbySnapshot, known: Invitation | None, player_id: int | None
) -> None:
    """Raises Refused("cannot_join") for people that the host has taken out or blocked, with one reason."""
    host = snapshot.organiser_id
    blocked = host is not None and player_id is not None and blocks.blocks(connection, host, player_id)
    if blocked or (known is not None and known.status == "withdrawn"):
        raise Refused("cannot_join")


def _held_seat(
    connection: Connection,
    now: datetime,
    snapshot: LobbySnapshot,
    known: Invitation | None,
    recipient: tuple[str, str],
) -> int:
    """The invitation that a signed-in player may accept: the host's, or one at their own request."""
    kept = known is not None and known.status in ("invited", "waiting") and not known.joins
    if not kept and snapshot.free < 1:
        raise Closed("full")
    return _asked(connection, now, snapshot, known, recipient, "")


def _asked(
    connection: Connection,
    now: datetime,
    snapshot: LobbySnapshot,
    known: Invitation | None,
    recipient: tuple[str, str],
    language: str,
) -> int:
    """The number of an invitation that can be answered now."""
    address, key = recipient
    if known is None:
        ends = now + ASKING
        invite = Invite(address, key, invited_at=now, expires_at=ends, joins=True, language=language)
        return invitations.write(connection, snapshot.match_id, [invite])[0]
    if known.status != "invited" or known.joins:
        joins = known.joins or known.status != "waiting"
        join_requests.ask_to_join(connection, now, known.id, now + ASKING, joins=joins)
    return known.id


def _own(connection: Connection, viewer: Viewer, match_id: int) -> LobbySnapshot:
    """A game of the viewer before its start, locked. Raises NotFound, Closed."""
    snapshot = snapshot_of(connection, match_id, viewer, lock=True)
    if not snapshot.organised:
        raise NotFound("match")
    if snapshot.status not in OPEN:
        raise Closed("called_off" if snapshot.status == "called_off" else "started")
    if snapshot.status == "unconfirmed":
        raise Closed("unconfirmed")
    return snapshot
