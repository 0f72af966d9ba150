"""Positions that leave things open, and positions that cannot be."""

from collections import Counter
from typing import Any

import pytest

from app.engine.chance import Chance
from app.engine.errors import BadOptions, BadPosition
from app.games.survive import GAME
from app.games.survive.board import BACK_COUNT, VALUES

TWO = ("red", "yellow")


def load(position: dict[str, Any], seats: tuple[str, ...] = TWO, seed: int = 0, **options: str) -> Any:
    chance = Chance(bytes([seed]) * 32, 0)
    return GAME.load(position, seats, GAME.fill(len(seats), options), chance)


def back_of(position: dict[str, Any], name: str) -> str:
    return str(position["terrain"][name].split("/")[1])


def test_backs_not_given_are_drawn_from_what_is_left_of_their_terrain() -> None:
    names = ("F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10")
    terrain = dict.fromkeys(names, "mountain") | {"F3": "mountain/volcano", "F4": "mountain/whirlpool"}
    drawn = set()
    for seed in range(5):
        position = GAME.dump(load({"terrain": terrain}, seed=seed))
        backs = Counter(back_of(position, name) for name in names)
        assert backs == +BACK_COUNT["mountain"]
        assert (back_of(position, "F3"), back_of(position, "F4")) == ("volcano", "whirlpool")
        drawn.add(tuple(position["terrain"].values()))
    assert len(drawn) > 1


def test_values_not_given_are_drawn_from_what_is_left_of_their_colour() -> None:
    explorers: dict[str, Any] = {f"red{n}": {"at": "F5"} for n in range(1, 11)}
    explorers["red4"] = {"at": "F5", "value": 6}
    explorers["yellow1"] = "sea:C4"
    for seed in range(3):
        state = load({"terrain": {"F5": "beach"}, "explorers": explorers}, seed=seed)
        found = GAME.dump(state)["explorers"]
        assert sorted(found[f"red{n}"]["value"] for n in range(1, 11)) == list(VALUES)
        assert found["red4"]["value"] == 6
        assert found["yellow1"] == {"at": "sea:C4", "value": found["yellow1"]["value"]}


def test_what_is_left_out_has_a_natural_default() -> None:
    state = load({"terrain": {"F5": "beach"}, "explorers": {"red1": "F5", "yellow1": "F5"}})
    position = GAME.dump(state)
    assert position["turn"] == {
        "seat": "red",
        "step": "move",
        "points": 3,
        "water_moved": [],
        "die": None,
        "number": 1,
        "stirred": False,
    }
    assert position["kills"] == {"red": 0, "yellow": 0}
    assert position["hands"] == {"red": [], "yellow": []}
    assert position["appeared"] == {"shark": 0, "whale": 0, "ship": 0}
    assert {decision.seat for decision in GAME.decisions(state)} == {"red"}


def test_the_numbering_goes_on_from_the_highest_listed_or_given() -> None:
    position = {
        "terrain": {"F5": "beach"},
        "explorers": {"red1": "F5"},
        "ships": {"ship3": "C4"},
        "creatures": {"shark2": "C5", "whale1": "C5"},
        "appeared": {"whale": 4},
    }
    assert GAME.dump(load(position))["appeared"] == {"shark": 2, "whale": 4, "ship": 3}


def test_the_die_is_rolled_where_a_creature_may_move_and_it_is_not_given() -> None:
    position = {"terrain": {"F5": "beach"}, "explorers": {"red1": "F5"}, "turn": {"step": "creature"}}
    faces = {GAME.dump(load(position, seed=seed))["turn"]["die"] for seed in range(12)}
    assert faces == {"serpent", "shark", "whale"}


