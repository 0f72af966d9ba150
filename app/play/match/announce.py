"""Notices that are also sent by email to the players they concern."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from app.engine.game import Seat
from app.play.match import notices
from app.play.match.snapshot import SeatHolder
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue


def announce(
    connection: Connection,
    now: datetime,
    match_id: int,
    what: str,
    *,
    once: str,
    to: Iterable[SeatHolder] = (),
    seat: Seat | None = None,
    by_seat: Seat | None = None,
    **facts: Any,
) -> bool:
    """Write a notice, and email it to the players of these seats.

    False: the occasion was told before, and nothing changed.
    """
    if not notices.tell(connection, now, match_id, what, seat=seat, by_seat=by_seat, once=once, **facts):
        return False
    enqueue(connection, now, *(news_letter(match_id, one, once) for one in to if one.player_id))
    return True


def news_letter(match_id: int, holder: SeatHolder, once: str, turn: int | None = None) -> LetterRequest:
    """The email that tells a player of one notice, named by its `once`, and has the link of a turn."""
    return holder.letter(match_id, "news", f"news:{match_id}:{holder.player_id}:{once}", turn=turn)
