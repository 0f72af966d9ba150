"""A table for the tests: positions loaded, lines played, games of random moves."""

import hashlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from app.engine.chance import Chance, ScriptedChance
from app.engine.game import Move, Step
from app.games.atlandice import GAME
from app.games.atlandice.clock import Clock
from app.games.atlandice.state import State

SEATS = ("red", "blue", "green")
ALL_PILES = {"jewelers": ["J2"], "library": ["L2"], "inn": ["I2"], "works": ["E1"], "smith": ["B2"]}
STOCK = {
    "jewelers": {"gem": 4},
    "library": {"book": 4},
    "inn": {"provision": 4},
    "works": {"tool": 4},
    "smith": {"weapon": 4, "gem": 1},
    "market": {"gem": 1, "book": 1},
}
NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
BASE: dict[str, Any] = {"piles": ALL_PILES, "stock": STOCK, "dice": {"works": 3, "smith": 4}}


def seed_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def loaded(seats: tuple[str, ...] = SEATS, donations: str = "sealed", **parts: Any) -> State:
    """The base position with parts replaced."""
    state = GAME.load({**BASE, **parts}, seats, {"donations": donations}, Chance(seed_of("load"), 0))
    assert isinstance(state, State)
    return state


def play(state: State, seat: str, text: str, *dice: int) -> State:
    """The state after one line, the dice given."""
    script = [str(value) for value in dice]
    for line in GAME.split(text):
        step = GAME.apply(
            state, seat, GAME.parse(state, seat, line), ScriptedChance(seed_of("play"), 1, script)
        )
        state = as_state(step)
    assert not script
    return state


def as_state(step: Step) -> State:
    assert isinstance(step.state, State)
    return step.state


def random_game(
    seats: tuple[str, ...], seed: str, options: Mapping[str, str] = NO_OPTIONS, track: Clock | None = None
) -> Iterator[tuple[State, str, Move | None, Step]]:
    """The set-up, then every move of a game: the state before, the seat, the move and the result."""
    dice, mind = seed_of(seed), seed_of(seed + " mind")
    step = GAME.setup(seats, GAME.complete_options(len(seats), options), Chance(dice, 0))
    state = as_state(step)
    if track is not None:
        state = msgspec.structs.replace(state, track=track)
    yield state, "", None, step
    ply = 0
    while decisions := GAME.decisions(state):
        ply += 1
        chance = Chance(mind, ply)
        decision = chance.pick(decisions)
        move = chance.pick(decision.options)
        step = GAME.apply(state, decision.seat, move, Chance(dice, ply))
        yield state, decision.seat, move, step
        state = as_state(step)
