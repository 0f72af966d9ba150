"""When a player last saw everything that waits for them."""

from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command

_see = Command("UPDATE player SET seen_at = :now WHERE id = :player_id")


def see_all(connection: Connection, now: datetime, player_id: int) -> None:
    """Keep that the player has seen everything by now."""
    _see.run(connection, now=now, player_id=player_id)
