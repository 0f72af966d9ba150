"""What the lobby says of a game's length is what simulated games are."""

import re
import statistics

import pytest

from app import narrate, simulate
from app.games import all_games


@pytest.mark.parametrize("slug", list(all_games()))
def test_the_letters_that_a_game_is_said_to_take_are_those_that_it_takes(slug):
    game = all_games()[slug]
    said = re.search(r"(\d+) to (\d+) letters", narrate.game_length(game, "en"))
    assert said is not None
    low, high = map(int, said.groups())
    for seats in (game.seats[0], game.seats[-1]):
        lengths = [simulate.play(game, seats, {}, f"said {number}") for number in range(5)]
        assert low <= statistics.median(max(length.letters) for length in lengths) <= high


def test_equal_seeds_are_equal_games():
    game = next(iter(all_games().values()))
    assert simulate.play(game, 2, {}, "one") == simulate.play(game, 2, {}, "one")
    assert simulate.play(game, 2, {}, "one") != simulate.play(game, 2, {}, "two")
