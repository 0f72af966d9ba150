"""Nothing public tells a value that was chosen in secret: no name, no order, no worth of a place."""

import functools
import hashlib
import random
from collections.abc import Iterator
from itertools import chain

import msgspec
import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.game import Game, Options
from app.engine.presets import with_preset
from app.games import all_games

PERMUTATIONS = 1999
LEAST_P = 0.001
SHARE = 100
"""Placings in the usual run; the whole has 2,000."""
WHOLE = 2000
PUBLIC = ("name", "told", "shown", "worth")


class Placing(msgspec.Struct):
    """The secret values of one seat's colour, and for each kind of public order the rank of each value."""

    values: list[int]
    ranks: dict[str, list[int]]


def seed_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def ways(game: Game) -> Iterator[tuple[int, Options]]:
    """The number of seats and the options of matches: each preset, and each set-up that no preset has.

    The fewest seats have the choices that other options need, such as two colours.
    """
    needed = dict(option.needs for option in game.options if option.needs)
    for preset in game.presets:
        yield game.seats[0], with_preset(game, preset.name, game.seats[0], needed)
        yield game.seats[-1], with_preset(game, preset.name, game.seats[-1], {})
    kinds = next((option.choices for option in game.options if option.name == "setup"), ())
    for kind in kinds:
        if kind not in {preset.choices.get("setup") for preset in game.presets}:
            yield game.seats[-1], {"setup": kind}


def cases() -> list[tuple[str, int, tuple[tuple[str, str], ...]]]:
    found = [
        (slug, seats, tuple(options.items()))
        for slug, game in all_games().items()
        for seats, options in ways(game)
    ]
    return list(dict.fromkeys(found))


def placings(game: Game, seats: int, options: Options, number: int) -> list[Placing]:
    """The secret values of one match, by colour or the like, once the bots have chosen all."""
    secret, mind = seed_of(f"secret {number}"), seed_of(f"mind {number}")
    colours = game.colours[:seats]
    step = game.setup(colours, game.complete_options(seats, options), Chance(secret, 0))
    told = [one.event for one in step.told if one.to is None]
    ply = 0
    while not game.secrets(step.state):
        decisions = game.decisions(step.state)
        if not decisions or ply > 200:
            return []
        ply += 1
        decision = decisions[0]
        move = game.bot(game.view(step.state, decision.seat), decision, Chance(mind, ply))
        step = game.apply(step.state, decision.seat, move, Chance(secret, ply))
        told += [one.event for one in step.told if one.to is None]
    secrets = game.secrets(step.state)
    texts = {
        "told": "".join(codec.dumps(event) for event in told),
        "shown": codec.dumps(game.view(step.state, None)),
    }
    found = []
    for group in dict.fromkeys(one.group for one in secrets.values()):
        names = [name for name, one in secrets.items() if one.group == group]
        keys: dict[str, list[float]] = {
            "name": [float("".join(filter(str.isdigit, name)) or 0) for name in names],
            "worth": [secrets[name].worth for name in names],
            **{kind: [float(text.find(f'"{name}"')) for name in names] for kind, text in texts.items()},
        }
        ranks = {kind: [sorted(set(key)).index(one) for one in key] for kind, key in keys.items()}
        found.append(Placing([secrets[name].value for name in names], ranks))
    return found


class Telling:
    """How far the mean value at each rank is from the mean: large if the rank tells the value."""

    def __init__(self, placed: list[Placing], kind: str) -> None:
        self.ranks = [rank for placing in placed for rank in placing.ranks[kind]]
        most = max(self.ranks) + 1
        self.counts = [self.ranks.count(rank) for rank in range(most)]
        self.means = [0.0] * most
        flat = [sum(one.values) / len(one.values) for one in placed for _ in one.values]
        for rank, mean in zip(self.ranks, flat, strict=True):
            self.means[rank] += mean

    def of(self, values: list[int]) -> float:
        """The measure for these values, all placings after one another."""
        sums = [-mean for mean in self.means]
        for rank, value in zip(self.ranks, values, strict=True):
            sums[rank] += value
        return sum(one * one / count for one, count in zip(sums, self.counts, strict=True) if count)


def p_values(placed: list[Placing]) -> dict[str, float]:
    """For each kind of public order the p of a permutation test that it tells nothing of the values."""
    own = [list(placing.values) for placing in placed]
    tests = {kind: Telling(placed, kind) for kind in PUBLIC}
    same = {kind: next(one for one in PUBLIC if tests[one].ranks == tests[kind].ranks) for kind in PUBLIC}
    real = {kind: tests[kind].of([*chain(*own)]) for kind in set(same.values())}
    as_telling = dict.fromkeys(real, 0)
    draw = random.Random(2026)
    for _ in range(PERMUTATIONS):
        for values in own:
            draw.shuffle(values)
        flat = [*chain(*own)]
        for kind, measure in real.items():
            as_telling[kind] += tests[kind].of(flat) >= measure - 1e-9
    return {kind: (1 + as_telling[same[kind]]) / (1 + PERMUTATIONS) for kind in PUBLIC}


@functools.cache
def found_p(slug: str, seats: int, options: tuple[tuple[str, str], ...], least: int) -> dict[str, float]:
    game, placed, number = all_games()[slug], [], 0
    while len(placed) < least:
        number += 1
        some = placings(game, seats, dict(options), number)
        if not some:
            return {}
        placed += some
    return p_values(placed[:least])


@pytest.mark.parametrize("case", cases(), ids=str)
@pytest.mark.parametrize(
    "least",
    [
        pytest.param(SHARE, id="share", marks=pytest.mark.slow),
        pytest.param(WHOLE, id="whole", marks=[pytest.mark.slow, pytest.mark.long]),
    ],
)
def test_nothing_public_predicts_a_secret_value_better_than_chance(case, least):
    assert all(p > LEAST_P for p in found_p(*case, least).values()), found_p(*case, least)


def test_the_test_sees_values_that_follow_names_orders_or_worth():
    values = [6, 5, 4, 3, 3, 2, 2, 1, 1, 1]
    mixed = random.Random(1)
    for kind in PUBLIC:
        placed = []
        for _ in range(30):
            ranks = {other: mixed.sample(range(10), 10) for other in PUBLIC}
            placed.append(Placing(values, {**ranks, kind: list(range(10))}))
        found = p_values(placed)
        assert found.pop(kind) <= LEAST_P
        assert min(found.values()) > LEAST_P


def test_a_game_of_hidden_numbered_pieces_names_its_secrets():
    assert any(found_p(*case, 4) for case in cases())