def test_who_is_asked_to_defend_follows_from_the_attack() -> None:
    position = {
        "terrain": {"F5": "beach"},
        "explorers": {"red1": "F5", "yellow1": "sea:C4", "blue1": "sea:C4"},
        "hands": {"blue": ["dolphin"]},
        "attack": {"creature": "shark1", "at": "C4"},
    }
    state = load(position, ("red", "yellow", "blue"))
    assert [decision.seat for decision in GAME.decisions(state)] == ["blue"]
    assert GAME.dump(state)["creatures"] == {"shark1": "C4"}


@pytest.mark.parametrize(
    ("idle", "found"), [(0, 0), (1, 1), (2, 2), (3, {"turns": 3}), (5, {"turns": 5}), ({"turns": 4}, 2)]
)
def test_idle_counts_rounds_up_to_two_and_turns_beyond(idle: Any, found: Any) -> None:
    position = {"explorers": {"red1": "sea:C4", "yellow1": "sea:C5"}, "idle": idle}
    state = load(position, to_the_last="on")
    assert GAME.dump(state)["idle"] == found
    assert load(GAME.dump(state), to_the_last="on") == state


@pytest.mark.parametrize(
    "position",
    [
        {"terain": {}},
        {"terrain": {"A3": "beach"}},
        {"terrain": {"F5": "desert"}},
        {"terrain": {"F5": "beach/gold"}},
        {"terrain": dict.fromkeys(("F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "G3"), "mountain")},
        {"terrain": []},
        {"explorers": {"red11": "sea:C4"}},
        {"explorers": {"green1": "sea:C4"}},
        {"explorers": {"red1": "sea:Z4"}},
        {"explorers": {"red1": "ship1"}},
        {"explorers": {"red1": "isle:N"}},
        {"explorers": {"red1": {"at": "sea:C4", "value": 7}}},
        {"explorers": {"red1": {"at": "sea:F5"}}, "terrain": {"F5": "beach"}},
        {"explorers": {f"red{n}": "ship1" for n in range(1, 5)}, "ships": {"ship1": "C4"}},
        {"ships": {"ship13": "C4"}},
        {"ships": {"ship1": "C4", "ship2": "C4"}},
        {"ships": {"ship1": "F5"}, "terrain": {"F5": "beach"}},
        {"creatures": {"shark7": "C4"}},
        {"creatures": {"shark1": "F5"}, "terrain": {"F5": "beach"}},
        {"hands": {"green": []}},
        {"hands": {"red": ["volcano"]}},
        {"kills": {"red": -1}},
        {"turn": {"seat": "blue"}},
        {"turn": {"step": "dance"}},
        {"turn": {"points": "many"}},
        {"turn": {"step": "creature", "die": "dolphin"}},
        {"turn": {"water_moved": "red1"}},
        {"attack": {"creature": "serpent1", "at": "C4"}},
        {"attack": {"creature": "shark1", "at": "C4"}},
        {"boarding": {"ship": "ship9", "at": "C4"}},
        {"orders": {"red": "6 Z99"}},
        "rubbish",
    ],
)
def test_a_position_that_cannot_be_is_refused(position: Any) -> None:
    with pytest.raises(BadPosition) as caught:
        load(position)
    assert caught.value.reason in GAME.reasons


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (5, {}, "wrong_seats"),
        (1, {}, "wrong_seats"),
        (2, {"pace": "fast"}, "unknown_option"),
        (2, {"setup": "later"}, "unknown_choice"),
        (3, {"colours": "two"}, "only_two_seats"),
        (2, {"to_the_last": "on", "submerged": "on"}, "options_clash"),
    ],
)
def test_a_table_that_cannot_be_opened(seats: int, options: dict[str, str], reason: str) -> None:
    with pytest.raises(BadOptions) as caught:
        GAME.fill(seats, options)
    assert caught.value.reason == reason
    assert reason in GAME.reasons


def test_two_colours_belong_to_red_and_yellow() -> None:
    options = GAME.fill(2, {"colours": "two"})
    with pytest.raises(BadOptions):
        GAME.setup(("red", "green"), options, Chance(b"x" * 32, 0))
