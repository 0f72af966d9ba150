"""Why a move is refused: the first reason that a player can do something about, and facts to say it with."""

from typing import Any

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import IllegalMove
from app.engine.game import Move
from app.games.survive import GAME
from app.games.survive.moves import (
    Board,
    Climb,
    Dolphin,
    Go,
    Hunt,
    Land,
    Lure,
    Orders,
    Place,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    Wind,
    Wish,
)
from app.games.survive.rules import refuse

CHANCE = Chance(b"refusals" * 4, 0)
TABLE: dict[str, Any] = {
    "terrain": {
        "F5": "beach/dolphin",
        "F6": "beach",
        "E5": "beach",
        "G4": "mountain",
        "F4": "beach",
        "E4": "beach",
    },
    "explorers": {
        "red1": "ship1",
        "red2": "F5",
        "red3": "sea:C5",
        "red4": "isle:NW",
        "red5": "sea:D8",
        "yellow1": "ship2",
        "yellow2": "ship3",
        "yellow3": "ship3",
        "yellow4": "ship3",
    },
    "ships": {"ship1": "C4", "ship2": "C8", "ship3": "G5", "ship4": "E8"},
    "creatures": {"shark1": "M5", "shark2": "M6", "serpent1": "B2"},
    "hands": {"red": ["wind", "dolphin", "move-shark"]},
    "turn": {"seat": "red", "step": "play", "water_moved": ["red5"]},
}
INLAND = {
    "terrain": dict.fromkeys(("F5", "F6", "E5", "E4", "F4", "G4", "G5"), "beach"),
    "explorers": {"red1": "F5", "yellow1": "F5"},
    "ships": {},
}
CREATURE = {
    "turn": {"seat": "red", "step": "creature", "die": "shark"},
    "explorers": {"yellow1": "sea:M4", "red1": "F5"},
}
SETUP = {
    "terrain": {"F5": "beach", "F6": "beach", "G4": "beach"},
    "explorers": {"red1": {"at": "F5", "value": 6}},
    "ships": {"ship1": "F4"},
    "hands": {},
}
TEN = "5 F5; 4 F5; 3 F5; 3 F5; 2 F5; 2 F5; 1 F5; 1 F5; 1 F5"
ATTACK = {
    "explorers": {"yellow1": "sea:C4", "red1": "F5"},
    "hands": {"yellow": ["wind"]},
    "attack": {"creature": "shark1", "at": "C4", "asked": "yellow"},
    "creatures": {},
    "turn": {"seat": "red", "step": "defend"},
}
ORDERS = SETUP | {"turn": {"step": "orders"}}
CASES: list[tuple[dict[str, Any], str, str, str]] = [
    ({"turn": {"step": "over"}}, "red", "sink F5", "over"),
    ({}, "yellow", "move yellow1>sea", "not_your_turn"),
    ({}, "red", "creature pass", "not_now"),
    ({}, "red", "move red2>E4, sink F5", "one_action"),
    ({}, "blue", "sink F5", "not_at_the_table"),
    ({}, "red", "done", "still_land"),
    ({}, "red", "move yellow1>sea", "not_yours"),
    ({}, "red", "move red9>E5", "not_in_play"),
    ({}, "red", "move ship9>C5", "not_in_play"),
    ({}, "red", "move red4>B2", "ashore"),
    ({}, "red", "move red4>isle", "ashore"),
    ({}, "red", "move red2>E6", "not_adjacent"),
    ({}, "red", "move red2>F5", "already_there"),
    ({}, "red", "move red3>F5", "not_adjacent"),
    ({"explorers": {"red1": "sea:E6", "yellow1": "F5"}}, "red", "move red1>F6", "no_return"),
    ({}, "red", "move red1>C3", "jump_first"),
    ({}, "red", "move red3>ship1", "not_alongside"),
    ({}, "red", "move red2>ship3", "ship_full"),
    ({}, "red", "move red2>sea", "not_aboard"),
    ({}, "red", "move red2>isle", "not_at_isle"),
    ({"explorers": {"red1": "sea:C1", "yellow1": "F5"}}, "red", "move red1>isle SE", "other_isle"),
    ({}, "red", "move red5>D9", "water_moved"),
    ({}, "red", "move ship2>C9", "not_steering"),
    ({"ships": {**TABLE["ships"], "ship5": "C3"}}, "red", "move ship1>C3", "ship_in_the_way"),
    ({"ships": {**TABLE["ships"], "ship5": "D5"}}, "red", "move ship5>E5", "not_sea"),
    ({"turn": {"step": "sink", "points": 0}}, "red", "sink G4", "wrong_terrain"),
    (INLAND, "red", "sink F5", "not_at_sea"),
    ({"turn": {"step": "sink"}}, "red", "move red2>E5", "not_now"),
    ({"turn": {"step": "sink", "points": 0}}, "red", "move red2>E5", "no_points"),
    ({}, "red", "sink C5", "no_tile_there"),
    ({}, "red", "sink A3", "no_tile_there"),
    ({"hands": {}}, "red", "play wind ship1 C3", "not_now"),
    ({"hands": {"red": ["wind"]}}, "red", "play dolphin red3 C6", "not_held"),
    ({}, "red", "play move-shark shark3 B5", "not_in_play"),
    ({}, "red", "play move-shark shark1 C5", "not_vacant"),
    ({}, "red", "play wind ship2 C9", "not_steering"),
    ({}, "red", "play wind ship4 E9", "empty_ship"),
    ({}, "red", "play wind red3 C9", "wrong_piece"),
    ({}, "red", "play wind ship1 C8", "ship_in_the_way"),
    ({}, "red", "play wind ship1 C9", "no_way"),
    ({}, "red", "play wind ship1 B4-A4-A5-A6", "too_far"),
    ({}, "red", "play wind ship1 B4-B6", "broken_path"),
    ({}, "red", "play dolphin red2 E6", "not_swimming"),
    ({"creatures": {"shark1": "C6"}}, "red", "play dolphin red3 C6-C7", "must_stop"),
    (CREATURE, "red", "creature serpent1>B3", "wrong_creature"),
    (CREATURE, "red", "creature shark4>B3", "not_in_play"),
    (CREATURE, "red", "creature M9", "no_creature_reaches"),
    (CREATURE, "red", "creature shark1>M3", "no_way"),
    (CREATURE, "red", "creature shark1>M4-M3", "must_stop"),
    (ATTACK, "yellow", "defend", "no_defence"),
    (ATTACK, "red", "allow", "not_your_turn"),
    ({"explorers": {"red4": "isle:NW", "yellow1": "F5"}}, "red", "move ship4>E9", "nobody_left"),
    (
        {
            "explorers": {f"red{n}": "sea:F3" for n in range(1, 6)},
            "boarding": {"ship": "ship9", "at": "F3"},
            "turn": {"step": "board"},
        },
        "red",
        "board red1 red2",
        "three_swimmers",
    ),
    (SETUP | {"turn": {"step": "explorers"}}, "red", "place 6 F6", "value_gone"),
    (SETUP | {"turn": {"step": "explorers"}}, "red", "place 5 F5", "tile_taken"),
    (SETUP | {"turn": {"step": "explorers"}}, "red", "place 5 C4", "no_tile_there"),
    (SETUP | {"turn": {"step": "explorers"}}, "red", "place yellow 5 F6", "not_yours"),
    (SETUP | {"turn": {"step": "ships"}}, "red", "ship F4", "space_taken"),
    (SETUP | {"turn": {"step": "ships"}}, "red", "ship A4", "not_on_the_coast"),
    (ORDERS, "red", f"orders 6 F5; {TEN}", "wrong_values"),
    (ORDERS, "red", f"orders {TEN} ships A4", "not_on_the_coast"),
    (ORDERS, "red", f"orders {TEN.replace('4 F5', '4 C4')}", "no_tile_there"),
    (
        ORDERS | {"orders": {"red": "random"}},
        "red",
        "orders random",
        "orders_given",
    ),
]


