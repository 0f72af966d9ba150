"""Bytes on disk of a match of 150 moves, by table, and what replaying a log costs."""

import random
from collections.abc import Iterator

import msgspec

from app import games
from app.bench import RUNS, Figure, cpu_milliseconds
from app.bench.population import Population
from app.bench.server import database
from app.engine.chance import Chance
from app.engine.game import Game, Move, Record, Seat
from app.play.match.log import Ply
from app.play.match.replay import replayed
from app.store.session import Store
from app.store.sql import Query

MATCHES = 24
QUICK_MATCHES = 9
PLIES = 60
"""To which the matches are played; the bytes are those of 150 moves in proportion."""
MOVES = 150
AIM = 24.0
"""Kilobytes."""
REPLAYED = 500
REPLAY_AIM = 1.2

_moves = Query(int, 'SELECT SUM(ply) AS moves FROM "match"')
_BYTES = """SELECT s.tbl_name, SUM(d.pgsize) FROM dbstat d JOIN sqlite_master s ON s.name = d.name
            GROUP BY s.tbl_name"""
"""An index counts with its table."""


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """Kilobytes a match, and the time of a replay beside that of the same steps of the rules."""
    yield from _disk(QUICK_MATCHES if quick else MATCHES)
    for game in games.all_games().values():
        yield _replay(game)


def _disk(matches: int) -> Iterator[Figure]:
    with database("") as (store, _, _):
        empty = _sizes(store)
        people = Population(store, "disk")
        people.grow(matches, plies=(PLIES, PLIES))
        with store.reading() as connection:  # those that ended too early are on the disk too
            moves = _moves.one(connection)
        grown = {table: size - empty.get(table, 0) for table, size in _sizes(store).items()}
    scale = MOVES / moves / 1000
    total = sum(grown.values()) * scale
    yield Figure(f"a match of {MOVES} moves on disk", "kB", (total,), aim=AIM, most=True)
    for table, size in sorted(grown.items(), key=lambda pair: -pair[1]):
        if size * scale >= 0.1:
            yield Figure(f"    of it {table}", "kB", (size * scale,))


def _sizes(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {str(table): int(size) for table, size in connection.exec_driver_sql(_BYTES)}


class _Log(msgspec.Struct, frozen=True):
    """A game as the rules saw it and as it is stored."""

    seed: bytes
    start: Record
    moves: tuple[tuple[Seat, Move], ...]
    plies: tuple[Ply, ...]


def _replay(game: Game) -> Figure:
    """Replaying logs of so many plies from their text, beside applying the same moves."""
    logs: list[_Log] = []
    while sum(len(log.plies) for log in logs) < REPLAYED:
        logs.append(_played(game, f"replay {len(logs)}"))
    replays, steps = [], []
    for _ in range(RUNS):
        steps.append(cpu_milliseconds(lambda: [_applied(game, log) for log in logs]))
        replays.append(
            cpu_milliseconds(lambda: [replayed(game, log.start, log.seed, log.plies) for log in logs])
        )
    title = f"replay of some {REPLAYED} plies of {game.slug}, beside the steps"
    return Figure(title, "ms", tuple(replays), tuple(steps), REPLAY_AIM, most=True)


def _played(game: Game, name: str) -> _Log:
    """A random game of the most seats."""
    chance, seed = random.Random(name), name.encode()  # noqa: S311 - a bench, to be repeated
    seats = game.colours[: game.seats[-1]]
    start = state = game.setup(seats, game.complete_options(len(seats), {}), Chance(seed, 0)).state
    moves: list[tuple[Seat, Move]] = []
    plies: list[Ply] = []
    while decisions := game.decisions(state):
        decision = decisions[0]
        move = chance.choice(decision.options) if decision.options else decision.default
        assert move is not None
        moves.append((decision.seat, move))
        plies.append(Ply(len(moves), decision.seat, game.format(move)))
        state = game.apply(state, decision.seat, move, Chance(seed, len(moves))).state
    return _Log(seed, start, tuple(moves), tuple(plies))


def _applied(game: Game, log: _Log) -> Record:
    state = log.start
    for ply, (seat, move) in enumerate(log.moves, 1):
        state = game.apply(state, seat, move, Chance(log.seed, ply)).state
    return state
