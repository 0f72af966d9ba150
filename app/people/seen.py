"""The time at which a player last saw all open turns: a letter about them can wait."""

from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command

_see = Command("UPDATE player SET seen_at = :now WHERE id = :player_id")


def see_all(connection: Connection, now: datetime, player_id: int) -> None:
    """Store that the player sees all open turns now."""
    _see.run(connection, now=now, player_id=player_id)