def refusal(changes: dict[str, Any], seat: str, text: str, **options: str) -> IllegalMove:
    state = GAME.load({**TABLE, **changes}, ("red", "yellow"), GAME.complete_options(2, options), CHANCE)
    before = codec.dumps(state)
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, seat, GAME.parse(state, seat, GAME.split(text)[0]), CHANCE)
    assert codec.dumps(state) == before
    return caught.value


@pytest.mark.parametrize(("changes", "seat", "text", "reason"), CASES, ids=[f"{c[3]}: {c[2]}" for c in CASES])
def test_the_reason_fits(changes: dict[str, Any], seat: str, text: str, reason: str) -> None:
    assert refusal(changes, seat, text).reason == reason


def test_the_refusal_of_a_step_says_what_its_piece_can_do_instead() -> None:
    facts = refusal({}, "red", "move red2>E7").facts
    assert facts["move"] == "move red2>E7"
    assert set(facts["instead"]) == {f"move red2>{to}" for to in ("E4", "E5", "F4", "F6", "G4", "G5")}
    assert (facts["at"], facts["to"]) == ("F5", "E7")


def test_a_list_without_colours_is_sent_back_where_a_player_has_two() -> None:
    assert refusal(ORDERS, "red", "orders 6 F5", colours="two").reason == "which_colour"


