"""The worked cases and the golden games."""

import hashlib
from pathlib import Path

import pytest
import yaml

from app import scenarios
from app.engine.chance import Chance
from app.games.atlantis import GAME

HERE = Path(__file__).parent
CASES = list(scenarios.documents([HERE / "scenarios"]))
MATCHES = sorted((HERE / "matches").glob("*.match"))


@pytest.mark.parametrize(("name", "document"), CASES, ids=[name for name, _ in CASES])
def test_worked_case(name, document):
    assert scenarios.run(name, document).difference == ""


@pytest.mark.parametrize("path", MATCHES, ids=[path.stem for path in MATCHES])
def test_golden_game(path):
    """A header in YAML, a move a line, and how it ended."""
    header_text, lines = path.read_text().split("---\n")
    header = yaml.safe_load(header_text)
    assert header["edition"] == GAME.edition
    seed = hashlib.sha256(header["seed"].encode()).digest()
    seats = tuple(header["players"])
    options = GAME.complete_options(len(seats), header.get("options", {}))
    if "position" in header:
        state = GAME.load(header["position"], seats, options, Chance(seed, 0))
    else:
        state = GAME.setup(seats, options, Chance(seed, 0)).state
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
    ends = {path.read_text().splitlines()[-1].split()[1] for path in MATCHES}
    assert ends == set(GAME.endings)


def test_each_choice_of_an_option_has_a_golden_game():
    headers = [yaml.safe_load(path.read_text().split("---\n")[0]) for path in MATCHES]
    for option in GAME.options:
        found = {header.get("options", {}).get(option.name, option.choices[0]) for header in headers}
        assert found == set(option.choices)
