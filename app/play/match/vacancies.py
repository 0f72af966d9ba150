"""A seat whose player keeps silent looks for somebody else, until one takes it or the player is back."""

from datetime import datetime

import msgspec

from app import clock
from app.engine.game import Seat
from app.play.match import turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, played_by_people
from app.play.match.records import Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.session import Store
from app.store.statement import Statement, Wire, stored

_open = Statement("UPDATE chair SET open_since = ? WHERE id = ? AND until IS NULL AND open_since IS NULL")
_close = Statement(
    "UPDATE chair SET open_since = NULL WHERE id = ? AND until IS NULL AND open_since IS NOT NULL"
)
_withdraw = Statement(
    """UPDATE invitation SET status = 'withdrawn', answered_at = ?
       WHERE match_id = ? AND seat = ? AND status = 'invited'"""
)


def open_seat(
    connection: Wire, now: datetime, standing: MatchSnapshot, seat: Seat, by_seat: Seat | None = None
) -> bool:
    """Let somebody else take the seat; it stays its player's until then. False: it was open already.

    `by_seat`: whose player decided it; None: the clock, of which another letter tells the seat's own player.
    All others hear of it by letter: the game waits now for somebody whom any of them may know.
    """
    place = standing.place(seat)
    if _open.run(connection, stored(connection, now), place.chair_id) != 1:
        return False
    knows = by_seat or seat
    return announce(
        connection,
        now,
        standing.match_id,
        "seat_open",
        once=f"seat_open:{place.chair_id}:{now.isoformat()}",
        to=[one for one in played_by_people(standing) if one.seat != knows],
        seat=seat,
        by_seat=by_seat,
    )


def close_opening(connection: Wire, now: datetime, standing: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """The player of a seat that looks for another is back: it is his alone again, with a full move's time.

    The standing with what changed; the same where the seat was not open. Offers of the seat end.
    """
    place = standing.place(seat)
    if place.open_since is None or _close.run(connection, place.chair_id) != 1:
        return standing
    end_offers(connection, now, standing.match_id, seat)
    once = f"seat_back:{place.chair_id}:{now.isoformat()}"
    announce(connection, now, standing.match_id, "seat_back", once=once, seat=seat)
    closed = with_place(standing, msgspec.structs.replace(place, open_since=None))
    return full_move(connection, now, msgspec.structs.replace(closed, news=standing.news + 1), seat)


def end_offers(connection: Wire, now: datetime, match_id: int, seat: Seat) -> None:
    """Withdraw what was offered of a seat and nobody has answered."""
    _withdraw.run(connection, stored(connection, now), match_id, seat)


def come_back(store: Store, bearer: Viewer, match_id: int) -> bool:
    """The bearer keeps his seat, which looked for somebody else. False: it did not, and nothing changed.

    Raises NotFound, Closed("over").
    """
    with store.transaction() as connection:
        standing, seat = held(connection, match_id, bearer)
        return close_opening(connection, clock.now(), standing, seat) is not standing


def full_move(
    connection: Wire, now: datetime, standing: MatchSnapshot, seat: Seat, *, anew: bool = False
) -> MatchSnapshot:
    """The seat, where its clock runs, with at least the time of a full move; and the standing with it.

    `anew`: somebody else has it now.
    """
    question = turn_clocks.runs(standing).get(seat)
    if question is None:
        return standing
    allowed = max(standing.rule.full_move, turn_clocks.left_of(standing, question, now))
    return turn_clocks.wind(connection, now, standing, seat, allowed, anew=anew)


def with_place(standing: MatchSnapshot, place: SeatHolder) -> MatchSnapshot:
    """The standing with one seat as it is now."""
    places = tuple(place if one.seat == place.seat else one for one in standing.places)
    return msgspec.structs.replace(standing, places=places)
