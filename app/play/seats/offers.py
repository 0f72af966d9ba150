"""Offers of a seat of a running match that looks for another player: made, shown, declined."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.engine.game import Game, Seat
from app.people import bars, equal_work
from app.people import service as people
from app.people.mailboxes import mailbox_of
from app.play.lobby import limits
from app.play.lobby.invitations import OPERATOR
from app.play.lobby.letters import seat_offer_letter
from app.play.match import invitations, lifetimes, seat_requests, site_stops
from app.play.match.editions import rules_of
from app.play.match.invitations import Invite
from app.play.match.links import key_of
from app.play.match.locking import held, held_running, keys
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.seats import giving
from app.store import outbox
from app.store.connection import Connection
from app.store.locks import hold_counter, hold_match
from app.store.outbox import enqueue
from app.store.session import Store
from app.store.sql import Query

MOST_OFFERS = 20
"""Open offers of one seat by its game's players. Those that strangers ask for count apart, in an hour."""
MOST_WISHES = 3
"""Offers of seats to one mailbox in a day at the wish of strangers: who is signed in as its owner is none."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OWN_WISH = "own_wish"


class Offer(msgspec.Struct, frozen=True):
    """A seat of a running match, as offered by an invitation."""

    invitation_id: int
    match_id: int
    seat: Seat
    status: str
    """invited, accepted, declined, withdrawn, expired."""
    player_id: int | None
    address: str
    key: str
    slug: str
    edition: int
    given: bool
    """The organiser offers it: accepting takes the seat."""
    over: bool
    """Its time is up, though no sweep may have marked it yet."""

    @property
    def game(self) -> Game:
        """The rules of the match."""
        return rules_of(self.slug, self.edition)

    @property
    def stands(self) -> bool:
        """It can be accepted: it has neither been answered nor expired."""
        return self.status == "invited" and not self.over

    @property
    def ended(self) -> bool:
        """It expired without an answer."""
        return self.status == "expired" or (self.status == "invited" and self.over)


class _Row(msgspec.Struct, frozen=True):
    """An offer as it is stored."""

    invitation_id: int
    match_id: int
    seat: Seat
    status: str
    player_id: int | None
    address: str
    key: str
    slug: str
    edition: int
    invited_at: datetime | None
    expires_at: datetime | None
    zone: str | None
    given: bool


_by_token = Query(
    _Row,
    """SELECT i.id AS invitation_id, i.match_id, i.seat, i.status, i.player_id, i.address,
              i.address_key AS key, m.game AS slug, m.edition, i.invited_at, i.expires_at, p.zone,
              i.given
       FROM token t JOIN invitation i ON i.id = t.invitation_id JOIN "match" m ON m.id = i.match_id
       LEFT JOIN player p ON p.address_key = i.address_key
       WHERE t.hash = :hash AND t.purpose = 'invitation' AND t.ended_at IS NULL AND i.seat <> ''""",
)


def offer(store: Store, viewer: Viewer, match_id: int, seat: Seat, address: str) -> None:
    """Offer an open seat to the owner of an address, at most once an hour. For organisers.

    Where the organiser is gone, the offer of the one who has their tools needs the agreement of the others.

    Nothing is sent, and nothing said, where the address is a player's of this match: the organiser need not
    know whose seat an address belongs to. Raises NotFound, Closed("over", "seat_closed"),
    Refused("not_organiser", "address", "other_address_barred", "too_often", "invited_enough").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        snapshot, own = held(connection, match_id, viewer)
        if own != keys(snapshot):
            raise Refused("not_organiser")
        host = giving.organiser(snapshot)
        bars.check(connection, key, "other_address_barred", address=address)
        invitation_id = _offer(connection, now, snapshot, seat, (address, key), None)
        if invitation_id is None:
            return
        if host is not None and host.seat == own:
            seat_requests.mark_given(connection, invitation_id, given=True)
        else:  # the next in turn has the tools of an organiser that is gone, and one vote like the others
            chair = str(snapshot.holder(own).chair_id)
            seat_requests.set_votes(connection, invitation_id, {chair: True})


def offer_by_operator(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, seat: Seat, address: str, key: str
) -> None:
    """Offer an open seat to the owner of an address: accepting takes it. The match is locked.

    Raises Closed("seat_closed").
    """
    invitation_id = _offer(connection, now, snapshot, seat, (address, key), OPERATOR)
    if invitation_id is not None:
        seat_requests.mark_given(connection, invitation_id, given=True)


