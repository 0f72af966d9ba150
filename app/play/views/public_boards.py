"""Public boards for pictures: now, or after an earlier ply. Private matches have none."""

from collections.abc import Callable
from datetime import timedelta

from app import clock
from app.engine.game import Game, View
from app.play.match import matches, pictures, reading
from app.play.match.past import position_in
from app.play.match.records import NotFound
from app.store import counters
from app.store.session import Store

MOST = 60
"""Pictures made in MINUTE by all workers together."""
AT_ONCE = 10
"""Of these, pictures that pages make themselves in MINUTE."""
MINUTE = timedelta(minutes=1)


def last_public_ply(store: Store, match_id: int) -> int | None:
    """The last ply of a match that everybody may see; None: there is no such match."""
    with store.looking() as connection:
        return matches.public_ply(connection, match_id)


def board_now(store: Store, match_id: int) -> tuple[Game, View]:
    """The board as onlookers see it, of a private match too. Raises NotFound."""
    with store.looking() as connection:
        found = reading.by_match(connection, match_id)
    if found is None:
        raise NotFound("match")
    return found.game, found.game.view(found.load(), None)


def kept_picture(store: Store, match_id: int, ply: int) -> bytes | None:
    """The picture that a worker has made, or None."""
    with store.looking() as connection:
        return pictures.find(connection, match_id, ply)


def make_at_once(store: Store, match_id: int, ply: int, drawn: Callable[[Game, View], bytes]) -> bytes | None:
    """The picture of a public board, made and kept now; None: a worker has to make it, by its own bound."""
    if counters.count(store, "pictures at once", AT_ONCE, MINUTE, clock.now()):
        make_picture(store, match_id, ply, drawn)
    return kept_picture(store, match_id, ply)


def make_picture(store: Store, match_id: int, ply: int, drawn: Callable[[Game, View], bytes]) -> bool:
    """Make and keep the picture of a public board. False: it is there, may not be, or too many were made."""
    last = last_public_ply(store, match_id)
    if last is None or not 0 <= ply <= last or kept_picture(store, match_id, ply) is not None:
        return False
    if not counters.count(store, "pictures of boards", MOST, MINUTE, clock.now()):
        return False
    with store.looking() as connection:
        game, state = position_in(connection, match_id, ply)
    png = drawn(game, game.view(state, None))
    with store.transaction() as connection:
        pictures.keep(connection, clock.now(), match_id, ply, png)
    return True
