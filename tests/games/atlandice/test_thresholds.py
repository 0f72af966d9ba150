"""How much there is of Atlandice: what the contract cannot ask of every game."""

from app.games.atlandice import GAME
from tests.games import thresholds


def test_moves_are_refused_for_many_reasons():
    assert len(thresholds.reasons_met(GAME)) > 3


def test_something_is_hidden():
    assert not GAME.open_information


def test_the_rules_page_marks_our_rulings_and_shows_positions():
    assert thresholds.rulings_marked(GAME) >= 4
    assert thresholds.pictures_drawn(GAME) >= 3


def test_the_golden_matches_have_several_kinds_of_moves():
    assert len(thresholds.verbs_played(GAME)) > 2


def test_a_game_is_not_over_soon():
    assert thresholds.moves_played(GAME) > 30
