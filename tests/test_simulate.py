"""What the lobby says of a game's length is what simulated games are."""

import re
import statistics

import pytest
from click.testing import CliRunner

from app import narrate, simulate
from app.cli import main
from app.games import all_games


@pytest.mark.parametrize("slug", list(all_games()))
def test_the_letters_that_a_game_is_said_to_take_are_those_that_it_takes(slug):
    game = all_games()[slug]
    said = re.search(r"(\d+)\u2013(\d+) emails", narrate.game_length(game, "en"))
    assert said is not None
    low, high = map(int, said.groups())
    for seats in (game.seats[0], game.seats[-1]):
        lengths = [simulate.play(game, seats, {}, f"said {number}") for number in range(5)]
        assert low <= statistics.median(max(length.letters) for length in lengths) <= high


def test_equal_seeds_are_equal_games():
    game = next(iter(all_games().values()))
    assert simulate.play(game, 2, {}, "one") == simulate.play(game, 2, {}, "one")
    assert simulate.play(game, 2, {}, "one") != simulate.play(game, 2, {}, "two")


def simulated(*arguments):
    """The output of the command, and whether it succeeded."""
    done = CliRunner().invoke(main, ["simulate", *arguments, "--games", "1"])
    return done.output.strip().splitlines(), done.exit_code == 0


def test_a_preset_and_options_beside_it_are_simulated():
    lines, ok = simulated("survive", "--preset", "printed", "--option", "setup=random")
    assert (len(lines), ok) == (3, True)
    assert lines == simulated("survive", "--preset", "printed")[0]  # the preset decides the set-up
    assert lines != simulated("survive")[0]


def test_numbers_of_seats_that_an_option_does_not_suit_are_left_out():
    lines, ok = simulated("survive", "--option", "colours=two")
    assert (len(lines), ok) == (1, True)
    assert lines[0].startswith("survive, 2 seats:")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "no game 'chess'"),
        (("atlantis", "--preset", "paper"), "no preset 'paper'; there are email, printed"),
        (("atlantis", "--option", "bridges"), "'bridges' isn't NAME=CHOICE"),
        (("atlantis", "--option", "bridges=all"), "It can be crossing or any."),
        (("atlantis", "--option", "boats=any"), "Atlantis has no option “boats”."),
    ],
)
def test_what_cannot_be_simulated_is_said(arguments, said):
    lines, ok = simulated(*arguments)
    assert not ok
    assert said in " ".join(lines)


def test_a_game_that_does_not_end_is_given_up(monkeypatch):
    monkeypatch.setattr(simulate, "MOST_MOVES", 5)
    with pytest.raises(simulate.Stuck):
        simulate.play(all_games()["atlantis"], 2, all_games()["atlantis"].complete_options(2, {}), "one")
