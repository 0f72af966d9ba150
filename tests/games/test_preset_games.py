"""Bots play whole games under each preset: none is stuck or a dead end, and nothing tells a secret."""

import pytest

from app.engine.errors import BadOptions
from app.engine.game import Game, Options
from app.engine.presets import with_preset
from app.games import all_games
from app.simulate import play
from tests.games.test_secrets import LEAST_P, p_values, placings

SHARE = 6
WHOLE = 300
"""Games under each preset, in equal numbers at each kind of table."""
PRESETS = [(slug, preset.name) for slug, game in all_games().items() for preset in game.presets]


def tables(game: Game, preset: str) -> list[tuple[int, Options]]:
    """Each number of seats with the preset alone, and with each option beside it that the seats allow."""
    beside = [{}, *({one.name: choice} for one in game.options for choice in one.choices[1:])]
    found: list[tuple[int, Options]] = []
    for seats in game.seats:
        for chosen in beside:
            options = with_preset(game, preset, seats, chosen)
            try:
                complete = game.complete_options(seats, options)
            except BadOptions:
                continue
            if (seats, complete) not in found:
                found.append((seats, complete))
    return found


@pytest.mark.parametrize(("slug", "preset"), PRESETS)
@pytest.mark.parametrize(
    "games",
    [
        pytest.param(SHARE, id="share", marks=pytest.mark.slow),
        pytest.param(WHOLE, id="whole", marks=[pytest.mark.slow, pytest.mark.long]),
    ],
)
def test_bots_play_every_preset_to_its_end_and_nothing_tells_a_secret(slug, preset, games):
    game = all_games()[slug]
    at = tables(game, preset)
    placed = []
    for number in range(games):
        seats, options = at[number * len(at) // games]
        length = play(game, seats, options, f"{preset} {number}")
        assert length.reason in game.endings
        placed += placings(game, seats, dict(options), number)
    if placed:
        found = p_values(placed)
        assert all(p > LEAST_P for p in found.values()), found
