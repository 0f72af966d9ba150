"""Standing defence (rules, section 4.5)."""

import pytest

from app.engine.chance import Chance
from app.engine.errors import UnreadableMove
from app.games import all_games
from app.games.survive.moves import Allow, Defend

GAME = all_games()["survive"]


def attacked(hand, swimmers=2):
    """Red's shark has come to C4, where so many of yellow's swim."""
    position = {
        "terrain": {"F5": "beach"},
        "explorers": {f"yellow{n}": {"at": "sea:C4", "value": 1} for n in range(1, swimmers + 1)}
        | {"red1": {"at": "F5", "value": 1}},
        "creatures": {"shark1": "C4"},
        "hands": {"yellow": hand},
        "turn": {"seat": "red", "step": "defend", "die": "shark"},
        "attack": {"creature": "shark1", "at": "C4", "asked": "yellow"},
    }
    seats = ("red", "yellow")
    state = GAME.load(position, seats, GAME.complete_options(2, {}), Chance(b"x", 0))
    (decision,) = GAME.decisions(state)
    return GAME.view(state, "yellow"), decision


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("always", Defend()),
        ("never", Allow()),
        ("ask", None),
        ("at least 1", Defend()),
        ("at least 2", Defend()),
        ("at least 3", Allow()),
    ],
)
def test_the_tile_is_played_where_the_policy_wants_it(text, answer):
    assert GAME.apply_policy(*attacked(["shark-defence", "dolphin"]), text) == answer


@pytest.mark.parametrize("text", ["always", "at least 2", "never"])
def test_without_the_tile_the_same_policies_let_it_happen_at_once(text):
    assert GAME.apply_policy(*attacked(["whale-defence"]), text) == Allow()


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (" Always. ", "always"),
        ("NEVER", "never"),
        ("at-least 2", "at least 2"),
        ("at_least  ２", "at least 2"),
        (">= 3", "at least 3"),
        ("2", "at least 2"),
        ("2+", "at least 2"),
    ],
)
def test_policies_are_read_leniently(typed, text):
    assert GAME.read_policy("Defend", typed) == text


def test_what_cannot_be_read_hears_what_was_meant():
    with pytest.raises(UnreadableMove) as caught:
        GAME.read_policy("defend", "allways")
    assert "always" in caught.value.nearest
