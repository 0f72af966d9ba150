"""Laws beyond single cases: set-up, defaults, conservation, fairness, secrecy."""

import itertools
from collections import Counter

import pytest

from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import BadPosition
from app.games.atlantis import GAME
from app.games.atlantis.board import HALVES, ITEM, ITEMS, MISSING, SPACES, TILES_PER_ITEM, VALUE, half_of
from app.games.atlantis.events import Bought, Crossed, Drew, DrewCards, Gained, Paid
from app.games.atlantis.state import State, listed
from tests.share import in_blocks


def load(position, seats=("red", "blue"), seed=0):
    return GAME.load(position, seats, {}, Chance(bytes([seed]) * 32, 0))


def played(number, seats, options=None):
    """States and steps of a game of random legal moves."""
    secret, mind = (number.to_bytes(32, "big"), number.to_bytes(31, "big") + b"x")
    state = GAME.setup(GAME.colours[:seats], options or {}, Chance(secret, 0)).state
    yield state, None
    for ply in itertools.count(1):
        decisions = GAME.decisions(state)
        if not decisions:
            return
        move = Chance(mind, ply).pick(decisions[0].options)
        step = GAME.apply(state, decisions[0].seat, move, Chance(secret, ply))
        state = step.state
        yield state, step


def test_1_the_tiles_are_those_of_the_ruling():
    for half, missing in MISSING.items():
        tiles = HALVES[half]
        assert len(tiles) == 42
        assert Counter(VALUE[tile] for tile in tiles) == dict.fromkeys(range(1, 8), 6)
        assert all(f"{item}{value}" not in tiles for item, value in missing.items())
        assert Counter(ITEM[tile] for tile in tiles) == dict.fromkeys(ITEMS, TILES_PER_ITEM // 2)


def test_2_the_path_and_the_hands_are_laid_as_the_rules_say():
    step = GAME.setup(("blue", "red", "black", "white"), {}, Chance(bytes(32), 0))
    state = step.state
    assert isinstance(state, State)
    heights = [len(stack) for stack in state.path]
    assert heights == [2] * 10 + [1] * 10 + [2] * 6 + [0] + [2] * 6 + [1] * 10 + [2] * 10
    assert len(heights) == SPACES == 53
    for half in "AB":
        laid = [tile for space, stack in enumerate(state.path, 1) if half_of(space) == half for tile in stack]
        assert Counter(laid) == Counter(HALVES[half])
    assert [sum(hand) for hand in state.hands] == [4, 5, 6, 7]
    assert len(state.draw) == 105 - 22
    assert GAME.decisions(state)[0].seat == "blue"


def test_2_a_hand_is_told_to_its_owner_only():
    step = GAME.setup(("blue", "red"), {}, Chance(bytes(32), 0))
    told = {told.event.seat: told.to for told in step.told if isinstance(told.event, DrewCards)}
    assert told == {"blue": ("blue",), "red": ("red",)}


PATH = {20: ["flag3"], 22: ["olive5"], 23: ["pot2"], 24: ["ring6"], 25: ["flag5"]}


@pytest.mark.parametrize(
    ("hand", "figures", "bridges", "default"),
    [
        (["pot", "statue"], {"A": 20, "B": 22}, {}, "go B pot"),  # crossing nothing is cheapest
        (["ring"], {"A": 23, "B": 22}, {}, "go B ring"),  # then the rearmost figure
        (["ring", "pot"], {"A": 22, "B": 25}, {}, "go A pot"),  # then the order of items
        (["olive"], {"A": 20, "B": 22, "C": "home"}, {}, "go B olive"),
        (["pot"], {"A": 20, "B": "home", "C": "home"}, {}, "go A pot bridge 21"),
        (["pot"], {"A": 20, "B": "home", "C": "home"}, {"red": "spent"}, "show"),
    ],
)
def test_7_the_clock_plays_the_cheapest_then_the_rearmost_then_the_first_item(
    hand, figures, bridges, default
):
    where = {"A": "home", "B": "home", "C": "home"} | figures
    position = {"path": PATH, "figures": {"red": where}, "hands": {"red": hand}, "bridges": bridges}
    assert GAME.format(GAME.decisions(load(position))[0].default) == default


@pytest.mark.parametrize("more", [["pot", "pot", "pot", "pot", "pot"], []])
def test_6_the_question_asked_tells_nothing_of_the_hand(more):
    position = {
        "path": PATH,
        "figures": {"red": {"A": 20, "B": "home", "C": "home"}},
        "bridges": {"red": "spent"},
        "hands": {"red": ["olive", *more], "blue": ["crown"] * (6 - len(more))},
        "draw": ["flag"],
    }
    decision = GAME.decisions(load(position))[0]
    assert (decision.asks, decision.about) == ("buy", "128/1/0")


def test_6_the_next_tile_and_the_pile_stay_hidden_until_they_show():
    position = {
        "path": {20: ["flag3", "crown7"], 21: ["olive5"]},
        "hands": {"red": ["olive"], "blue": ["pot"]},
    }
    state = load(position | {"draw": ["statue"]})
    for seat in ("red", "blue", None):
        known = codec.dumps(GAME.view(state, seat))
        assert "crown" not in known
        assert "statue" not in known
        assert ("pot" in known) == (seat == "blue")
        assert not [item for item in ("helmet", "ring") if item in known]
    step = GAME.apply(state, "red", GAME.parse(state, "red", "go A olive"), Chance(bytes(32), 1))
    assert step.reveals
    assert "crown7" in codec.dumps(GAME.view(step.state, None))
    public = codec.dumps([told.event for told in step.told if told.to is None])
    assert "crown7" in public
    assert "statue" not in public


def test_3_where_nothing_came_to_light_a_move_may_be_taken_back():
    position = {
        "path": {20: ["flag3"], 21: ["olive5"], 22: ["pot2"]},
        "hands": {"red": ["olive"]},
        "draw": [],
    }
    state = load(position | {"figures": {"red": {"A": 20}}})
    step = GAME.apply(state, "red", GAME.parse(state, "red", "go A olive"), Chance(bytes(32), 1))
    assert step.reveals  # the card just played came back from the pile
    state = load(position | {"figures": {"red": {"A": 20}}, "won": {"red": ["ring2"]}, "draw": []})
    step = GAME.apply(state, "red", GAME.parse(state, "red", "buy ring2"), Chance(bytes(32), 1))
    assert not step.reveals


def check_conservation(number, seats, options=None):
    paid_tiles = 0
    asked = set()
    for state, step in played(number, seats, options):
        assert Counter(
            [*state.draw, *listed(state.discard), *(c for hand in state.hands for c in listed(hand))]
        ) == (dict.fromkeys(ITEMS, 15))
        for told in step.told if step else ():
            event = told.event
            if isinstance(event, Paid | Crossed):
                paid_tiles += sum(not piece.startswith("card:") for piece in event.pieces)
            paid_tiles += isinstance(event, Bought)
        tiles = Counter(tile for stack in (*state.path, *state.won) for tile in stack)
        assert tiles <= Counter(itertools.chain(*HALVES.values()))
        assert tiles.total() + paid_tiles == 84
        for decision in GAME.decisions(state):
            assert (decision.asks, decision.about) not in asked
            asked.add((decision.asks, decision.about))
        standing = [at for places in state.figures for at in places if 0 < at <= SPACES]
        assert len(set(standing)) == len(standing)
        assert all(state.path[at - 1] for at in standing)
        lying = [space for space, stack in enumerate(state.path, 1) if stack]
        for bridge in state.bridges:
            if bridge > 0:
                assert lying[0] < bridge < lying[-1]
                assert not state.path[bridge - 1]
                assert state.path[bridge - 2]
    outcome = GAME.outcome(state)
    for seat, score in outcome.scores.items():
        assert outcome.places[seat] == 1 + sum(other > score for other in outcome.scores.values())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_and_nothing_is_doubled(seats):
    for number in range(12):
        check_conservation(number, seats)


@pytest.mark.parametrize(("seats", "numbers"), in_blocks((2, 3, 4), range(1000, 1334), blocks=4), ids=str)
def test_nothing_is_lost_and_nothing_is_doubled_in_a_thousand_games(seats, numbers):
    for number in numbers:
        check_conservation(number, seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_4_the_score_does_not_depend_on_the_names_of_the_seats(seats):
    names = GAME.colours[:seats]
    other_names = tuple(reversed(names))
    secret = b"s" * 32
    state, other = (GAME.setup(some, {}, Chance(secret, 0)).state for some in (names, other_names))
    ply = 0
    while decisions := GAME.decisions(state):
        ply += 1
        seat = decisions[0].seat
        move = Chance(b"m" * 32, ply).pick(decisions[0].options)
        state = GAME.apply(state, seat, move, Chance(secret, ply)).state
        other = GAME.apply(other, other_names[names.index(seat)], move, Chance(secret, ply)).state
    scores, others = GAME.outcome(state).scores, GAME.outcome(other).scores
    assert [scores[seat] for seat in names] == [others[seat] for seat in other_names]


def test_offers_say_what_then_happens():
    told_of = 0
    for state, _ in played(5, 3):
        for decision in GAME.decisions(state):
            view = GAME.view(state, decision.seat)
            assert [offer.text for offer in view.offers] == [GAME.format(move) for move in decision.options]
            for offer, move in zip(view.offers[::7], decision.options[::7], strict=True):
                assert offer.points_at == GAME.click_path(move)
                step = GAME.apply(state, decision.seat, move, Chance(bytes(32), 1))
                events = {type(told.event): told.event for told in step.told}
                assert offer.draws >= events[Drew].cards
                if offer.kind != "go":
                    continue
                told_of += 1
                place = state.seats.index(decision.seat)
                if step.state.step != "over":
                    assert step.state.figures[place]["ABC".index(offer.figure)] == offer.stops[-1]
                gained = events.get(Gained)
                assert (offer.gains, offer.gains_from) == (
                    (gained.tile, gained.space) if gained else (None, None)
                )
                paid = events.get(Paid)
                assert (offer.cost, offer.pays) == ((paid.cost, paid.pieces) if paid else (0, ()))
                if offer.pay_text:
                    same = GAME.parse(state, decision.seat, offer.pay_text)
                    assert GAME.apply(state, decision.seat, same, Chance(bytes(32), 1)).state == step.state
    assert told_of > 100


def test_others_are_offered_nothing():
    state = GAME.setup(("red", "blue"), {}, Chance(bytes(32), 0)).state
    for seat in ("blue", None):
        assert GAME.view(state, seat).offers == ()


@pytest.mark.parametrize(
    ("position", "key"),
    [
        ({"path": {0: ["flag3"]}}, "path"),
        ({"path": {54: ["flag3"]}}, "path"),
        ({"path": {20: ["flag8"]}}, "path.20"),
        ({"path": {20: "flag3"}}, "path.20"),
        ({"path": {20: ["flag3", "flag4", "flag5"]}}, "path.20"),
        ({"path": {at: ["flag7", "flag6"] for at in range(20, 27)}}, "tiles"),
        ({"path": {20: ["flag7"]}, "won": {"red": ["flag7"] * 12}}, "tiles"),
        ({"hands": {"red": ["ring"] * 8, "blue": ["ring"] * 8}}, "cards"),
        ({"hands": {"red": ["ring"] * 8}, "draw": ["ring"] * 8}, "cards"),
        ({"hands": {"red": ["sword"]}}, "hands.red"),
        ({"hands": {"green": ["ring"]}}, "hands"),
        ({"won": {"red": ["ring"]}}, "won.red"),
        ({"path": {20: ["flag3"]}, "figures": {"red": {"A": 21}}}, "figures"),
        ({"path": {20: ["flag3"]}, "figures": {"red": {"A": 20, "B": 20}}}, "figures"),
        ({"figures": {"red": {"D": 0}}}, "figures.red"),
        ({"figures": {"red": {"A": "sea"}}}, "figures.red.A"),
        ({"figures": {"red": {"A": "home", "B": "home", "C": "home"}}}, "figures.red"),
        ({"figures": {"red": {"A": 0}}, "turn": {"step": "over"}}, "figures.red"),
        ({"path": {20: ["flag3"], 21: ["flag4"]}, "bridges": {"red": 21}}, "bridges.red"),
        ({"bridges": {"red": "lost"}}, "bridges.red"),
        ({"turn": {"step": "swim"}}, "turn.step"),
        ({"turn": {"idle": 2}}, "turn.idle"),
        ({"short": {"red": -2}}, "short.red"),
        ({"draw": "ring"}, "draw"),
        ({"island": 3}, "position"),
    ],
)
def test_8_a_position_that_cannot_be_is_refused_with_its_key(position, key):
    with pytest.raises(BadPosition) as caught:
        load(position)
    assert caught.value.reason in GAME.reasons
    assert caught.value.facts["key"] == key


def test_8_a_draw_pile_left_out_holds_the_cards_not_listed_elsewhere():
    position = {"hands": {"red": ["ring"] * 3}, "discard": ["flag"] * 15}
    state = load(position)
    assert Counter(state.draw) == Counter(dict.fromkeys(ITEMS[1:], 15)) - Counter(ring=3)
    assert load(position, seed=1).draw != state.draw
    assert load(position | {"draw": []}).draw == ()
