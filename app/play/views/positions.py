"""The position of a match that is over, in the words of its game's rule sheet."""

from app.engine.game import Position
from app.play.match import reading
from app.play.match.past import position_in
from app.store.session import Store


def open_position(store: Store, match_id: int, ply: int) -> Position | None:
    """The whole position after a ply, once the match is over; None before: it may hold secrets.

    Whether the viewer may see the match must have been checked. Raises NotFound: no such ply.
    """
    with store.looking() as connection:
        snapshot = reading.by_match(connection, match_id)
        if snapshot is None or not snapshot.over:
            return None
        game, state = position_in(connection, match_id, ply)
    return game.dump(state)
