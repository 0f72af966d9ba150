"""The pictures of the rules pages are positions that the games could reach, and what they tell can be played.

`load` of a game refuses most of what can't be. A game whose `load` takes more, such as other printings, has
`tests/games/<slug>/possible.py`: `faults(position)` lists what could not come from its own set-up.
"""

import importlib
from importlib.util import find_spec

import pytest

from app.engine.chance import Chance
from app.games import all_games
from app.web.lobby.sample_boards import shown, worked

PICTURES = [(slug, name) for slug in all_games() for name in worked(slug)]
each_picture = pytest.mark.parametrize(("slug", "name"), PICTURES, ids=[f"{s}-{n}" for s, n in PICTURES])


@each_picture
def test_a_picture_shows_a_possible_position(slug, name):
    game, told = all_games()[slug], worked(slug)[name]
    module = f"tests.games.{slug}.possible"
    faults = importlib.import_module(module).faults if find_spec(module) else lambda _: []
    begun, _ = shown(game, {key: value for key, value in told.items() if key != "play"})
    assert faults(game.dump(begun)) == []
    assert faults(game.dump(shown(game, told)[0])) == []


@each_picture
def test_what_a_picture_says_can_be_played(slug, name):
    game, told = all_games()[slug], worked(slug)[name]
    state, _ = shown(game, told)
    for entry in told.get("then", ()):
        for seat, line in entry.items():
            for text in game.split(line):
                state = game.apply(state, seat, game.parse(state, seat, text), Chance(bytes(32), 1)).state


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"path": {27: ["ring6"]}}, "space 27 has too many tiles"),
        ({"path": {15: ["ring5", "ring6"]}}, "space 15 has too many tiles"),
        ({"path": {20: ["crown5"]}}, "half A has no crown5"),
        ({"path": {40: ["flag1"]}}, "half B has no flag1"),
        ({"path": {20: ["crown4"], 21: ["crown4"]}}, "half A has one crown4"),
        ({"path": {20: ["crown4"], 40: ["crown4"]}, "won": {"red": ["crown4"]}}, "there are two crown4"),
        ({"path": {20: ["crown4"], 22: ["ring5"]}, "figures": {"red": {"A": 21}}}, "a figure is on water"),
    ],
)
def test_a_position_of_atlantis_that_cannot_be_is_found(change, fault):
    faults = importlib.import_module("tests.games.atlantis.possible").faults
    game = all_games()["atlantis"]
    state = game.load(change, ("red", "blue"), game.complete_options(2, {}), Chance(bytes(32), 0))
    assert any(fault in found for found in faults(game.dump(state)))
