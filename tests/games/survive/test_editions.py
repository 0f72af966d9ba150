"""Matches of the first edition go on by its rules; the second differs where it says so."""

from typing import Any

import msgspec
import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.games import rules_of
from app.games.survive import GAME
from app.games.survive.state import State

SEED = b"editions" * 4
RED = "orders 1 J8; 6 D5; 2 J7; 5 D6; 3 J6; 4 D7; 1 F3; 2 E4; 3 E8; 1 F10; ships C4 C5"
YELLOW = "orders 6 D8; 1 E5; 5 E6; 1 E7; 4 F4; 1 F5; 3 F6; 2 F7; 3 F8; 2 F9; ships C6 C7"
WIND = {
    "terrain": {"G4": "mountain/volcano"},
    "explorers": {"red1": "G4", "yellow1": "G4"},
    "ships": {"ship1": "C4"},
    "hands": {"red": ["wind"]},
}


def placed(edition: int) -> Any:
    game = rules_of("survive", edition)
    state = game.setup(("red", "yellow"), game.complete_options(2, {}), Chance(SEED, 0)).state
    for ply, (seat, text) in enumerate((("red", RED), ("yellow", YELLOW)), 1):
        step = game.apply(state, seat, game.parse(state, seat, text), Chance(SEED, ply))
        state = step.state
    return step


@pytest.mark.parametrize(
    ("edition", "first", "told"),
    [(1, ("J8", 1), ["red1 J8", "yellow1 D8", "red2 D5"]), (2, ("D5", 6), ["red1 D5", "red2 D6", "red3 D7"])],
)
def test_numbers_follow_the_spaces_from_the_second_edition_on(
    edition: int, first: tuple[str, int], told: list[str]
) -> None:
    step = placed(edition)
    red1 = next(one for one in GAME.view(step.state, "red").explorers if one.name == "red1")
    assert (red1.at, red1.value) == first
    events = [one.event for one in step.told if type(one.event).__name__ == "ExplorerPlaced"]
    assert [f"{event.explorer} {event.at}" for event in events][:3] == told
    assert len(events) == 20


@pytest.mark.parametrize(("edition", "may"), [(1, True), (2, False)])
def test_the_winds_moved_empty_ships_in_the_first_edition(edition: int, may: bool) -> None:
    game = rules_of("survive", edition)
    state = game.load(WIND, ("red", "yellow"), game.complete_options(2, {}), Chance(SEED, 0))
    offered = {game.format(move) for move in game.decisions(state)[0].options}
    assert ("play wind ship1 C6" in offered) == may


def test_a_state_of_the_first_edition_was_stored_without_it() -> None:
    state = placed(1).state
    stored = msgspec.json.decode(codec.dumps(state))
    for name in ("edition", "small_fleet", "free_landing"):
        del stored["variant"][name]
    again = codec.load_state(rules_of("survive", 1), msgspec.json.encode(stored).decode())
    assert isinstance(again, State)
    assert again == state
    assert again.variant.edition == 1
