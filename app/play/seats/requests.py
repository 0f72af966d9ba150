"""Requests for an open seat of a running match: made, decided on by those who may, and ended by time."""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Seat
from app.play.clock import rules
from app.play.clock.rules import Calendar
from app.play.match import invitations, lifetimes, notices, reading, seat_requests, site_stops
from app.play.match.announce import announce
from app.play.match.locking import held, played_by_people
from app.play.match.records import Closed, Refused, SeatRequestView, Viewer
from app.play.match.seat_requests import SeatRequest
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import answer_letter
from app.play.seats import giving
from app.play.seats.succession import replace
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.outbox import enqueue
from app.store.session import Store

MOST = 200
"""Requests that one sweep looks at."""
MOST_TOLD = 5
"""Requests of a match that wait, made within DAY, and calls for votes within DAY.

The pages list further ones, and no email tells of them.
"""
DAY = timedelta(days=1)


def open_requests(
    connection: Connection, match: MatchSnapshot, own: Seat | None, now: datetime
) -> tuple[SeatRequestView, ...]:
    """The requests for seats on which the player of a seat may decide."""
    if own is None or not match.running or all(one.open_since is None for one in match.holders):
        return ()
    found = []
    for one in seat_requests.of_match(connection, match.match_id):
        may = giving.deciders(match, one.seat, one.asked_at, now)
        if own in may.seats:
            votes = _votes(match, one)
            cast = [votes[seat] for seat in may.others if seat in votes]
            found.append(
                SeatRequestView(
                    one.invitation_id,
                    one.seat,
                    one.name,
                    one.asked_at,
                    by_vote=own != may.host,
                    mine=votes.get(own),
                    yes=cast.count(True),
                    no=cast.count(False),
                    voters=len(may.others),
                )
            )
    return tuple(found)


def ask(connection: Connection, now: datetime, match: MatchSnapshot, request: SeatRequest) -> None:
    """Tell the log, and those who may decide, that a person asks for an open seat.

    Emails tell of MOST_TOLD in a day that wait, because anybody can ask by many addresses.
    """
    asked = seat_requests.of_match(connection, match.match_id)
    lately = [one for one in asked if one.invitation_id != request.invitation_id and now - one.asked_at < DAY]
    may = giving.deciders(match, request.seat, now, now)
    seats = may.seats or tuple(one.seat for one in played_by_people(match) if one.seat != request.seat)
    announce(
        connection,
        now,
        match.match_id,
        "seat_asked",
        once=f"seat_asked:{request.invitation_id}:{now.isoformat()}",
        to=[match.holder(seat) for seat in seats] if len(lately) < MOST_TOLD else [],
        seat=request.seat,
        name=request.name,
        host=may.host is not None,
    )


def decide(store: Store, viewer: Viewer, match_id: int, invitation_id: int, *, agree: bool) -> str:
    """Give a seat to the person who asks for it, or don't. Returns "given", "refused" or "voted".

    The organiser decides alone; of the others, where they decide, each has a vote. Raises NotFound,
    Closed("over", "request_gone"), Refused("not_organiser", "plays_already").
    """
    now = clock.now()
    with store.transaction() as connection:
        match, own = held(connection, match_id, viewer)
        asked = (one for one in seat_requests.of_match(connection, match_id))
        request = next((one for one in asked if one.invitation_id == invitation_id), None)
        if request is None or match.holder(request.seat).open_since is None:
            raise Closed("request_gone", match_id=match_id)
        may = giving.deciders(match, request.seat, request.asked_at, now)
        if own not in may.seats:
            raise Refused("not_organiser")
        result: bool | None = agree
        if own != may.host:
            votes = _votes(match, request) | {own: agree}
            chairs = {str(match.holder(seat).chair_id): vote for seat, vote in votes.items()}
            seat_requests.set_votes(connection, invitation_id, chairs)
            notices.touch(connection, match_id)
            result = giving.agreed(may.others, votes)
        if result is None:
            return "voted"
        if result:
            give(connection, now, match, request)
            return "given"
        if seat_requests.refuse(connection, now, invitation_id):
            enqueue(connection, now, answer_letter(match_id, request, "refused"))
        return "refused"


def give(connection: Connection, now: datetime, match: MatchSnapshot, request: SeatRequest) -> None:
    """Seat the person who asked. Raises Closed("request_gone"), Refused("plays_already")."""
    if any(holder.player_id == request.player_id for holder in match.holders):
        raise Refused("plays_already")
    if not seat_requests.give(connection, now, request.invitation_id):
        raise Closed("request_gone", match_id=match.match_id)
    replace(connection, now, match, request.seat, request.player_id)


def look_after(store: Store) -> int:
    """End requests that nobody answered in fourteen days, and give the others a say after seven.

    They go by the law of all clocks. Returns the number of requests that something was done about.
    """
    done = 0
    with store.reading() as connection:
        found = seat_requests.to_look_at(connection, clock.now(), MOST)
    for invitation_id, match_id in ((one.invitation_id, one.match_id) for one in found):
        with store.transaction() as connection:
            hold_match(connection, match_id)
            done += _look_after(connection, clock.now(), match_id, invitation_id)
    return done


def _look_after(connection: Connection, now: datetime, match_id: int, invitation_id: int) -> bool:
    match = reading.by_match(connection, match_id)
    stops = site_stops.known(connection, now)
    asked = (one for one in seat_requests.of_match(connection, match_id))
    request = next((one for one in asked if one.invitation_id == invitation_id), None)
    if match is None or request is None or rules.standing_still(now, Calendar(stops=stops)) is not None:
        return False
    until = lifetimes.ends(request.asked_at, request.zone, stops, None)
    if not match.running or (until is not None and until <= now):
        if not invitations.expire(connection, invitation_id):
            return False
        notices.touch(connection, match_id)  # the players' pages show the request
        why = "expired" if match.running else "over"
        return enqueue(connection, now, answer_letter(match_id, request, why)) == 1
    may = giving.deciders(match, request.seat, request.asked_at, now)
    if may.free:
        give(connection, now, match, request)
        return True
    told = False
    if may.others and not request.reminded:
        told = seat_requests.remind(connection, now, invitation_id)
        many = notices.count_since(connection, match_id, "seat_vote", now - DAY)
        announce(
            connection,
            now,
            match_id,
            "seat_vote",
            once=f"seat_vote:{invitation_id}:{now.isoformat()}",
            to=[match.holder(seat) for seat in may.others] if many < MOST_TOLD else [],
            seat=request.seat,
            name=request.name,
        )
    invitations.prolong(connection, invitation_id, min(now + lifetimes.LOOK_EVERY, until or now))
    return told


def _votes(match: MatchSnapshot, request: SeatRequest) -> dict[Seat, bool]:
    """The votes of those who still play, by seat."""
    chairs = {str(one.chair_id): one.seat for one in match.holders}
    return {chairs[key]: vote for key, vote in request.votes.items() if key in chairs}
