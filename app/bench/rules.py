"""The speed of the rules: random games, listing the legal answers and applying one, on one core."""

import hashlib
import time
from collections.abc import Iterator

from app.bench import RUNS, Figure
from app.engine.chance import Chance
from app.engine.game import Game
from app.games import all_games

SECONDS = 2.0
AIM = 10_000


def figures() -> Iterator[Figure]:
    """One figure per game, with the most seats and the default options."""
    for slug, game in all_games().items():
        runs = tuple(steps_a_second(game, f"{slug} {run}") for run in range(RUNS))
        yield Figure(f"rules of {slug}, random games", "steps/s", runs, aim=AIM)


def steps_a_second(game: Game, seed: str) -> float:
    """Random legal steps per second in whole games; setting up is not counted."""
    seats = game.colours[: game.seats[-1]]
    options = game.complete_options(len(seats), {})
    steps, spent, number = 0, 0.0, 0
    while spent < SECONDS:
        number += 1
        secret = hashlib.sha256(f"{seed} {number}".encode()).digest()
        choices = Chance(secret, -1)
        state = game.setup(seats, options, Chance(secret, 0)).state
        ply = 0
        start = time.perf_counter()
        while decisions := game.decisions(state):
            ply += 1
            decision = decisions[0]
            if not decision.options:
                assert decision.default is not None
                move = decision.default
            else:
                move = decision.options[choices.below(len(decision.options))]
            state = game.apply(state, decision.seat, move, Chance(secret, ply)).state
        spent += time.perf_counter() - start
        steps += ply
    return steps / spent
