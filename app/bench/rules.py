"""The speed of the rules: random games, listing the legal answers and applying one, on one core."""

import hashlib
import random
import time
from collections.abc import Iterator

from app.bench import RUNS, Figure
from app.engine.chance import Chance
from app.engine.game import Game
from app.games import all_games

SECONDS = 1.5
AIMS = {"survive": 18_000, "atlantis": 14_000, "atlandice": 36_000}
LOOPS = 200_000
"""Rounds of the loop that tells how fast the machine is."""


def figures() -> Iterator[Figure]:
    """Steps a second of each game, with the most seats, and the speed of the machine beside them."""
    machine: list[float] = []
    for slug, game in all_games().items():
        runs = []
        for run in range(RUNS):
            machine.append(_loops_a_second())
            runs.append(steps_a_second(game, f"{slug} {run}"))
        yield Figure(f"rules of {slug}, random games", "steps/s", tuple(runs), aim=AIMS.get(slug))
    yield Figure("this machine: hash, list and sort 64 bytes", "/s", tuple(machine[:RUNS]))


def steps_a_second(game: Game, seed: str) -> float:
    """Random legal steps per second in whole games. Setting up and choosing are not counted."""
    seats = game.colours[: game.seats[-1]]
    options = game.complete_options(len(seats), {})
    choose = random.Random(seed).random  # noqa: S311 - a bench, to be repeated
    steps, spent, number = 0, 0.0, 0
    while spent < SECONDS:
        number += 1
        secret = hashlib.sha256(f"{seed} {number}".encode()).digest()
        state = game.setup(seats, options, Chance(secret, 0)).state
        ply = 0
        start = time.process_time()
        while decisions := game.decisions(state):
            ply += 1
            decision = decisions[0]
            move = decision.default
            if decision.options:
                move = decision.options[int(choose() * len(decision.options))]
            assert move is not None
            state = game.apply(state, decision.seat, move, Chance(secret, ply)).state
        spent += time.process_time() - start
        steps += ply
    return steps / spent


def _loops_a_second() -> float:
    start = time.process_time()
    block = b"tidepost"
    for _ in range(LOOPS // 10):
        block = hashlib.sha256(bytes(sorted([*block, *block]))).digest()
    return LOOPS / 10 / (time.process_time() - start)
