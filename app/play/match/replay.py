"""Replaying the log: earlier positions, taking back, and the proof that a snapshot is right."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from app.engine import codec
from app.engine.chance import Chance
from app.engine.game import Game, Record, Seat
from app.play.match import log as plies
from app.play.match.editions import rules_of, upgraded
from app.play.match.log import Logged, Ply
from app.play.match.records import NotFound
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Query, is_key

SYSTEM_MOVES = frozenset({"start", "resign", "undo"})
_CHANGE = re.compile(r"edition (\d+) (\d+)")


class _Match(msgspec.Struct, frozen=True):
    game: str
    edition: int
    options: dict[str, str]
    seats: int
    turn_order: str
    seed: bytes
    state: str
    ply: int

    def players(self, game: Game) -> tuple[Seat, ...]:
        """Its seats in turn order: those of the game's colours, or their own."""
        return tuple(self.turn_order.split()) or game.colours[: self.seats]


_match = Query(
    _Match,
    """SELECT game, edition, options, seats, turn_order, seed, state, ply FROM "match"
       WHERE id = :match_id AND status IN ('running', 'over', 'moved')""",
)


def kind_of(move: str) -> str:
    """The kind of a log entry: move, start, resign, undo, or edition where newer rules took over."""
    if _CHANGE.fullmatch(move):
        return "edition"
    return move if move in SYSTEM_MOVES else "move"


def change_of_edition(before: int, after: int) -> str:
    """The log's text for going on by the rules of another edition."""
    return f"edition {before} {after}"


def undone(log: Iterable[Ply]) -> list[Ply]:
    """The moves of a log that stand: without those taken back, and without the system's own entries."""
    moves: list[Ply] = []
    for entry in log:
        kind = kind_of(entry.move)
        if kind == "undo":
            moves.pop()
        elif kind == "move":
            moves.append(entry)
    return moves


def replayed(game: Game, state: Record, seed: bytes, moves: Sequence[Ply]) -> Record:
    """The state after the moves, each with the chance of its own ply. Raises RulesError."""
    for entry in moves:
        assert entry.seat is not None
        move = game.parse(state, entry.seat, entry.move)
        state = game.apply(state, entry.seat, move, Chance(seed, entry.ply)).state
    return state


def replay(
    slug: str,
    edition: int,
    players: Sequence[Seat],
    options: Mapping[str, str],
    seed: bytes,
    log: Iterable[Ply],
) -> tuple[Game, Record]:
    """The state at the end of a log, and the rules that it goes by there.

    `edition`: of the match's start. Raises RulesError, and Closed("no_rules").
    """
    game = rules_of(slug, edition)
    state = game.setup(tuple(players), options, Chance(seed, 0)).state
    stretch: list[Ply] = []
    for entry in log:
        change = _CHANGE.fullmatch(entry.move)
        if change is None:
            stretch.append(entry)
            continue
        newer = rules_of(slug, int(change[2]))
        converted = upgraded(newer, game.edition, replayed(game, state, seed, undone(stretch)))
        assert converted is not None
        game, state, stretch = newer, converted, []
    return game, replayed(game, state, seed, undone(stretch))


class Beginning(msgspec.Struct, frozen=True):
    """The start of a match, from which its log leads on."""

    slug: str
    edition: int
    """Of the rules at the start."""
    players: tuple[Seat, ...]
    """In turn order."""
    options: dict[str, str]
    seed: bytes

    def state(self) -> tuple[Game, Record]:
        """The first position. Raises Closed("no_rules")."""
        game = rules_of(self.slug, self.edition)
        return game, game.setup(self.players, self.options, Chance(self.seed, 0)).state


def first_edition(log: Iterable[Ply | Logged], edition: int) -> int:
    """The edition of the rules at the start of a log, whose match goes by `edition` now."""
    changes = (_CHANGE.fullmatch(entry.move) for entry in log)
    return next((int(change[1]) for change in changes if change), edition)


def log_until(connection: Connection, match_id: int, ply: int) -> tuple[Beginning, list[Ply]]:
    """The start of a match and its log up to a ply. Raises NotFound."""
    match = _match.first(connection, match_id=match_id) if is_key(match_id) else None
    if match is None or not 0 <= ply <= match.ply:
        raise NotFound("match")
    log = plies.plies(connection, match_id)
    edition = first_edition(log, match.edition)
    players = match.players(rules_of(match.game, edition))
    begun = Beginning(match.game, edition, players, match.options, match.seed)
    return begun, [entry for entry in log if entry.ply <= ply]


def replay_in(connection: Connection, match_id: int, ply: int) -> tuple[Game, Record]:
    """The state of a match after a ply, and the rules that it went by. Raises NotFound."""
    begun, log = log_until(connection, match_id, ply)
    return replay(begun.slug, begun.edition, begun.players, begun.options, begun.seed, log)


def positions(connection: Connection, match_id: int) -> Iterator[tuple[int, Game, Record]]:
    """Yield the position after each ply that stands, from the start on, with its rules. Raises NotFound."""
    match = _match.first(connection, match_id=match_id) if is_key(match_id) else None
    if match is None:
        raise NotFound("match")
    log = plies.plies(connection, match_id)
    changes = [(n, change) for n, entry in enumerate(log) if (change := _CHANGE.fullmatch(entry.move))]
    game = rules_of(match.game, int(changes[0][1][1]) if changes else match.edition)
    state = game.setup(match.players(game), match.options, Chance(match.seed, 0)).state
    yield 0, game, state
    begin = 0
    for end, change in (*changes, (len(log), None)):
        for entry in undone(log[begin:end]):
            state = replayed(game, state, match.seed, [entry])
            yield entry.ply, game, state
        if change is not None:
            newer = rules_of(match.game, int(change[2]))
            converted = upgraded(newer, game.edition, state)
            assert converted is not None
            game, state, begin = newer, converted, end + 1


def state_at(store: Store, match_id: int, ply: int) -> Record:
    """The state of a match after a ply, with all its secrets: never for a page. Raises NotFound."""
    with store.reading() as connection:
        return replay_in(connection, match_id, ply)[1]


def check(store: Store, match_id: int) -> bool:
    """Whether the log alone gives the snapshot.

    Raises NotFound, and RulesError if the log doesn't replay any more.
    """
    with store.reading() as connection:
        match = _match.first(connection, match_id=match_id)
        if match is None:
            raise NotFound("match")
        game, state = replay_in(connection, match_id, match.ply)
        return state == codec.load_state(game, match.state)
