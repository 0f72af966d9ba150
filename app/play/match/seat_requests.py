"""The rows of requests for an open seat: invitations whose guests ask for the seat. Every change to them."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from app.engine import codec
from app.engine.game import Seat
from app.store.connection import Connection
from app.store.sql import Command, Query

_ask = Command(
    """UPDATE invitation SET status = 'asked', player_id = :player_id, invited_at = :now, answered_at = :now,
                             expires_at = :look_at, reminded_at = NULL
       WHERE id = :invitation_id AND status = 'invited'"""
)
_give = Command(
    """UPDATE invitation SET status = 'accepted', answered_at = :now
       WHERE id = :invitation_id AND status = 'asked'"""
)
_refuse = Command(
    """UPDATE invitation SET status = 'refused', answered_at = :now
       WHERE id = :invitation_id AND status = 'asked'"""
)
_set_votes = Command("UPDATE invitation SET votes = :votes WHERE id = :invitation_id")
_votes = Query(dict[str, bool], "SELECT votes FROM invitation WHERE id = :invitation_id")
_mark_given = Command("UPDATE invitation SET given = :given WHERE id = :invitation_id")
_remind_of_request = Command(
    """UPDATE invitation SET reminded_at = :now
       WHERE id = :invitation_id AND status = 'asked' AND reminded_at IS NULL"""
)


class SeatRequest(msgspec.Struct, frozen=True):
    """A request for an open seat, by a person who has confirmed the address."""

    invitation_id: int
    match_id: int
    seat: Seat
    player_id: int
    name: str
    asked_at: datetime
    zone: str = "UTC"
    votes: dict[str, bool] = {}
    """By the number of the chair, whether its player agrees."""
    reminded: bool = False
    """Those who decide where the organiser doesn't were asked."""


_seat_requests = Query(
    SeatRequest,
    """SELECT i.id AS invitation_id, i.match_id, i.seat, p.id AS player_id, p.name, i.invited_at AS asked_at,
              p.zone, i.votes, i.reminded_at IS NOT NULL AS reminded
       FROM invitation i JOIN player p ON p.id = i.player_id
       WHERE i.match_id = :match_id AND i.status = 'asked' ORDER BY i.id""",
)
_requests_to_look_at = Query(
    SeatRequest,
    """SELECT i.id AS invitation_id, i.match_id, i.seat, p.id AS player_id, p.name, i.invited_at AS asked_at,
              p.zone, i.votes, i.reminded_at IS NOT NULL AS reminded
       FROM invitation i JOIN player p ON p.id = i.player_id
       WHERE i.status = 'asked' AND i.expires_at <= :now ORDER BY i.expires_at LIMIT :most""",
)


def of_match(connection: Connection, match_id: int) -> list[SeatRequest]:
    """The requests for open seats of a match that wait for an answer, the first one first."""
    return _seat_requests.all(connection, match_id=match_id)


def to_look_at(connection: Connection, now: datetime, most: int) -> list[SeatRequest]:
    """The requests of all matches that are to be looked at by now."""
    return _requests_to_look_at.all(connection, now=now, most=most)


def ask(connection: Connection, now: datetime, invitation_id: int, player_id: int, look_at: datetime) -> bool:
    """Make an offer a request of its player, to be looked at by a moment. False: it was answered."""
    values = {"invitation_id": invitation_id, "player_id": player_id, "look_at": look_at}
    return _ask.run(connection, now=now, **values) == 1


def give(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Mark a request as granted. False: it doesn't wait any more."""
    return _give.run(connection, now=now, invitation_id=invitation_id) == 1


def refuse(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Mark a request as refused. False: it doesn't wait any more."""
    return _refuse.run(connection, now=now, invitation_id=invitation_id) == 1


def set_votes(connection: Connection, invitation_id: int, votes: Mapping[str, bool]) -> None:
    """Keep the votes on a request, by the number of the chair."""
    _set_votes.run(connection, invitation_id=invitation_id, votes=codec.dumps(dict(votes)))


def votes(connection: Connection, invitation_id: int) -> dict[str, bool]:
    """The votes on a request."""
    return _votes.one(connection, invitation_id=invitation_id)


def mark_given(connection: Connection, invitation_id: int, *, given: bool) -> None:
    """Keep whether the organiser offers the seat."""
    _mark_given.run(connection, invitation_id=invitation_id, given=given)


def remind(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Mark that the others were asked about a request. False: they were before."""
    return _remind_of_request.run(connection, now=now, invitation_id=invitation_id) == 1
