"""Positions that leave things open, and positions that cannot be."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from app.engine.chance import Chance
from app.engine.errors import BadOptions, BadPosition
from app.games.survive import GAME
from app.games.survive.board import BACK_COUNT, VALUES

TWO = ("red", "yellow")


def load(position: dict[str, Any], seats: tuple[str, ...] = TWO, seed: int = 0, **options: str) -> Any:
    chance = Chance(bytes([seed]) * 32, 0)
    return GAME.load(position, seats, GAME.complete_options(len(seats), options), chance)


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
    position = {
        "terrain": {"F5": "beach"},
        "explorers": {"red1": "F5", "yellow1": "F5"},
        "creatures": {"serpent1": "B2", "shark1": "C4", "whale1": "C6"},
        "turn": {"step": "creature"},
    }
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
    ("given", "rounds", "turns"),
    [
        ({}, 0, 0),
        ({"idle": 1}, 1, 2),
        ({"idle": 5}, 5, 10),
        ({"idle_turns": 3}, 1, 3),
        ({"idle": 1, "idle_turns": 3}, 1, 3),
    ],
)
def test_idle_counts_rounds_and_the_turns_stand_beside_it(given: Any, rounds: int, turns: int) -> None:
    position = {"explorers": {"red1": "sea:C4", "yellow1": "sea:C5"}, **given}
    state = load(position, to_the_last="on")
    assert (GAME.dump(state)["idle"], GAME.dump(state)["idle_turns"]) == (rounds, turns)
    assert load(GAME.dump(state), to_the_last="on") == state


def test_nothing_stands_for_what_is_not_there() -> None:
    position = {
        "terrain": {"F5": "beach", "F6": None},
        "explorers": {"red1": "F5", "red2": None, "red3": {"at": None}, "blue1": None},
        "ships": {"ship1": None},
        "creatures": {"shark1": None},
        "hands": {"red": None, "yellow": "wind"},
        "turn": {"seat": None, "points": None, "die": None},
        "attack": None,
    }
    found = GAME.dump(load(position))
    assert (set(found["terrain"]), set(found["explorers"])) == ({"F5"}, {"red1"})
    assert (found["ships"], found["creatures"]) == ({}, {})
    assert found["hands"] == {"red": [], "yellow": ["wind"]}


def test_more_of_a_kind_than_the_box_holds_loads_where_it_is_said() -> None:
    position = {
        "terrain": dict.fromkeys(("F5", "G4", "G5"), "mountain/volcano") | {"F6": "mountain"},
        "explorers": {f"red{n}": {"at": "F5", "value": 6} for n in range(1, 10)} | {"red10": "F5"},
        "hands": {"red": ["wind"] * 5},
    }
    found = GAME.dump(load(position))
    assert found["terrain"]["G5"] == "mountain/volcano"
    assert found["explorers"]["red9"]["value"] == 6
    assert found["hands"]["red"] == ["wind"] * 5


@pytest.mark.parametrize("seats", [("blue", "green"), ("yellow", "red"), ("green", "blue", "red")])
def test_any_colours_may_play_in_any_order(seats: tuple[str, ...]) -> None:
    options = GAME.complete_options(len(seats), {"setup": "random"})
    state: Any = GAME.setup(seats, options, Chance(b"c" * 32, 0)).state
    assert GAME.load(GAME.dump(state), seats, options, Chance(b"d" * 32, 0)) == state
    assert [decision.seat for decision in GAME.decisions(state)] == [seats[0]]
    colours = {name.rstrip("0123456789") for name in GAME.dump(state)["explorers"]}
    assert colours == set(seats)


WHOLE: dict[str, Any] = {
    "terrain": {"F5": "beach/dolphin", "G4": "mountain"},
    "explorers": {"red1": {"at": "F5", "value": 6}, "yellow1": "sea:C4", "yellow2": "ship1"},
    "lost": {"red9": 5},
    "ships": {"ship1": "C5"},
    "creatures": {"shark1": "C8"},
    "hands": {"yellow": ["wind"]},
    "kills": {"red": 1},
    "appeared": {"shark": 2},
    "idle": 1,
    "idle_turns": 2,
    "dry": 3,
    "ending": "volcano",
    "orders": {"red": "6 F5"},
    "turn": {
        "seat": "red",
        "step": "move",
        "points": 2,
        "water_moved": ["red1"],
        "die": "shark",
        "number": 3,
    },
    "attack": {"creature": "shark1", "at": "C4", "asked": "yellow"},
    "boarding": {"at": "C4", "ship": "ship9"},
}
JUNK: tuple[Any, ...] = (
    *(None, True, -1, 7, 3.5, float("nan"), 10**30, "", "rubbish", b"red", [], [[]], [None], ["red1"]),
    *({}, {"red": {}}, {None: 1}, {"at": []}, ()),
)


def everywhere(inside: Any, junk: Any) -> Iterator[Any]:
    """The value with the junk in the place of each of its parts in turn."""
    yield junk
    if isinstance(inside, dict):
        for key, value in inside.items():
            yield from ({**inside, key: other} for other in everywhere(value, junk))
            yield {**inside, 1: junk}


@pytest.mark.parametrize("step", ["explorers", "orders", "move", "board", "creature", "defend", "over"])
def test_whatever_stands_anywhere_a_position_loads_or_is_refused(step: str) -> None:
    whole = {**WHOLE, "turn": {**WHOLE["turn"], "step": step}}
    if step == "board":
        whole["explorers"] = dict.fromkeys(("red1", "red2", "yellow1", "yellow2"), "sea:C4")
    load(whole)
    for junk in JUNK:
        for position in everywhere(whole, junk):
            try:
                state = load(position)
            except BadPosition as error:
                assert error.reason in GAME.reasons  # noqa: PT017 - both ways are right
            else:
                assert load(GAME.dump(state)) == state


ATTACKED: dict[str, Any] = {
    "terrain": {"F5": "beach"},
    "explorers": {"red1": "sea:C4", "yellow1": "F5", "blue1": "sea:C4"},
    "hands": {"red": ["wind"], "yellow": ["wind"], "blue": ["wind"]},
    "attack": {"creature": "shark1", "at": "C4"},
}
"""Red's shark hits red and blue; blue alone may be asked."""


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
        {"turn": {"water_moved": "red11"}},
        {"hands": {"red": 1}},
        {"hands": {"red": [["wind"]]}},
        {"turn": {"stirred": "maybe"}},
        {"turn": {"seat": ["red"]}},
        {"idle": {"turns": 4}},
        {"attack": {"creature": "serpent1", "at": "C4"}},
        {"attack": {"creature": "shark1", "at": "C4"}},
        {"boarding": {"ship": "ship9", "at": "C4"}},
        {
            "terrain": {"D5": "beach"},
            "explorers": {"yellow1": "D5"},
            "hands": {"yellow": ["wind"]},
            "attack": {"creature": "shark1", "at": "D5", "asked": "yellow"},
        },
        {
            "terrain": {"D5": "beach"},
            "explorers": {f"red{n}": "D5" for n in range(1, 6)},
            "boarding": {"ship": "ship9", "at": "D5"},
        },
        {**ATTACKED, "attack": {**ATTACKED["attack"], "asked": "red"}},
        {**ATTACKED, "attack": {**ATTACKED["attack"], "asked": "yellow"}},
        {**ATTACKED, "hands": {}, "attack": {**ATTACKED["attack"], "asked": "blue"}},
        {"orders": {"red": "6 Z99"}},
        "rubbish",
    ],
)
def test_a_position_that_cannot_be_is_refused(position: Any) -> None:
    seats = ("red", "yellow", "blue") if position is not None and "blue1" in str(position) else TWO
    with pytest.raises(BadPosition) as caught:
        load(position, seats)
    assert caught.value.reason in GAME.reasons


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (5, {}, "wrong_seats"),
        (1, {}, "wrong_seats"),
        (2, {"pace": "fast"}, "unknown_option"),
        (2, {"setup": "later"}, "unknown_choice"),
        (3, {"colours": "two"}, "only_two_seats"),
        (2, {"fleet": "two"}, "needs_choice"),
        (2, {"fleet": "two", "colours": "one"}, "needs_choice"),
        (4, {"fleet": "two"}, "needs_choice"),
        (3, {"fleet": "two", "colours": "two"}, "only_two_seats"),
        (2, {"fleet": "three", "colours": "two"}, "unknown_choice"),
        (2, {"landing": "dry"}, "unknown_choice"),
        (2, {"to_the_last": "on", "submerged": "on"}, "options_clash"),
    ],
)
def test_a_table_that_cannot_be_opened(seats: int, options: dict[str, str], reason: str) -> None:
    with pytest.raises(BadOptions) as caught:
        GAME.complete_options(seats, options)
    assert caught.value.reason == reason
    assert reason in GAME.reasons


def test_two_colours_belong_to_red_and_yellow() -> None:
    options = GAME.complete_options(2, {"colours": "two"})
    with pytest.raises(BadOptions):
        GAME.setup(("red", "green"), options, Chance(b"x" * 32, 0))


@pytest.mark.parametrize("seats", [("red", "red"), ("red", "purple")])
def test_seats_are_different_colours_of_the_box(seats: tuple[str, str]) -> None:
    with pytest.raises(BadOptions):
        GAME.setup(seats, GAME.complete_options(2, {}), Chance(b"x" * 32, 0))
    with pytest.raises(BadOptions):
        load({}, seats)
