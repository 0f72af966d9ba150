"""What the house tells a table, with a letter to those whom it concerns."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from app.engine.game import Seat
from app.play.match import notices
from app.play.match.snapshot import SeatHolder
from app.store.outbox import LetterRequest, enqueue
from app.store.statement import Wire


def announce(
    connection: Wire,
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
    """Write a notice into the public log, and tell the players of these seats by letter.

    False: the occasion was told already, and nothing changed.
    """
    if not notices.tell(connection, now, match_id, what, seat=seat, by_seat=by_seat, once=once, **facts):
        return False
    enqueue(connection, now, *(news_letter(match_id, place, once) for place in to if place.player_id))
    return True


def news_letter(match_id: int, place: SeatHolder, once: str) -> LetterRequest:
    """The letter that tells a player of one notice, which its `once` names."""
    return place.letter(match_id, "news", f"news:{match_id}:{place.player_id}:{once}")
