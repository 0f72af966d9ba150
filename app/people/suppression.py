"""Addresses to which no letter goes: letters came back from there, or their owner wants none."""

from datetime import datetime

import msgspec

from app.store.statement import Statement, Wire, moment, stored


class Bar(msgspec.Struct, frozen=True):
    """Why nothing goes there, and since when."""

    reason: str
    """bounced, unwanted."""
    at: datetime


_put = Statement(
    "INSERT INTO suppressed (address_key, reason, letter_id, at) VALUES (?, ?, ?, ?)",
    after="""ON CONFLICT (address_key) DO UPDATE
             SET reason = excluded.reason, letter_id = excluded.letter_id, at = excluded.at""",
)
_find = Statement("SELECT reason, at FROM suppressed WHERE address_key IN (?, ?) ORDER BY address_key")
_lift = Statement("DELETE FROM suppressed WHERE address_key = ? AND reason = ?")
_one = Statement("SELECT reason FROM suppressed WHERE address_key = ?")
_of_player = Statement(
    """SELECT s.reason, s.at FROM suppressed s JOIN player p ON p.address_key = s.address_key
       WHERE p.id = ?"""
)


def bar(
    connection: Wire,
    address_key: str,
    reason: str,
    now: datetime,
    letter_id: str | None = None,
    match_id: int | None = None,
) -> None:
    """Send nothing more there, or nothing of that match."""
    _put.run(connection, _key(address_key, match_id), reason, letter_id, stored(connection, now))


def lift(connection: Wire, address_key: str, reason: str, match_id: int | None = None) -> bool:
    """Send letters there again, if that was the reason not to; whether it is a change."""
    return _lift.run(connection, _key(address_key, match_id), reason) > 0


def barred(connection: Wire, address_key: str, match_id: int | None = None) -> Bar | None:
    """Why nothing goes to the address, or nothing of that match; None: letters may go."""
    rows = _find.fetch(connection, address_key, _key(address_key, match_id))
    return Bar(rows[0][0], moment(rows[0][1])) if rows else None


def is_barred(connection: Wire, address_key: str, match_id: int | None = None) -> bool:
    """Whether its owner wants nothing there, or nothing of that match, taken by itself."""
    return any(reason == "unwanted" for (reason,) in _one.fetch(connection, _key(address_key, match_id)))


def bounces(connection: Wire, player_id: int) -> bool:
    """Whether letters to the player come back."""
    return any(reason == "bounced" for reason, _ in _of_player.fetch(connection, player_id))


def _key(address_key: str, match_id: int | None) -> str:
    """No address has a blank in it."""
    return address_key if match_id is None else f"{address_key} {match_id}"
