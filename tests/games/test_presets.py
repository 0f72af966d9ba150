"""Bots play the games to their end under each preset: no dead end, no game that gets stuck."""

import hashlib

import pytest

from app.engine.chance import Chance
from app.engine.presets import with_preset
from app.games import all_games
from tests.share import in_blocks

GAMES = range(300)
MOST_MOVES = 2000
"""Some ten times as many as a game between bots has."""
TABLES = [
    (slug, preset.name, seats)
    for slug, game in all_games().items()
    for preset in game.presets
    for seats in game.seats
]


def seed_of(text):
    return hashlib.sha256(text.encode()).digest()


def play(game, seats, options, number):
    """The outcome of a game between bots, and the number of their moves."""
    colours = game.colours[:seats]
    secret, mind = seed_of(f"dice {number}"), seed_of(f"mind {number}")
    state = game.setup(colours, options, Chance(secret, 0)).state
    moves = 0
    while decisions := game.decisions(state):
        must = [one for one in decisions if not one.optional]
        assert must, "nobody must act, and the game goes on"
        moves += 1
        assert moves < MOST_MOVES, "the game is stuck"
        for decision in must:
            assert decision.default is not None
            assert not decision.options or decision.default in decision.options
        decision = must[0]
        move = game.bot(game.view(state, decision.seat), decision, Chance(mind, moves))
        assert not decision.options or move in decision.options
        state = game.apply(state, decision.seat, move, Chance(secret, moves)).state
    return game.outcome(state), moves


@pytest.mark.parametrize(("table", "numbers"), in_blocks(TABLES, GAMES, blocks=30))
def test_bots_play_every_preset_to_its_end(table, numbers):
    slug, preset, seats = table
    game = all_games()[slug]
    options = game.complete_options(seats, with_preset(game, preset, seats, {}))
    for number in numbers:
        outcome, _ = play(game, seats, options, number)
        assert outcome.reason in game.endings
        assert set(outcome.places) == set(game.colours[:seats])
        assert 1 in outcome.places.values()