def request_offer(
    store: Store, match_id: int, seat: Seat, address: str, by: int | None = None, language: str = ""
) -> None:
    """Send an offer of an open seat to the owner of an address, at their own request.

    `by` is the signed-in player who asks: what strangers ask for in their name is not counted against them.
    `language` is that of the email to people who don't play here yet. The answer doesn't reveal whether the
    address already plays here, or has enough invitations or wishes.
    Raises NotFound, Closed("over", "seat_closed"), Refused("address", "too_often").
    """
    address, key = people.check_address(address)
    now = clock.now()
    with store.transaction() as connection:
        snapshot = held_running(connection, match_id)
        equal_work.work(connection, now, f"wish {match_id}", key)
        own = by is not None and by == people.player_with_key(connection, key)
        _offer(connection, now, snapshot, seat, (address, key), OWN_WISH, counts=not own, language=language)


def offer_by_token(store: Store, token: str) -> Offer | None:
    """The offer of an invitation's link, or None if the link offers no seat."""
    with store.reading() as connection:
        return _read(connection, token)


def decline(store: Store, token: str) -> Offer:
    """Decline an offer. Twice is once. Raises NotFound, Closed with the status of the offer."""
    now = clock.now()
    with store.transaction() as connection:
        found = locked_offer(connection, token)
        if found.status == "declined":
            return found
        if found.status != "invited" or not invitations.decline(connection, now, found.invitation_id):
            reasons = {"withdrawn": "seat_closed", "expired": "offer_expired", "invited": "offer_expired"}
            raise Closed(reasons.get(found.status, found.status))
        return msgspec.structs.replace(found, status="declined")


def locked_offer(connection: Connection, token: str) -> Offer:
    """The offer of an invitation's link, with its match locked. Raises NotFound."""
    found = _read(connection, token)
    if found is not None:
        hold_match(connection, found.match_id)
        found = _read(connection, token)
    if found is None:
        raise NotFound("invitation")
    return found


def _read(connection: Connection, token: str) -> Offer | None:
    row = _by_token.first(connection, hash=key_of(token))
    if row is None:
        return None
    now = clock.now()
    stops = site_stops.known(connection, now)
    over = lifetimes.over(row.invited_at, row.zone, stops, row.expires_at, now)
    return msgspec.convert(msgspec.structs.asdict(row) | {"over": over}, Offer)


def _offer(
    connection: Connection,
    now: datetime,
    snapshot: MatchSnapshot,
    seat: Seat,
    recipient: tuple[str, str],
    by: str | None,
    *,
    counts: bool = True,
    language: str = "",
) -> int | None:
    """The number of the offer that is sent; None: nothing is, which the answer to the form must not tell."""
    address, key = recipient
    match_id = snapshot.match_id
    zone = people.zone_with_key(connection, key)
    ends = lifetimes.first_end(now, zone)
    if seat not in snapshot.seats or snapshot.holder(seat).open_since is None:
        raise Closed("seat_closed", match_id=match_id)
    wished = by == OWN_WISH and counts
    if wished and invitations.count_wishes(connection, match_id, seat, now - HOUR) >= MOST_OFFERS:
        raise Refused("too_often", most=MOST_OFFERS)  # first, so that it tells nothing of the address
    player_id = people.player_with_key(connection, key)
    if player_id is not None and any(holder.player_id == player_id for holder in snapshot.holders):
        return None
    if bars.of(connection, key) is not None:
        return None
    if wished and _wished_enough(connection, now, mailbox_of(key)):
        return None
    if by is None and _invited_enough(connection, now, match_id, mailbox_of(key)):
        raise Refused("invited_enough", most=limits.MOST_TO_ONE)
    known = invitations.of_address(connection, match_id, key)
    stops = site_stops.known(connection, now)
    if (
        known is not None
        and known.offers(seat)
        and not lifetimes.over(known.invited_at, zone, stops, known.expires_at, now)
    ):
        invitation_id = known.id
    elif known is not None and (known.seat, known.status) == (seat, "asked") and by is not None:
        return known.id  # they wait for an answer
    elif by is None and invitations.count_offers(connection, match_id, seat) >= MOST_OFFERS:
        raise Refused("too_often", most=MOST_OFFERS)
    elif known is not None:
        invitation_id = known.id
        invitations.invite_again(connection, now, invitation_id, ends, seat)
        seat_requests.mark_given(connection, invitation_id, given=False)
    else:
        invite = Invite(address, key, seat=seat, invited_at=now, expires_at=ends, language=language)
        (invitation_id,) = invitations.write(connection, match_id, [invite])
    enqueue(connection, now, seat_offer_letter(match_id, invitation_id, now, by))
    return invitation_id


def _wished_enough(connection: Connection, now: datetime, mailbox: str) -> bool:
    hold_counter(connection, f"wishes:{mailbox}")
    return outbox.count_wishes(connection, mailbox, now - DAY) >= MOST_WISHES


def _invited_enough(connection: Connection, now: datetime, match_id: int, mailbox: str) -> bool:
    host = invitations.host_mailbox(connection, match_id)
    return host is not None and limits.is_enough(connection, now, host, mailbox)