SWIM = {"explorers": {"red1": "sea:M4", "yellow1": "F5"}, "creatures": {"shark1": "B5", "serpent1": "D11"}}


@pytest.mark.parametrize(
    "move",
    [
        Dolphin("red1", "M5", ("M5", "M6")),
        Dolphin("red1", "M6", ("M5",)),
        Dolphin("red1", "M5", ("Z5",)),
        Dolphin("red1", "M5", ["M5"]),  # type: ignore[arg-type]
        Dolphin(["red1"], "M5"),  # type: ignore[arg-type]
        Dolphin("red99", "M5"),
        Dolphin("red1", ""),
        Wind("ship13", "M5"),
        Lure("shark9", "M5"),
        Lure("shark1", "Q1"),
        Go("purple1", "M5"),
        Go("red1", "M99"),
        Climb("red1", "ship0"),
        Land("red1", "N"),
        Sail("ship99", "M5"),
        Sink("Z1"),
        Hunt("shark9", "M5"),
        Hunt("serpent1", "C11", ("C11", "C10")),
        Board(("red1", "red2", "nobody")),
        Place(6, "Q9"),
        Place("six", "F5"),  # type: ignore[arg-type]
        Place(6, "F5", "purple"),
        PutShip("Q9"),
        PlaceRandom(ship=True),
        Orders((Wish(6, ("Q9",)),)),
        Orders(("6 F5",)),  # type: ignore[arg-type]
        Orders(ships=("Q9",)),
        Move(),
        None,
        "sink F5",
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "step", ["play", "move", "sink", "creature", "board", "defend", "orders", "explorers"]
)
def test_a_move_that_nobody_could_have_written_is_refused_like_any_other(move: Any, step: str) -> None:
    turn = {"seat": "red", "step": step, "die": "serpent" if step == "creature" else None}
    changes: dict[str, Any] = {**SWIM, "turn": turn}
    if step == "defend":
        changes = {
            **ATTACK,
            "explorers": {"red1": "sea:C4", "yellow1": "F5"},
            "hands": {"red": ["wind"]},
            "attack": {"creature": "shark1", "at": "C4", "asked": "red"},
            "turn": {"seat": "yellow", "step": "defend"},
        }
    elif step == "board":
        changes["explorers"] = {f"red{n}": "sea:F3" for n in range(1, 6)}
        changes["boarding"] = {"ship": "ship9", "at": "F3"}
    elif step in ("orders", "explorers"):
        changes = {**SETUP, "turn": turn}
    state = GAME.load({**TABLE, **changes}, ("red", "yellow"), GAME.complete_options(2, {}), CHANCE)
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, "red", move, CHANCE)
    assert caught.value.reason in refuse.REASONS


def test_every_reason_is_met_by_a_case() -> None:
    met = {reason for *_, reason in CASES} | {"which_colour"}
    assert set(refuse.REASONS) - met == {"not_legal"}
    assert met <= set(GAME.reasons)
