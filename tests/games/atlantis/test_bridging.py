"""The option `bridges: any`: the bridge is laid before moving, over any gap that has none."""

import itertools
import re
from xml.etree import ElementTree as ET

import pytest

from app import draw, narrate, simulate
from app.engine.chance import Chance
from app.engine.errors import AmbiguousMove, BadOptions, IllegalMove, UnreadableMove
from app.games.atlantis import GAME
from app.games.atlantis.moves import Bridge, Buy, Go, Show
from tests.games.atlantis.test_oracle import told
from tests.games.atlantis.test_rules import check_conservation

ANY = {"bridges": "any"}
POSITION = {
    "path": {20: ["flag3"], 23: ["olive5"], 24: ["pot2"], 26: ["ring6", "crown1"], 28: ["helmet7"]},
    "figures": {"red": {"A": 20, "B": 23, "C": "home"}, "blue": {"C": 24}},
    "hands": {"red": ["olive", "flag", "ring", "ring"], "blue": ["pot"]},
    "won": {"red": ["ring5", "pot1"]},
    "draw": ["statue"] * 8,
}
POOR = {"hands": {"red": ["ring"], "blue": ["pot"]}, "won": {}}
"""Red can move only over a bridge."""
BROKE = {"hands": {"red": []}, "won": {"red": ["pot2"]}, "draw": ["ring"]}
"""Red can move only over a bridge, after buying a card."""


def load(options=None, **changes):
    return GAME.load(
        POSITION | changes, ("red", "blue"), ANY if options is None else options, Chance(bytes(32), 0)
    )


def play(state, line, seat="red"):
    for text in GAME.split(line):
        state = GAME.apply(state, seat, GAME.parse(state, seat, text), Chance(bytes(32), 1)).state
    return state


def refusal(state, line, seat="red"):
    """The reason, its facts, and the sentence."""
    with pytest.raises(IllegalMove) as caught:
        play(state, line, seat)
    sentence = narrate.refusal(GAME, "en", caught.value)
    assert sentence.endswith("."), sentence
    return caught.value.reason, dict(caught.value.facts), sentence


def offered(state):
    return [GAME.format(move) for move in GAME.decisions(state)[0].options]


def test_an_old_match_has_the_default():
    state = GAME.setup(("red", "blue"), {}, Chance(bytes(32), 0)).state
    assert state == GAME.setup(("red", "blue"), {"bridges": "crossing"}, Chance(bytes(32), 0)).state
    assert (state.bridging, GAME.complete_options(2, {})) == ("crossing", {"bridges": "crossing"})


@pytest.mark.parametrize("choice", ["all", "", "on"])
def test_another_choice_is_refused_with_those_that_there_are(choice):
    with pytest.raises(BadOptions) as caught:
        GAME.complete_options(2, {"bridges": choice})
    assert "crossing or any" in narrate.refusal(GAME, "en", caught.value)


def test_each_gap_without_a_bridge_is_listed_once_after_the_moves_and_before_purchases():
    texts = offered(load(bridges={"blue": 25}))
    assert texts[-3:] == ["bridge 21", "bridge 27", "buy ring5"]
    assert all(text.startswith("go") and "bridge" not in text for text in texts[:-3])


@pytest.mark.parametrize(
    ("line", "reason", "said"),
    [
        (
            "bridge 24",
            "bridge_no_gap",
            "You can lay it over spaces 21 to 22 (“bridge 21”, costs 3 without it) or space 27",
        ),
        ("bridge 53", "bridge_no_gap", "You can’t lay your bridge at space 53: there’s no water there."),
        ("bridge 25", "bridge_there", "You can’t lay your bridge at 25: that gap already has a bridge"),
        ("bridge 21, bridge 27", "bridge_used", "it lies over the gap at 21"),
        ("go A ring bridge 21", "bridge_before_moving", "You can play “bridge 21, go A ring”."),
        ("go A ring bridge 40", "bridge_before_moving", "You can play “go A ring”."),
        ("go A ring bridge", "bridge_before_moving", "You can play “go A ring”."),
        ("show", "must_move", "You can play “go A"),
        ("go B olive; bridge 21", "not_your_turn", "blue"),
    ],
)
def test_a_bridge_that_cannot_be_laid_is_refused_with_what_would_do(line, reason, said):
    state = load(bridges={"blue": 25})
    found, facts, sentence = refusal(state, line)
    assert (found, said in sentence) == (reason, True), sentence
    for text in facts.get("would", ()):
        play(state, text)
    for first, _, _ in facts.get("could", ()):
        play(state, f"bridge {first}")


