"""The worked cases and the golden games."""

import hashlib
from pathlib import Path

import pytest
import yaml

from app import scenarios
from app.engine.chance import Chance
from app.games.atlantis import GAME
from tests.games import golden

HERE = Path(__file__).parent
CASES = list(scenarios.documents([HERE / "scenarios"]))
MATCHES = [one.match for one in golden.of("atlantis")]


@pytest.mark.parametrize(("name", "document"), CASES, ids=[name for name, _ in CASES])
def test_worked_case(name, document):
    assert scenarios.run(name, document).difference == ""


def test_golden_end_from_a_position():
    """As `tests/games/test_golden.py`, but it begins in the middle: a header in YAML, moves, and the end."""
    header_text, lines = (HERE / "matches" / "standstill.yaml").read_text().split("---\n")
    header = yaml.safe_load(header_text)
    seed = hashlib.sha256(header["seed"].encode()).digest()
    seats = tuple(header["players"])
    state = GAME.load(header["position"], seats, GAME.complete_options(len(seats), {}), Chance(seed, 0))
    *moves, result = lines.splitlines()
    for ply, line in enumerate(moves, 1):
        assert GAME.outcome(state) is None
        seat, text = line.split(": ")
        move = GAME.parse(state, seat, text)
        assert GAME.format(move) == text
        state = GAME.apply(state, seat, move, Chance(seed, ply)).state
    outcome = GAME.outcome(state)
    assert outcome is not None
    scores = " ".join(f"{seat} {outcome.scores[seat]}" for seat in seats)
    assert f"= {outcome.reason} {scores}" == result


def test_each_way_to_end_has_a_golden_game():
    ends = {one.ending.reason for one in MATCHES if one.ending}
    assert ends | {"standstill"} == set(GAME.endings)


def test_each_choice_of_an_option_has_a_golden_game():
    for option in GAME.options:
        found = {dict(one.options).get(option.name, option.choices[0]) for one in MATCHES}
        assert found == set(option.choices)
