"""Invitations, acceptances, offers and requests of one person that still stand, and leaving them."""

from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.store.connection import Connection
from app.store.sql import Command, Query


class Open(msgspec.Struct, frozen=True):
    """An invitation to a game before its start, or an offer of a seat or a request for one, that stands."""

    id: int
    match_id: int
    organiser: bool
    seat: Seat


_OPEN = """SELECT i.id, i.match_id, i.organiser, i.seat FROM invitation i
           JOIN "match" m ON m.id = i.match_id
           WHERE {whose} AND (i.status IN ('waiting', 'invited', 'accepted') AND i.seat = ''
                              AND m.status IN ('unconfirmed', 'open')
                              OR i.status IN ('invited', 'asked') AND i.seat <> ''
                              AND m.status = 'running')
           ORDER BY i.match_id, i.id"""
_of_player = Query(Open, _OPEN.format(whose="i.player_id = :player_id"))
_of_key = Query(Open, _OPEN.format(whose="i.address_key = :key"))
_leave = Command(
    """UPDATE invitation SET status = 'declined', answered_at = :now
       WHERE id = :invitation_id AND status IN ('waiting', 'invited', 'accepted', 'asked')"""
)


def open_of(connection: Connection, player_id: int | None, key: str) -> list[Open]:
    """The invitations of a player and of an address that stand, by match."""
    found = _of_player.all(connection, player_id=player_id) if player_id is not None else []
    found += _of_key.all(connection, key=key)
    return sorted({one.id: one for one in found}.values(), key=lambda one: (one.match_id, one.id))


def leave(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Decline whatever stands: an invitation, an acceptance, a request. False: nothing did."""
    return _leave.run(connection, now=now, invitation_id=invitation_id) == 1
