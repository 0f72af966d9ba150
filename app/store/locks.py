"""Rows held until the transaction ends: matches first, by number, then players."""

from app.store.connection import Connection
from app.store.sql import Lock, is_key

_match = Lock('SELECT id FROM "match" WHERE id = :match_id FOR UPDATE')
_player = Lock("SELECT id FROM player WHERE id = :player_id FOR UPDATE")
_counter = Lock("SELECT pg_advisory_xact_lock(21, hashtext(:name))")
_reminders = Lock("SELECT pg_advisory_xact_lock(20, CAST(:player_id AS int))")


def hold_match(connection: Connection, match_id: int) -> None:
    """Wait for other writers of the match, and make later ones wait. Nothing for what cannot be a key."""
    if is_key(match_id):
        _match.take(connection, match_id=match_id)


def hold_player(connection: Connection, player_id: int) -> None:
    """Wait for other writers of the player, and make later ones wait."""
    _player.take(connection, player_id=player_id)


def hold_reminders(connection: Connection, player_id: int) -> None:
    """Let one transaction at a time ask for a player's reminders; the player's row is not held."""
    _reminders.take(connection, player_id=player_id)


def hold_counter(connection: Connection, name: str) -> None:
    """Let one transaction at a time count by that name, such as a mailbox, until it ends."""
    _counter.take(connection, name=name)
