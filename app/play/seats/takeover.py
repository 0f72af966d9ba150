"""Take over an open seat of a running match by accepting its offer, or ask for it where others must agree."""

from datetime import datetime

import msgspec

from app import clock
from app.people import service as people
from app.play.match import invitations, lifetimes, presence, reading, seat_requests
from app.play.match.records import Closed, NotFound, Refused
from app.play.match.seat_requests import SeatRequest
from app.play.match.snapshot import MatchSnapshot
from app.play.seats import giving, requests
from app.play.seats.offers import Offer, locked_offer
from app.play.seats.succession import replace
from app.store.connection import Connection
from app.store.session import Store


def take(store: Store, token: str, name: str, language: str, zone: str) -> Offer:
    """Accept the offer of a seat: take it over, or ask those who may give it. Twice is once.

    An offer of the organiser takes the seat; the first to accept gets it. Otherwise `giving` says who must
    agree, and the offer's status is "asked" from then on. The seat's clock gets at least a full move's time.
    The links, notes and standing orders of the former player don't pass on. Raises NotFound, Refused(name,
    language, zone, "plays_already"), and Closed with the status of the offer: "over", "seat_closed",
    "declined", "offer_expired".
    """
    name = people.clean_name(name)
    language, zone = people.check_language(language), people.check_zone(zone)
    now = clock.now()
    with store.transaction() as connection:
        found = locked_offer(connection, token)
        snapshot = reading.by_match(connection, found.match_id)
        if snapshot is None:
            raise NotFound("invitation")
        if found.status == "accepted" and found.player_id == snapshot.holder(found.seat).player_id:
            return found
        if found.status == "asked" and snapshot.running:
            return found
        _check(snapshot, found)
        player_id = people.keep(connection, found.address, found.key, name, language, zone)
        if any(holder.player_id == player_id for holder in snapshot.holders):
            raise Refused("plays_already")
        taken = found.given or _is_free(connection, snapshot, found, now)
        if taken:
            invitations.accept(connection, now, found.invitation_id, player_id)
            replace(connection, now, snapshot, found.seat, player_id)
        else:
            look_at = lifetimes.first_look(now)
            seat_requests.ask(connection, now, found.invitation_id, player_id, look_at)
            request = SeatRequest(found.invitation_id, found.match_id, found.seat, player_id, name, now)
            requests.ask(connection, now, snapshot, request)
    presence.changed(store, player_id)  # a new time zone changes the deadlines of the player's other matches
    return msgspec.structs.replace(found, status="accepted" if taken else "asked", player_id=player_id)


def _is_free(connection: Connection, snapshot: MatchSnapshot, found: Offer, now: datetime) -> bool:
    """Whether nobody must agree any more before the seat is taken."""
    may = giving.deciders(snapshot, found.seat, now, now)
    if may.free or not may.others:
        return may.free
    votes = seat_requests.votes(connection, found.invitation_id)
    seats = {one.seat: votes[str(one.chair_id)] for one in snapshot.holders if str(one.chair_id) in votes}
    return giving.agreed(may.others, seats) is True


def _check(snapshot: MatchSnapshot, found: Offer) -> None:
    """Raises Closed with the reason for which this offer can't be accepted."""
    if not snapshot.running:
        raise Closed(snapshot.why_closed, match_id=snapshot.match_id)
    if found.status == "declined":
        raise Closed("declined")
    if snapshot.holder(found.seat).open_since is None or found.status not in ("invited", "expired"):
        raise Closed("seat_closed", match_id=snapshot.match_id)
    if not found.stands:
        raise Closed("offer_expired")
