"""Carrying running matches over to a newer edition of their game, where the game can convert their states."""

import logging

import msgspec

from app import clock, games
from app.engine import codec
from app.engine.game import Game
from app.play.match import matches, reading
from app.play.match.editions import carried_options, upgraded
from app.play.match.log import Entry
from app.play.match.matches import Barrier
from app.play.match.replay import change_of_edition
from app.play.moves.commit import record
from app.play.moves.service import persist
from app.store import migrate
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.patience import is_away
from app.store.session import Store

log = logging.getLogger(__name__)


def prepare(url: str) -> None:
    """Migrate the database and carry running matches over. Raises CannotUpgrade."""
    migrate.upgrade(url)
    store = Store(url)
    try:
        carry_over(store)
    except Exception as error:
        if not is_away(error):
            raise
        raise migrate.Away(f"the database cannot be used: {type(error).__name__}") from error
    finally:
        store.engine.dispose()


def carry_over(store: Store) -> int:
    """Let running matches go on by the newest rules, where the game can convert them. Returns how many.

    The log keeps where that happened: earlier positions are still replayed by the older edition. A match
    that fails is logged and goes on as it is.
    """
    carried = 0
    for newest in games.all_games().values():
        with store.reading() as connection:
            older = matches.running_before(connection, newest.slug, newest.edition)
        for match_id in older:
            try:
                carried += _carry(store, newest, match_id)
            except Exception:  # a fault in one match is not the others'
                log.exception("match %s cannot be carried over to edition %s", match_id, newest.edition)
    return carried


def _carry(store: Store, newest: Game, match_id: int) -> bool:
    def attempt(connection: Connection, _number: int) -> bool:
        hold_match(connection, match_id)
        match = reading.by_match(connection, match_id)
        if match is None or not match.running or match.edition >= newest.edition:
            return False
        state = upgraded(newest, match.edition, match.load())
        if state is None or newest.outcome(state) is not None:
            return False
        before = msgspec.json.decode(match.options, type=dict[str, str])
        options = carried_options(newest, len(match.seats), before)
        matches.set_edition(connection, match_id, newest.edition, options)
        entry = Entry(None, change_of_edition(match.edition, newest.edition))
        newer = msgspec.structs.replace(
            match, edition=newest.edition, options=codec.dumps(options), state=codec.dumps(state)
        )
        record(connection, clock.now(), newer, [entry], state, Barrier(match.ply + 1), source="house")
        return True

    return persist(store, attempt)