def test_with_the_default_a_bridge_alone_is_refused_with_the_moves_that_lay_it():
    state = load(options={})
    reason, facts, sentence = refusal(state, "bridge 22")
    assert reason == "bridge_while_moving"
    assert "as part of the move that crosses the gap" in sentence
    assert facts["would"]
    for text in facts["would"]:
        assert "bridge 21" in text
        play(state, text)
    _, facts, sentence = refusal(load(options={}, bridges={"red": "spent"}), "bridge 21")
    assert (facts["would"], facts["others"][0]) == ((), "go A olive ring")
    assert "go A olive ring" in sentence


@pytest.mark.parametrize("options", [{}, ANY])
@pytest.mark.parametrize("line", ["bridge 21", "go A ring bridge 21"])
def test_no_bridge_is_laid_in_the_final_crossing(options, line):
    over = load(options=options, figures={}, turn={"step": "over"})
    reason, _, sentence = refusal(over, line)
    assert reason == "bridge_at_the_end"
    assert "can’t lay your bridge: the game is over" in sentence


def test_where_only_a_bridge_makes_a_move_possible_it_is_the_default_and_then_that_move():
    state = load(**POOR)
    decision = GAME.decisions(state)[0]
    assert offered(state) == ["bridge 21", "bridge 25", "bridge 27"]
    assert decision.default == Bridge(25)  # B crosses 25 alone; A would have to pay for 21 too
    view = GAME.view(state, "red")
    assert [offer.kind for offer in view.offers] == ["bridge"] * 3
    assert GAME.bot(view, decision, Chance(bytes(32), 2)) == Bridge(25)
    state = play(state, "bridge 25")
    assert GAME.decisions(state)[0].default == Go("B", ("ring",))


def test_show_waits_for_a_bridge_that_would_help_and_names_it():
    state = load(**POOR)
    reason, facts, sentence = refusal(state, "show")
    assert (reason, facts["would"]) == ("must_move", ("bridge 25",))
    assert "bridge 25" in sentence
    elsewhere = play(state, "bridge 27")
    assert offered(elsewhere) == ["show"]
    assert GAME.decisions(elsewhere)[0].default == Show()


def test_what_costs_too_much_names_the_bridge_to_lay_first():
    _, facts, sentence = refusal(load(**POOR), "go B ring")
    assert facts["bridging"] == ((25, 25, 0),)
    assert "lay your bridge first" in sentence
    assert "bridge 25" in sentence


def test_a_bridge_is_no_secret_so_it_can_be_taken_back():
    state = load()
    step = GAME.apply(state, "red", Bridge(22), Chance(bytes(32), 1))
    assert not step.reveals
    assert [(type(one.event).__name__, one.event.first, one.event.last, one.to) for one in step.told] == [
        ("Bridged", 21, 22, None)
    ]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("bridge 21", Bridge(21)),
        ("Bridge 22.", Bridge(21)),
        ("bridge 21–22", Bridge(21)),
        ("bridge over the gap at 22", Bridge(21)),
        ("lay bridge 25", Bridge(25)),
        ("lay my bridge over space 25", Bridge(25)),
        ("build a bridge at 25", Bridge(25)),
        ("bridge 40", Bridge(40)),
    ],
)
def test_what_people_type_is_read(text, move):
    state = load()
    assert GAME.parse(state, "red", text) == move
    assert GAME.parse(state, "red", GAME.format(move)) == move


@pytest.mark.parametrize("text", ["bridge 0", "bridge x", "bridge 21 25", "bridge pay ring5", "lay"])
def test_what_cannot_be_read_is_said(text):
    with pytest.raises((UnreadableMove, AmbiguousMove)):
        GAME.parse(load(), "red", text)


