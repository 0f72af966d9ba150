"""Default moves, which the clock plays for a player who does not answer (rules, section 9)."""

from typing import Any

import pytest

from app.engine.chance import Chance
from app.games.survive import GAME

CHANCE = Chance(b"defaults" * 4, 0)
CROWD = {
    "green1": "sea:F5",
    "yellow3": "sea:F5",
    "red9": "sea:F5",
    "yellow2": "sea:F5",
    "green2": "sea:F5",
}


def defaults(
    position: dict[str, Any], seats: tuple[str, ...] = ("red", "yellow", "green"), **options: str
) -> str:
    state = GAME.load(position, seats, GAME.complete_options(len(seats), options), CHANCE)
    texts = set()
    for decision in GAME.decisions(state):
        assert decision.default is not None
        texts.add(GAME.format(decision.default))
        GAME.apply(state, decision.seat, decision.default, CHANCE)
    return " | ".join(sorted(texts))


@pytest.mark.parametrize(
    ("position", "default"),
    [
        (
            {
                "terrain": {"D5": "beach", "E5": "beach", "F6": "beach", "E6": "beach", "G4": "forest"},
                "explorers": {"red1": "D5", "red2": "E5", "yellow1": "F6", "green1": "F6"},
                "hands": {"red": ["wind"]},
            },
            "sink E6",
        ),
        (
            {
                "terrain": {"D5": "beach", "E5": "beach", "F6": "beach"},
                "explorers": {"red1": "D5", "red2": "D5", "yellow1": "F6", "green1": "E5"},
                "turn": {"step": "move"},
            },
            "sink E5",
        ),
        ({"explorers": {"red1": "ship1"}, "ships": {"ship1": "C4"}}, "done"),
        (
            {
                "terrain": {"G4": "forest"},
                "explorers": {"red1": "G4", "yellow1": "sea:C4"},
                "creatures": {"shark1": "C3"},
                "turn": {"step": "creature", "die": "shark"},
            },
            "creature pass",
        ),
        (
            {
                "explorers": {"red1": "sea:C5", "yellow1": "sea:C4"},
                "hands": {"yellow": ["shark-defence"]},
                "attack": {"creature": "shark1", "at": "C4"},
            },
            "allow",
        ),
        (
            {"explorers": CROWD, "boarding": {"ship": "ship9", "at": "F5"}, "turn": {"seat": "red"}},
            "board red9 yellow2 yellow3",
        ),
        (
            {"explorers": CROWD, "boarding": {"ship": "ship9", "at": "F5"}, "turn": {"seat": "green"}},
            "board red9 green1 green2",
        ),
        ({"terrain": {"F5": "beach"}, "turn": {"step": "orders"}}, "orders random"),
        ({"terrain": {"F5": "beach"}, "turn": {"step": "explorers"}}, "place random"),
        (
            {"terrain": {"F5": "beach"}, "explorers": {"red1": "F5"}, "turn": {"step": "ships"}},
            "ship random",
        ),
    ],
)
def test_the_clock_plays(position: dict[str, Any], default: str) -> None:
    assert defaults(position) == default


def test_a_crowd_boards_by_number_and_then_colour_where_a_player_has_two() -> None:
    explorers = dict.fromkeys(("green1", "green3", "red3", "red4", "yellow1"), "sea:F5")
    position = {"explorers": explorers, "boarding": {"ship": "ship9", "at": "F5"}}
    assert defaults(position, ("red", "yellow"), colours="two") == "board red3 green1 green3"


def test_a_crowd_too_big_to_list_is_asked_without_a_list() -> None:
    explorers = {f"red{n}": "sea:F5" for n in range(1, 11)} | {f"yellow{n}": "sea:F5" for n in range(1, 11)}
    position = {"explorers": explorers, "boarding": {"ship": "ship9", "at": "F5"}}
    state = GAME.load(position, ("red", "yellow"), GAME.complete_options(2, {}), CHANCE)
    (decision,) = GAME.decisions(state)
    assert decision.options == ()
    step = GAME.apply(state, "red", GAME.parse(state, "red", "board yellow9, red2, red7"), CHANCE)
    aboard = {name for name, entry in GAME.dump(step.state)["explorers"].items() if entry["at"] == "ship9"}
    assert aboard == {"red2", "red7", "yellow9"}
