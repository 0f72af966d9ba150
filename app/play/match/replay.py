"""States made anew from the log: old positions, taking back, and the proof that a snapshot is right."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection

from app import games
from app.engine import codec
from app.engine.chance import Chance
from app.engine.game import Game, Options, Record, Seat
from app.play.match.records import NotFound
from app.store.session import Store
from app.store.statement import Statement, is_key

SYSTEM_MOVES = frozenset({"start", "resign", "undo"})


class Ply(msgspec.Struct, frozen=True):
    """One entry of the log."""

    ply: int
    seat: Seat | None
    move: str


_match = Statement("""SELECT game, options, seats, seed, state, ply FROM "match"
                      WHERE id = ? AND status IN ('running', 'over')""")
_log = Statement("SELECT ply, seat, move FROM played WHERE match_id = ? AND ply <= ? ORDER BY ply")


def undone(log: Iterable[Ply]) -> list[Ply]:
    """The moves of a log that stand: without those taken back, and without the house's own words."""
    moves: list[Ply] = []
    for entry in log:
        if entry.move == "undo":
            moves.pop()
        elif entry.move not in SYSTEM_MOVES:
            moves.append(entry)
    return moves


def replayed(game: Game, state: Record, seed: bytes, moves: Sequence[Ply]) -> Record:
    """The state after the moves, each with the chance of its own ply. Raises RulesError."""
    for entry in moves:
        assert entry.seat is not None
        move = game.parse(state, entry.seat, entry.move)
        state = game.apply(state, entry.seat, move, Chance(seed, entry.ply)).state
    return state


def replay(game: Game, seats: int, options: Options, seed: bytes, log: Iterable[Ply]) -> Record:
    """The state at the end of a log, from the seed and the options alone. Raises RulesError."""
    state = game.setup(game.colours[:seats], options, Chance(seed, 0)).state
    return replayed(game, state, seed, undone(log))


def replay_in(connection: Connection, match_id: int, ply: int) -> Record:
    """The state of a match after a ply. Raises NotFound."""
    found = _match.fetch(connection, match_id) if is_key(match_id) else ()
    for slug, options, seats, seed, _, last in found:
        if 0 <= ply <= last:
            log = [Ply(*row) for row in _log.fetch(connection, match_id, ply)]
            return replay(games.all_games()[slug], seats, msgspec.json.decode(options), bytes(seed), log)
    raise NotFound("match")


def state_at(store: Store, match_id: int, ply: int) -> Record:
    """The state of a match after a ply: with all its secrets, so for the house alone. Raises NotFound."""
    with store.reading() as connection:
        return replay_in(connection, match_id, ply)


def check(store: Store, match_id: int) -> bool:
    """The log alone gives the snapshot. Raises NotFound, and RulesError where the log no longer replays."""
    with store.reading() as connection:
        for *_, state, ply in _match.fetch(connection, match_id):
            return bool(codec.dumps(replay_in(connection, match_id, ply)) == state)
    raise NotFound("match")
