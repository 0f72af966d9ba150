"""What a player changed about himself, for the clocks that run for him."""

from app import clock
from app.play.match import turn_clocks
from app.play.match.locking import held, held_running
from app.play.match.records import Closed, NotFound, Viewer
from app.play.match.snapshot import by_match, by_token
from app.store.session import Store
from app.store.statement import Statement, stored

_timed = Statement(
    """SELECT DISTINCT c.match_id FROM chair c
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat
           AND q.closed_at IS NULL AND q.begun_at IS NOT NULL
       WHERE c.player_id = ? AND c.until IS NULL ORDER BY c.match_id"""
)
_see = Statement("UPDATE chair SET seen_at = ? WHERE id = ?")
_see_all = Statement("UPDATE player SET seen_at = ? WHERE id = ?")


def changed(store: Store, player_id: int) -> None:
    """Work out his deadlines and reminders anew, after another zone or other wishes.

    No deadline that was announced moves earlier.
    """
    with store.reading() as connection:
        matches = [row[0] for row in _timed.fetch(connection, player_id)]
    for match_id in matches:
        try:
            with store.transaction() as connection:
                standing = held_running(connection, match_id)
                seats = {place.seat for place in standing.places if place.player_id == player_id}
                turn_clocks.rearm(connection, clock.now(), standing, seats)
        except (NotFound, Closed):  # it ended meanwhile
            continue


def saw(store: Store, bearer: Viewer, match_id: int) -> None:
    """The bearer has seen what waits for his seat: no letter need tell him. Raises NotFound, Closed."""
    with store.transaction() as connection:
        standing, seat = held(connection, match_id, bearer)
        _see.run(connection, stored(connection, clock.now()), standing.place(seat).chair_id)


def sitter(store: Store, bearer: Viewer, match_id: int) -> int | None:
    """The player of the seat for which the bearer may act; None: there is no such seat."""
    with store.reading() as connection:
        standing = by_match(connection, match_id, bearer.token)
    seat = standing.seat_of(bearer) if standing is not None else None
    return standing.place(seat).player_id if standing is not None and seat is not None else None


def reader_of(store: Store, token: str) -> tuple[int, int]:
    """Whom a turn's link was sent to, as long as its turn goes on, and in which match. Raises NotFound."""
    with store.reading() as connection:
        standing = by_token(connection, token)
    seat = standing.seat_of(Viewer(token=token)) if standing is not None else None
    player_id = standing.place(seat).player_id if standing is not None and seat is not None else None
    if standing is None or player_id is None:
        raise NotFound("turn")
    return player_id, standing.match_id


def saw_all(store: Store, player_id: int) -> None:
    """The player has seen all that waits for him."""
    with store.transaction() as connection:
        _see_all.run(connection, stored(connection, clock.now()), player_id)
