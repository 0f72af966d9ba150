"""Players silenced by another player: muted, or also kept from inviting them. They never learn it.

A muted person's messages and nudges don't reach the player. A blocked person is muted, and their invitations
and offers of seats don't reach the player either.
"""

from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query


class Silenced(msgspec.Struct, frozen=True):
    """A person that a player has silenced."""

    other_id: int
    name: str
    invitations: bool
    """They can't invite the player either."""
    at: datetime


_put = Command(
    """INSERT INTO block (player_id, other_id, invitations, at)
       VALUES (:player_id, :other_id, :invitations, :now)
       ON CONFLICT (player_id, other_id) DO UPDATE SET invitations = excluded.invitations, at = excluded.at"""
)
_lift = Command("DELETE FROM block WHERE player_id = :player_id AND other_id = :other_id")
_of_player = Query(
    Silenced,
    """SELECT b.other_id, p.name, b.invitations, b.at FROM block b JOIN player p ON p.id = b.other_id
       WHERE b.player_id = :player_id ORDER BY p.name, b.other_id""",
)
_silenced = Query(int, "SELECT other_id FROM block WHERE player_id = :player_id")
_blocks = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM block WHERE player_id = :player_id AND other_id = :other_id
                      AND invitations) AS blocked""",
)


def silence(
    connection: Connection, now: datetime, player_id: int, other_id: int, *, invitations: bool
) -> None:
    """Mute a person or, with `invitations`, block them. The last choice holds."""
    _put.run(connection, player_id=player_id, other_id=other_id, invitations=invitations, now=now)


def lift(connection: Connection, player_id: int, other_id: int) -> bool:
    """Hear from a person again. False: the player already did."""
    return _lift.run(connection, player_id=player_id, other_id=other_id) == 1


def silenced_by(store: Store, player_id: int) -> tuple[Silenced, ...]:
    """The people that a player has silenced, by name."""
    with store.reading() as connection:
        return tuple(_of_player.all(connection, player_id=player_id))


def silenced(connection: Connection, player_id: int) -> frozenset[int]:
    """The players whose messages and nudges don't reach a player."""
    return frozenset(_silenced.all(connection, player_id=player_id))


def blocks(connection: Connection, player_id: int, other_id: int | None) -> bool:
    """Whether a player wants no invitations from another."""
    return other_id is not None and _blocks.one(connection, player_id=player_id, other_id=other_id)
