"""Bytes on disk of a match of 150 moves, by table, and what replaying a log costs."""

import random
from collections.abc import Iterator
from email.message import EmailMessage
from unittest import mock

import msgspec

from app import clock, draw, games, settings
from app.bench import RUNS, Figure, cpu_milliseconds
from app.bench.letters import later
from app.bench.population import Population
from app.bench.server import database, environment
from app.engine.chance import Chance
from app.engine.game import Game, Move, Record, Seat
from app.mail.outbound import deliver
from app.play.match.log import Ply
from app.play.match.replay import replayed
from app.settings import Settings
from app.store.session import Store
from app.store.sql import Query

MATCHES = 24
QUICK_MATCHES = 9
PLIES = 60
"""To which the matches are played."""
MOVES = 150
AIM = 24.0
"""Kilobytes."""
MAIL = {
    "TIDEPOST_MAIL_DOMAIN": "bench.example",
    "TIDEPOST_SMTP_URL": "smtp://127.0.0.1:1",
    "TIDEPOST_INBOX_URL": "smtp://127.0.0.1:2",
}
"""Emails go out, and can be answered."""
REPLAYED = 500
REPLAY_AIM = 1.2

GROWING = ("letter", "played", "token")
"""Tables that grow with the moves: their bytes are those of 150 moves in proportion."""

_moves = Query(int, 'SELECT SUM(ply) AS moves FROM "match"')
_begun = Query(int, 'SELECT count(*) AS begun FROM "match"')
_BYTES = """SELECT s.tbl_name, SUM(d.pgsize) FROM dbstat d JOIN sqlite_master s ON s.name = d.name
            GROUP BY s.tbl_name"""
"""An index counts with its table."""


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """Kilobytes a match, and the time of a replay beside that of the same steps of the rules."""
    yield from _disk(QUICK_MATCHES if quick else MATCHES)
    for game in games.all_games().values():
        yield _replay(game)


def _disk(matches: int) -> Iterator[Figure]:
    with database("") as (store, url, folder):
        empty = _sizes(store)
        people = Population(store, "disk")
        people.grow(matches, plies=(1, 1))
        read = settings.read(environment(url, folder, 80) | MAIL)
        for ply in range(2, PLIES + 1):
            for match_id in people.matches:
                people.advance(match_id, ply)
            _deliver(store, read)
        with store.reading() as connection:
            moves, begun = _moves.one(connection), _begun.one(connection)
        grown = {table: size - empty.get(table, 0) for table, size in _sizes(store).items()}
    each = {table: size * (MOVES / moves if table in GROWING else 1 / begun) for table, size in grown.items()}
    yield Figure(f"a match of {MOVES} moves on disk", "kB", (sum(each.values()) / 1000,), aim=AIM, most=True)
    for table, size in sorted(each.items(), key=lambda pair: -pair[1]):
        if size >= 100:
            yield Figure(f"    of it {table}", "kB", (size / 1000,))


def _deliver(store: Store, read: Settings) -> None:
    """Let every email go out that is asked for, with its links, to a mail server that takes it unseen."""

    def send(_url: str, _sender: str, _recipient: str, _message: EmailMessage) -> None:
        pass

    later_on = mock.patch.object(clock, "now", later(clock.now))
    with mock.patch.object(draw, "picture", return_value=None), later_on:
        for letter_id in deliver.due(store, 1000):
            deliver.deliver(store, read, letter_id, send)


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
