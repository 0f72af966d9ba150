"""The people of a match, for those who are among them."""

import msgspec

from app.engine.game import Seat
from app.play.match.records import NotFound
from app.store.connection import Connection
from app.store.sql import Query, is_key


class Companion(msgspec.Struct, frozen=True):
    """A person who plays or has played in a match, or will."""

    player_id: int
    name: str
    seat: Seat
    """Empty before the start."""


_seated = Query(
    Companion,
    """SELECT p.id AS player_id, p.name, c.seat FROM chair c JOIN player p ON p.id = c.player_id
       WHERE c.match_id = :match_id ORDER BY c.id""",
)
_joined = Query(
    Companion,
    """SELECT p.id AS player_id, p.name, '' AS seat FROM invitation i JOIN player p ON p.id = i.player_id
       WHERE i.match_id = :match_id AND i.status = 'accepted' AND i.seat = '' ORDER BY i.id""",
)


class Addressee(msgspec.Struct, frozen=True):
    """A player of a match, and how to write to them."""

    seat: Seat
    address: str
    language: str
    zone: str


_addresses = Query(
    Addressee,
    """SELECT c.seat, p.address, p.language, p.zone FROM chair c JOIN player p ON p.id = c.player_id
       WHERE c.match_id = :match_id AND c.until IS NULL ORDER BY c.id""",
)


def addresses(connection: Connection, match_id: int) -> list[Addressee]:
    """The players who have the seats of a match, for the operator alone."""
    return _addresses.all(connection, match_id=match_id)


def companions(connection: Connection, match_id: int, player_id: int) -> tuple[Companion, ...]:
    """The other people of a match, those on its seats first. Raises NotFound for a player who is not one."""
    found: dict[int, Companion] = {}
    if is_key(match_id):
        for one in _seated.all(connection, match_id=match_id) or _joined.all(connection, match_id=match_id):
            found.setdefault(one.player_id, one)
    if player_id not in found:
        raise NotFound("match")
    return tuple(one for one in found.values() if one.player_id != player_id)
