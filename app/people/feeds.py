"""Addresses of players' feeds. They are signed with a number; raising it revokes them."""

import msgspec

from app.people.errors import NotFound
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query


class Subscriber(msgspec.Struct, frozen=True):
    """The player of a feed."""

    player_id: int
    language: str
    zone: str


_subscriber = Query(
    Subscriber,
    """SELECT id AS player_id, language, zone FROM player
       WHERE id = :player_id AND feed_epoch = :epoch""",
)
_end = Command("UPDATE player SET feed_epoch = feed_epoch + 1 WHERE id = :player_id")
_epoch = Query(int, "SELECT feed_epoch FROM player WHERE id = :player_id")
_renew = Command(
    "UPDATE player SET feed_epoch = feed_epoch + 1 WHERE id = :player_id AND feed_epoch = :epoch"
)


def subscriber(store: Store, player_id: int, epoch: int) -> Subscriber:
    """The player of a feed's address. Raises NotFound if the address was revoked."""
    with store.reading() as connection:
        found = _subscriber.first(connection, player_id=player_id, epoch=epoch)
    if found is None:
        raise NotFound("feed")
    return found


def epoch_of(store: Store, player_id: int) -> int:
    """The number that the player's current addresses are signed with. Raises NotFound."""
    with store.reading() as connection:
        return _epoch_of(connection, player_id)


def renew(store: Store, player_id: int, epoch: int) -> bool:
    """Revoke the addresses signed with this number. Twice is once.

    False: no addresses were ever signed with it, and nothing changed.
    """
    with store.transaction() as connection:
        _renew.run(connection, player_id=player_id, epoch=epoch)
        now = _epoch.first(connection, player_id=player_id)
        return now is not None and epoch < now


def end(connection: Connection, player_id: int) -> None:
    """Revoke the player's current addresses."""
    _end.run(connection, player_id=player_id)


def _epoch_of(connection: Connection, player_id: int) -> int:
    epoch = _epoch.first(connection, player_id=player_id)
    if epoch is None:
        raise NotFound("player")
    return epoch
