"""The rules by worked cases, and what holds in every state of any game."""

from pathlib import Path

import pytest

from app import scenarios
from app.engine.chance import Chance
from app.games.atlandice import GAME
from app.games.atlandice.board import HOME, KINDS, dice_of
from app.games.atlandice.events import Emptied, Moved, Rolled, Sunk
from app.games.atlandice.state import State
from tests.games.atlandice.table import as_state, loaded, play, random_game, seed_of
from tests.share import in_blocks

CASES = list(scenarios.documents([Path(__file__).parent / "scenarios"]))
COLOURS = ("red", "blue", "green", "yellow")


@pytest.mark.parametrize(("name", "document"), CASES, ids=[name for name, _ in CASES])
def test_worked_case(name, document):
    assert scenarios.run(name, document).difference == ""


def totals(state: State) -> list[int]:
    return [sum(row[kind] for row in (*state.stock, *state.owned)) for kind in range(len(KINDS))]


def check_conservation(seats: int, seed: str) -> None:
    """Nothing appears, and nothing disappears but what the rules take out of the game."""
    left_the_game: set[str] = set()
    clock = 0
    whole: list[int] = []
    for _, _, _, step in random_game(COLOURS[:seats], seed):
        state = as_state(step)
        whole = whole or totals(state)
        for told in step.told:
            if isinstance(told.event, Emptied) and not told.event.taker:
                left_the_game.add(told.event.tile)
        there = [tile for tiles in (*state.piles, *state.tiles) for tile in tiles]
        assert sorted([*there, *left_the_game]) == sorted(HOME)
        for kind, (now, full) in enumerate(zip(totals(state), whole, strict=True)):
            assert now == (full if state.piles[kind] else 0)
        if state.step != "over":
            assert sum(state.dice) + sum(state.taken) == dice_of(seats)
        assert all(state.piles[at] or not state.dice[at] for at in range(5))
        assert all(count >= 0 for row in (*state.stock, *state.owned) for count in row)
        assert clock <= state.clock <= state.track.last
        clock = state.clock


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tiles_resources_and_dice_are_conserved(seats):
    for number in range(8):
        check_conservation(seats, f"few {number}")


@pytest.mark.parametrize(("seats", "numbers"), in_blocks((2, 3, 4), range(334), blocks=4), ids=str)
def test_tiles_resources_and_dice_are_conserved_in_a_thousand_games(seats, numbers):
    for number in numbers:
        check_conservation(seats, f"many {number}")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_score_does_not_depend_on_the_seats_names(seats):
    def scores(names: tuple[str, ...]) -> list[list[int]]:
        found = []
        for number in range(10):
            *_, (_, _, _, step) = random_game(names, f"names {number}")
            outcome = GAME.outcome(step.state)
            assert outcome
            found.append([outcome.scores[name] for name in names])
        return found

    assert scores(COLOURS[:seats]) == scores(tuple(reversed(COLOURS))[:seats])


def test_the_clock_plays_the_area_with_most_dice_and_the_first_kinds_there():
    state = loaded(dice={"works": 2, "smith": 2, "library": 1}, submarine="smith")
    assert GAME.format(GAME.decisions(state)[0].default) == "visit works tool"
    state = loaded(dice={"works": 2, "smith": 3}, submarine="smith")
    assert GAME.format(GAME.decisions(state)[0].default) == "visit smith gem weapon"
    state = loaded(("red", "blue"), dice={"works": 2}, taken={"red": 2})
    assert GAME.format(GAME.decisions(state)[0].default) == "visit works tool neutral"
    state = loaded(("red", "blue"), dice={"works": 2}, taken={"red": 1})
    assert GAME.format(GAME.decisions(state)[0].default) == "visit works tool"


@pytest.mark.parametrize(
    ("tile", "default"),
    [
        ("J1", "take gem"),
        ("J2", "swap gem gem@smith"),
        ("L1", "take gem@jewelers"),
        ("L2", "put book"),
        ("L3", "take book"),
        ("I2", "put gem jewelers"),
        ("I3", "die works 5"),
        ("E1", "submarine jewelers"),
        ("B1", "take gem"),
        ("B2", "put gem jewelers"),
        ("B3", "take gem"),
    ],
)
def test_the_clock_plays_the_first_possible_kind_at_the_lowest_area(tile, default):
    state = loaded(turn={"step": "effect"}, effect={"tile": tile}, submarine="works")
    decision = GAME.decisions(state)[0]
    assert GAME.format(decision.default) == default
    assert decision.default in decision.options


def test_every_move_but_a_roll_a_new_tile_or_an_opened_gift_can_be_taken_back():
    for state, _, _, step in random_game(COLOURS[:3], "reveals"):
        after = as_state(step)
        rolled = any(isinstance(told.event, Rolled) for told in step.told)
        new_round = after.taken == (0, 0, 0) and after.step == "visit"
        sunk = [told.event.area for told in step.told if isinstance(told.event, Sunk)]
        turned_up = any(isinstance(t.event, Emptied) and t.event.area not in sunk for t in step.told)
        assert step.reveals == (rolled or new_round or turned_up), (state, step)


def test_a_tile_scored_by_an_effect_counts_for_the_visit_before_it():
    """What lay on a district before the visit survives being stored between visit and effect."""
    state = loaded(
        piles={"jewelers": ["J2"], "smith": ["B2", "B1"], "works": ["E1", "E2"]},
        stock={"smith": {"weapon": 2}, "works": {}, "jewelers": {"gem": 1}},
        dice={"smith": 2},
    )
    state = play(state, "red", "visit smith weapon")
    again = GAME.load(GAME.dump(state), state.seats, {}, Chance(seed_of("x"), 0))
    assert again == state
    step = GAME.apply(state, "red", GAME.parse(state, "red", "put weapon works"), Chance(seed_of("x"), 1))
    emptied = [told.event.area for told in step.told if isinstance(told.event, Emptied)]
    assert emptied == ["smith"]
    assert any(isinstance(told.event, Moved) for told in step.told)


def test_the_simple_player_beats_chance():
    wins = 0.0
    for number in range(40):
        seats = COLOURS[:3]
        mine = seats[number % 3]
        dice, mind = seed_of(f"bot {number}"), seed_of(f"bot mind {number}")
        state = as_state(GAME.setup(seats, {}, Chance(dice, 0)))
        ply = 0
        while decisions := GAME.decisions(state):
            ply += 1
            decision, chance = decisions[0], Chance(mind, ply)
            if decision.seat == mine:
                move = GAME.bot(GAME.view(state, mine), decision, chance)
            else:
                move = chance.pick(decision.options)
            state = as_state(GAME.apply(state, decision.seat, move, Chance(dice, ply)))
        outcome = GAME.outcome(state)
        assert outcome
        wins += outcome.places[mine] == 1
    assert wins > 20, wins
