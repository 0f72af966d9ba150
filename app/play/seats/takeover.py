"""Take over an open seat of a running match by accepting its offer."""

from datetime import datetime

import msgspec

from app import clock
from app.engine.game import Seat
from app.people import service as people
from app.people.names import told_apart
from app.play.match import chairs, invitations, matches, notices, presence, questions, reading
from app.play.match.announce import announce
from app.play.match.locking import keys
from app.play.match.records import Closed, NotFound, Refused
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.match.vacancies import full_move
from app.play.moves import wishes
from app.play.moves.commit import asked_letter
from app.play.seats.offers import Offer, locked_offer
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def take(store: Store, token: str, name: str, language: str, zone: str) -> Offer:
    """Accept the offer of a seat and take it over. The first to accept gets it; twice is once.

    The seat's clock gets at least a full move's time. The links, notes and standing orders of the former
    player don't pass on. Raises NotFound, Refused(name, language, zone, "plays_already"), and Closed with
    the status of the offer: "over", "seat_closed", "declined", "offer_expired".
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
        _check(snapshot, found)
        player_id = people.keep(connection, found.address, found.key, name, language, zone)
        if any(holder.player_id == player_id for holder in snapshot.holders):
            raise Refused("plays_already")
        invitations.accept(connection, now, found.invitation_id, player_id)
        _replace(connection, now, snapshot, found.seat, player_id)
    presence.changed(store, player_id)  # a new time zone changes the deadlines of the player's other matches
    return msgspec.structs.replace(found, status="accepted", player_id=player_id)


def _check(snapshot: MatchSnapshot, found: Offer) -> None:
    """Raises Closed with the reason for which this offer can't be accepted."""
    if not snapshot.running:
        raise Closed("over", match_id=snapshot.match_id)
    if found.status == "declined":
        raise Closed("declined")
    if snapshot.holder(found.seat).open_since is None or found.status not in ("invited", "expired"):
        raise Closed("seat_closed", match_id=snapshot.match_id)
    if not found.stands:
        raise Closed("offer_expired")


def _replace(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, seat: Seat, player_id: int
) -> None:
    """Seat the new player and write to both. Raises Closed("seat_closed")."""
    match_id, former = snapshot.match_id, snapshot.holder(seat)
    if not chairs.vacate(connection, now, former.chair_id):
        raise Closed("seat_closed", match_id=match_id)
    heir = keys(snapshot)
    if former.player_id == snapshot.organiser_id and heir is not None:
        # Otherwise the new player, perhaps a stranger to everybody, would become the organiser.
        matches.set_organiser(connection, match_id, snapshot.holder(heir).player_id)
    bank = former.bank
    if bank is not None:
        bank = max(bank, snapshot.rule.full_move.total_seconds())
    last_notice = notices.last(connection, match_id)
    chair_id = chairs.succeed(connection, now, match_id, seat, player_id, bank, last_notice)
    wishes.end(connection, now, former.chair_id, snapshot.ply, "replaced")
    invitations.end_offers(connection, now, match_id, seat)
    questions.hand_over(connection, match_id, seat, snapshot.ply)
    fresh = reading.by_match(connection, match_id)
    assert fresh is not None
    full_move(connection, now, fresh, seat, anew=True)
    organisers = [holder for holder in fresh.holders if holder.seat == keys(fresh) != seat]
    once = f"seat_taken:{chair_id}"
    *_, before = told_apart([*(holder.name for holder in fresh.holders), former.name])
    announce(connection, now, match_id, "seat_taken", once=once, to=organisers, seat=seat, before=before)
    enqueue(connection, now, _welcome_letter(fresh, fresh.holder(seat)), _farewell_letter(fresh, former))


def _welcome_letter(snapshot: MatchSnapshot, holder: SeatHolder) -> LetterRequest:
    """The new player's first letter: their turn, or the fact that they play now."""
    if snapshot.asked(holder.seat):
        letter = asked_letter(snapshot.match_id, holder, snapshot.ply)
        return msgspec.structs.replace(letter, once=f"{letter.once}:{holder.chair_id}")
    return holder.letter(snapshot.match_id, "joined", f"joined:{holder.chair_id}")


def _farewell_letter(snapshot: MatchSnapshot, holder: SeatHolder) -> LetterRequest:
    return holder.letter(snapshot.match_id, "replaced", f"replaced:{holder.chair_id}")
