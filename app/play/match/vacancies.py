"""Seats that others may take because their player is silent, until someone does or the player is back."""

from datetime import datetime

import msgspec

from app import clock
from app.engine.game import Seat
from app.play.match import chairs, invitations, seat_requests, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, played_by_people
from app.play.match.records import Viewer
from app.play.match.seat_requests import SeatRequest
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def open_seat(
    connection: Connection, now: datetime, match: MatchSnapshot, seat: Seat, by_seat: Seat | None = None
) -> bool:
    """Let others take the seat; its player keeps it until then. False: they already can.

    `by_seat`: the seat whose player decided it; None: the clock, of which the seat's own player is told by
    another email. All others get an email, because any of them may know somebody.
    """
    holder = match.holder(seat)
    if not chairs.open_seat(connection, now, holder.chair_id):
        return False
    knows = by_seat or seat
    return announce(
        connection,
        now,
        match.match_id,
        "seat_open",
        once=f"seat_open:{holder.chair_id}:{now.isoformat()}",
        to=[one for one in played_by_people(match) if one.seat != knows],
        seat=seat,
        by_seat=by_seat,
    )


def close_opening(connection: Connection, now: datetime, match: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """Give an open seat back to its player, with a full move's time, and end the offers of it.

    Returns the match with these changes, or the same if others could not take the seat.
    """
    holder = match.holder(seat)
    if holder.open_since is None or not chairs.close_seat(connection, holder.chair_id):
        return match
    end_offers(connection, now, match.match_id, seat)
    once = f"seat_back:{holder.chair_id}:{now.isoformat()}"
    announce(connection, now, match.match_id, "seat_back", once=once, seat=seat)
    closed = with_holder(match, msgspec.structs.replace(holder, open_since=None))
    return full_move(connection, now, msgspec.structs.replace(closed, news=match.news + 1), seat)


def end_offers(connection: Connection, now: datetime, match_id: int, seat: Seat) -> None:
    """Take back the offers of a seat that nobody has answered, and tell those who asked for it."""
    asked = [one for one in seat_requests.of_match(connection, match_id) if one.seat == seat]
    invitations.end_offers(connection, now, match_id, seat)
    enqueue(connection, now, *(answer_letter(match_id, one, "closed") for one in asked))


def answer_letter(match_id: int, request: SeatRequest, why: str) -> LetterRequest:
    """The letter to a person who asked for a seat and doesn't get it: refused, expired, closed, over."""
    return LetterRequest(
        kind="seat_answer",
        once=f"seat_answer:{request.invitation_id}:{request.asked_at.isoformat()}",
        match_id=match_id,
        seat=request.seat,
        player_id=request.player_id,
        invitation_id=request.invitation_id,
        consequence=why,
    )


def come_back(store: Store, viewer: Viewer, match_id: int) -> bool:
    """Let the viewer keep their seat, which others could take. False: they could not, nothing changed.

    Raises NotFound, Closed("over").
    """
    with store.transaction() as connection:
        match, seat = held(connection, match_id, viewer)
        return close_opening(connection, clock.now(), match, seat) is not match


def full_move(
    connection: Connection, now: datetime, match: MatchSnapshot, seat: Seat, *, anew: bool = False
) -> MatchSnapshot:
    """Give the seat, if its clock runs, at least the time of a full move; returns the match with it.

    `anew`: another player has it now.
    """
    question = turn_clocks.turns(match).get(seat)
    if question is None:
        return match
    allowed = max(match.rule.full_move, turn_clocks.left_of(match, question, now))
    return turn_clocks.wind(connection, now, match, seat, allowed, anew=anew)


def with_holder(match: MatchSnapshot, holder: SeatHolder) -> MatchSnapshot:
    """The match with one seat as given."""
    holders = tuple(holder if one.seat == holder.seat else one for one in match.holders)
    return msgspec.structs.replace(match, holders=holders)