def test_a_bridge_without_a_space_is_read_where_one_gap_has_none():
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(load(), "red", "bridge")
    assert caught.value.readings == ("bridge 21", "bridge 25", "bridge 27")
    state = load(path={20: ["flag3"], 23: ["olive5"], 24: ["pot2"]})
    assert GAME.parse(state, "red", "bridge") == Bridge(21)
    with pytest.raises(UnreadableMove):
        GAME.parse(
            load(path={20: ["flag3"], 21: ["pot1"], 22: ["pot3"], 23: ["olive5"], 24: ["pot2"]}),
            "red",
            "bridge",
        )


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("bridge 27, go B flag", ("bridge 27", "go B flag")),
        ("buy ring5, bridge 27, go B flag", ("buy ring5", "bridge 27", "go B flag")),
        ("buy ring5 and then bridge 27 go B flag", ("buy ring5", "bridge 27", "go B flag")),
        ("bridge 27 buy ring5", ("bridge 27", "buy ring5")),
        ("lay bridge 27, go B flag", ("lay bridge 27", "go B flag")),
        ("bridge 27; bridge 30", ("bridge 27", "bridge 30")),
        ("go B ring bridge 27", ("go B ring bridge 27",)),
        ("go B ring, and bridge 27", ("go B ring, and bridge 27",)),
        ("B ring bridge 27", ("B ring bridge 27",)),
    ],
)
def test_a_line_may_hold_a_purchase_a_bridge_and_a_move(line, parts):
    assert GAME.split(line) == parts


def test_it_is_pointed_at_by_its_gap():
    assert GAME.click_path(Bridge(21)) == ("gap:21",)
    ways = [GAME.click_path(move) for move in GAME.decisions(load())[0].options]
    assert len(set(ways)) == len(ways)
    assert not [(a, b) for a in ways for b in ways if a != b and a == b[: len(a)]]


def test_board_and_email_tell_of_it():
    state = load()
    view = GAME.view(state, "red")
    gaps = [f"gap:{move.space}" for move in GAME.decisions(state)[0].options if isinstance(move, Bridge)]
    picture = ET.fromstring(draw.board(GAME, view, pick={name: f"?pick={name}" for name in gaps}))
    links = {node.get("data-at") for node in picture.iter("{http://www.w3.org/2000/svg}a")}
    assert links == set(gaps) == {"gap:21", "gap:25", "gap:27"}
    mine = " ".join(draw.mine(GAME, view).split())
    assert "Before you move you can lay your bridge: bridge 21 (costs 3 without it)" in mine
    assert max(map(len, draw.mine(GAME, view).splitlines())) <= 72
    laid = draw.board(GAME, GAME.view(play(state, "bridge 21"), None))
    assert "at-planks" in laid.split("</defs>")[1]


@pytest.mark.parametrize(
    ("changes", "line", "said"),
    [
        ({}, "", "Before that, you can buy cards with one tile and lay your bridge."),
        ({}, "bridge 21", "Before that, you can buy cards with one tile."),
        ({}, "buy ring5", "Now move a figure, or lay your bridge first."),
        (POOR, "", "You can’t move yet. Lay your bridge first"),
        (BROKE, "buy pot2", "You’ve bought cards and can’t move yet. Lay your bridge first."),
        (BROKE, "buy pot2, bridge 21", "still can’t move. Show your hand and draw two cards."),
        (POOR, "bridge 27", "Show your hand and draw two cards"),
    ],
)
def test_the_question_says_what_may_be_done(changes, line, said):
    state = play(load(**changes), line)
    view = GAME.view(state, "red")
    words = narrate.asks(GAME, "en", GAME.decisions(state)[0], view) + " ".join(offered(state))
    assert said in " ".join(words.split())


@pytest.mark.parametrize("options", [{}, ANY])
@pytest.mark.parametrize("number", range(6))
def test_the_examples_in_an_email_are_legal_answers(options, number):
    for state in random_states(number, options):
        decision = GAME.decisions(state)[0]
        view = GAME.view(state, decision.seat)
        mine = " ".join(draw.mine(GAME, view).split())
        for shown in re.findall(r"as in: ([^.]*)\.", mine):
            play(state, shown, decision.seat)


