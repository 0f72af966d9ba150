"""A running match held for changing what its moves do not: nobody else writes to it meanwhile."""

from app.engine.game import Seat
from app.play.match import snapshot as reading
from app.play.match.records import Closed, NotFound, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.statement import Statement, Wire, is_key

_lock = Statement('SELECT id FROM "match" WHERE id = ? FOR UPDATE')


def hold(connection: Wire, match_id: int) -> None:
    """Wait for other writers of the match, and keep later ones waiting."""
    if connection.dialect.name != "sqlite" and is_key(match_id):  # there, every writer is alone already
        _lock.fetch(connection, match_id)


def seated(connection: Wire, match_id: int, bearer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The match, running or over, and the bearer's seat in it. Raises NotFound."""
    standing = reading.by_match(connection, match_id, bearer.token)
    seat = standing.seat_of(bearer) if standing is not None else None
    if standing is None or seat is None:
        raise NotFound("match")
    return standing, seat


def held(connection: Wire, match_id: int, bearer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The running match and the bearer's seat in it. Raises NotFound, Closed("over")."""
    hold(connection, match_id)
    standing, seat = seated(connection, match_id, bearer)
    if not standing.running:
        raise Closed("over", match_id=match_id)
    return standing, seat


def held_running(connection: Wire, match_id: int) -> MatchSnapshot:
    """The running match, whoever asks. Raises NotFound, Closed("over")."""
    hold(connection, match_id)
    standing = reading.by_match(connection, match_id)
    if standing is None:
        raise NotFound("match")
    if not standing.running:
        raise Closed("over", match_id=match_id)
    return standing


def played_by_people(standing: MatchSnapshot) -> tuple[SeatHolder, ...]:
    """The seats that a person plays who has not left, in turn order."""
    return tuple(place for place in standing.places if place.player_id is not None and not place.resigned)


def keys(standing: MatchSnapshot) -> Seat | None:
    """The seat whose player has the organiser's keys.

    The organiser's own while he plays. When he resigned, lost his seat or was replaced, or while his seat
    looks for somebody else, it is the next one in turn order that a person plays. None: nobody is left.
    """
    order = list(standing.places)
    own = next((n for n, place in enumerate(order) if _organises(standing, place)), 0)
    there = [place for place in played_by_people(standing) if place.open_since is None]
    return next((place.seat for place in order[own:] + order[:own] if place in there), None)


def _organises(standing: MatchSnapshot, place: SeatHolder) -> bool:
    return place.player_id is not None and place.player_id == standing.organiser_id
