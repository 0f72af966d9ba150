"""A running match held for a change: nobody else writes to it until the transaction ends."""

from app.engine.game import Seat
from app.play.match import reading
from app.play.match.records import Closed, NotFound, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.connection import Connection
from app.store.locks import hold_match


def seated(connection: Connection, match_id: int, viewer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The match, running or over, and the viewer's seat in it. Raises NotFound."""
    match = reading.by_match(connection, match_id, viewer.token)
    seat = match.seat_of(viewer) if match is not None else None
    if match is None or seat is None:
        raise NotFound("match")
    return match, seat


def held(connection: Connection, match_id: int, viewer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The running match, locked, and the viewer's seat in it. Raises NotFound, Closed("over", "moved")."""
    hold_match(connection, match_id)
    match, seat = seated(connection, match_id, viewer)
    if not match.running:
        raise Closed(match.why_closed, match_id=match_id)
    return match, seat


def held_running(connection: Connection, match_id: int) -> MatchSnapshot:
    """The running match, locked. Raises NotFound, Closed("over", "moved")."""
    hold_match(connection, match_id)
    match = reading.by_match(connection, match_id)
    if match is None:
        raise NotFound("match")
    if not match.running:
        raise Closed(match.why_closed, match_id=match_id)
    return match


def played_by_people(match: MatchSnapshot) -> tuple[SeatHolder, ...]:
    """The seats of people who have not resigned, in turn order."""
    return tuple(one for one in match.holders if one.player_id is not None and not one.resigned)


def keys(match: MatchSnapshot) -> Seat | None:
    """The seat whose player may do what the organiser may, or None.

    It is the organiser's own while they play. If they resigned, lost their seat or were replaced, or if
    others may take their seat, it is the next one in turn order that a person plays.
    """
    order = list(match.holders)
    own = next((n for n, holder in enumerate(order) if _organises(match, holder)), 0)
    there = [holder for holder in played_by_people(match) if holder.open_since is None]
    return next((holder.seat for holder in order[own:] + order[:own] if holder in there), None)


def _organises(match: MatchSnapshot, holder: SeatHolder) -> bool:
    return holder.player_id is not None and holder.player_id == match.organiser_id