def random_states(number, options, every=5):
    """States of a game of random legal moves."""
    secret, mind = bytes([number]) * 32, bytes([number]) * 31 + b"b"
    complete = GAME.complete_options(2 + number % 3, options)
    state = GAME.setup(GAME.colours[: 2 + number % 3], complete, Chance(secret, 0)).state
    for ply in itertools.count(1):
        decisions = GAME.decisions(state)
        if not decisions:
            return
        if ply % every == 0:
            yield state
        move = Chance(mind, ply).pick(decisions[0].options)
        state = GAME.apply(state, decisions[0].seat, move, Chance(secret, ply)).state


def plain_moves(position, seat):
    """Every `go` of up to two cards that the plain rules allow, with landing, cost and gain."""
    held = set(position["hands"][seat])
    chains = itertools.chain.from_iterable(itertools.product(held, repeat=many) for many in (1, 2))
    moves = {}
    for figure, cards in itertools.product("ABC", list(chains)):
        if found := told(position, seat, figure, cards, None):
            moves[GAME.format(Go(figure, cards))] = found
    return moves


@pytest.mark.parametrize("number", range(6))
def test_what_is_offered_is_what_the_plain_rules_allow(number):
    compared = 0
    for state in random_states(number, ANY, every=2):
        decision = GAME.decisions(state)[0]
        seat, position = decision.seat, GAME.dump(state)
        tops = sorted(position["path"])
        gaps = [a + 1 for a, b in itertools.pairwise(tops) if b - a > 1]
        lying = [b for b in position["bridges"].values() if isinstance(b, int)]
        free = [gap for gap in gaps if gap not in lying] if seat not in position["bridges"] else []
        offers = {o.text: (o.stops[-1], o.cost, o.gains) for o in GAME.view(state, seat).offers if o.stops}
        short = {text: found for text, found in offers.items() if len(text.split()) <= 4}
        allowed = {
            text: (54 if at == 99 else at, cost, gain)
            for text, (at, cost, gain) in plain_moves(position, seat).items()
        }
        assert short == allowed
        compared += len(allowed)
        assert [move.space for move in decision.options if isinstance(move, Bridge)] == free
        laid = [position | {"bridges": position["bridges"] | {seat: gap}} for gap in free]
        if not offers:
            helps = [gap for gap, after in zip(free, laid, strict=True) if plain_moves(after, seat)]
            assert (Show() in decision.options) == (not helps)
            if helps:
                assert decision.default == Bridge(helps[0])
        assert not (offers and Show() in decision.options)
        assert {move.tile for move in decision.options if isinstance(move, Buy)} == (
            {tile for tile in position["won"][seat] if tile[-1] != "1"} if state.step == "buy" else set()
        )
    assert compared > 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_and_nothing_is_doubled(seats):
    for number in range(8):
        check_conservation(number, seats, ANY)


@pytest.mark.parametrize("seats", [2, 4])
def test_simple_players_lay_bridges_of_their_own_accord(seats):
    laid = 0
    for number in range(4):
        state = GAME.setup(GAME.colours[:seats], ANY, Chance(bytes([number]) * 32, 0)).state
        for ply in itertools.count(1):
            decisions = GAME.decisions(state)
            if not decisions:
                break
            view = GAME.view(state, decisions[0].seat)
            move = GAME.bot(view, decisions[0], Chance(bytes([number]) * 31 + b"m", ply))
            laid += isinstance(move, Bridge)
            state = GAME.apply(state, decisions[0].seat, move, Chance(bytes([number]) * 32, ply)).state
    assert laid >= seats


def test_simulated_games_end():
    for seats in GAME.seats:
        assert simulate.play(GAME, seats, ANY, "any").reason in GAME.endings


@pytest.mark.parametrize("number", ["-25", "\N{MINUS SIGN}25", "99999999999999999999", "0025"])
def test_a_number_is_never_altered_to_be_read(number):
    state = GAME.setup(("red", "blue"), {"bridges": "any"}, Chance(b"n" * 32, 0)).state
    with pytest.raises(UnreadableMove) as refused:
        GAME.parse(state, "red", f"bridge {number}")
    assert refused.value.at == number.replace("\N{MINUS SIGN}", "-")
