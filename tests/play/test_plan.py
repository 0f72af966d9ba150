"""Moves planned ahead: as far as a seat can know, and no further."""

from itertools import pairwise

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.games import all_games
from app.play.match.plan import Plan
from tests.games.test_leaks import HIDING, moments, twins
from tests.nim import GAMES

SURVIVE = all_games()["survive"]


def survive(turn, **position):
    position = {
        "terrain": {"G4": "beach", "G5": "beach", "F4": "beach", "H5": "forest"},
        "explorers": {"red1": {"at": "G4"}, "red2": {"at": "ship1"}, "yellow1": {"at": "G5"}},
        "ships": {"ship1": "C5"},
        "creatures": {"shark1": "D3"},
        "turn": {"seat": "red", **turn},
        **position,
    }
    return SURVIVE.load(position, ("red", "yellow"), SURVIVE.complete_options(2, {}), Chance(b"", 0))


def planned(state, *texts):
    return Plan(SURVIVE, state, "red", texts)


def test_steps_are_played_ahead_and_the_one_that_reveals_is_an_intention():
    state = survive({"step": "move", "points": 3})
    plan = planned(state, "move red1>F4", "MOVE ship1 > C6", "sink g5")
    assert plan.texts == ("move red1>F4", "move ship1>C6", "sink G5")
    assert [one.open for one in plan.steps] == [False, False, True]
    assert plan.view.points == 1
    assert plan.view.ships == {"ship1": "C6"}
    assert "G5" in plan.view.terrain
    assert plan.complete
    assert plan.decisions == ()
    assert [type(event).__name__ for event in plan.events()] == ["Walked", "Sailed"]


def test_what_is_not_possible_falls_out_with_its_reason_and_the_rest_stays():
    state = survive({"step": "move", "points": 2})
    plan = planned(state, "move red1>C5", "move ship1>C6", "swim", "sink G5", "move ship1>C7")
    assert plan.texts == ("move ship1>C6", "sink G5")
    assert [one.text for one in plan.dropped] == ["move red1>C5", "swim", "move ship1>C7"]
    assert [isinstance(one.error, RulesError) for one in plan.dropped] == [True, True, False]


def test_a_tile_of_the_hand_is_a_number_in_an_address():
    state = survive({"step": "play"}, hands={"red": ["wind", "move-shark"]})
    plan = planned(state, "play wind ship1 C6", "move red1>F4")
    assert plan.codes[0].startswith("own:")
    assert plan.codes[1] == "move red1>F4"
    assert planned(state, *plan.codes).texts == plan.texts == ("play wind ship1 C6", "move red1>F4")
    assert planned(state, "own:999").texts == planned(state, "own:0/7").texts == ()


def test_a_value_is_no_part_of_an_address():
    options = SURVIVE.complete_options(2, {"setup": "live"})
    state = SURVIVE.setup(("red", "yellow"), options, Chance(b"", 0)).state
    seat = SURVIVE.decisions(state)[0].seat
    plan = Plan(SURVIVE, state, seat, ["place 6 F5"])
    assert plan.codes[0].startswith("own:")
    assert Plan(SURVIVE, state, seat, plan.codes).texts == plan.texts == ("place 6 F5",)


def test_a_plan_says_nothing_of_the_state_when_it_is_printed():
    assert repr(planned(survive({"step": "move"}), "move red1>F4")) == "<Plan of 1 steps>"


def test_whole_ways_of_a_piece_are_found_with_the_moves_that_are_left():
    ways = {one.target: one.texts for one in planned(survive({"step": "move", "points": 2})).ways("ship1")}
    assert ways["C7"] == ("move ship1>C6", "move ship1>C7")
    assert "C6" not in ways
    assert "C5" not in ways
    assert all(len(texts) == 2 for texts in ways.values())
    assert planned(survive({"step": "move", "points": 1})).ways("ship1") == ()


def test_a_way_avoids_what_can_be_avoided():
    """Round the serpent, not through it: the loaded ship would be lost."""
    state = survive({"step": "move", "points": 2}, creatures={"serpent1": "C6"})
    ways = {one.target: one.texts for one in planned(state).ways("ship1")}
    assert "C7" not in ways
    assert not any("C6" in text for texts in ways.values() for text in texts)


@pytest.mark.parametrize("slug", HIDING)
def test_what_a_seat_cannot_tell_apart_gives_equal_plans(slug):
    game, compared, carried = GAMES[slug], 0, 0
    for state, seat, move, ply in moments(slug)[::2]:
        for twin in twins(slug, seat, state, ply):
            chance = Chance(b"plan", ply)
            texts = [game.format(move)]
            for _ in range(2):  # further than the move itself, as far as it goes
                asked = Plan(game, state, seat, texts).decisions
                if asked and asked[0].options:
                    texts.append(game.format(chance.pick(asked[0].options)))
            ours, theirs = Plan(game, state, seat, texts), Plan(game, twin, seat, texts)
            assert ours.texts == theirs.texts
            assert [one.open for one in ours.steps] == [one.open for one in theirs.steps]
            assert tuple(ours.events()) == tuple(theirs.events())
            assert codec.dumps(ours.view) == codec.dumps(theirs.view)
            assert ours.decisions == theirs.decisions
            assert repr(ours.dropped) == repr(theirs.dropped)
            for name in {game.click_path(one)[0] for one in asked_moves(ours) if game.click_path(one)}:
                assert repr(ours.ways(name)) == repr(theirs.ways(name))
            compared += 1
            carried += any(not one.open for one in ours.steps)
    assert compared > 20


def asked_moves(plan):
    return [move for decision in plan.decisions for move in decision.options][::7]


@pytest.mark.parametrize("slug", list(all_games()))
def test_the_steps_of_a_plan_are_one_answer(slug):
    game = all_games()[slug]
    texts = dict.fromkeys(game.format(move) for _, _, move, _ in (moments(slug) if slug in HIDING else ()))
    lines = list(texts)[:60]
    assert lines or slug not in HIDING
    for joint in ("\n", "\r\n"):
        for one, other in pairwise(lines):
            if not one.startswith("orders") and not other.startswith("orders"):
                assert game.split(joint.join((one, other))) == (one, other)
