"""Each refusal says why, and what would do."""

import pytest

from app.draw import looks
from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import BadOptions, IllegalMove
from app.games.atlantis import GAME

POSITION = {
    "path": {20: ["flag3"], 23: ["olive5"], 24: ["pot2"], 26: ["ring6", "crown1"], 28: ["helmet7"]},
    "figures": {"red": {"A": 20, "B": 23, "C": "home"}, "blue": {"C": 24}},
    "hands": {"red": ["olive", "flag", "ring", "ring"], "blue": ["pot"]},
    "won": {"red": ["ring5", "pot1"]},
    "draw": ["statue"] * 8,
}
FREE = "go B olive"


def load(**changes):
    return GAME.load(POSITION | changes, ("red", "blue"), {}, Chance(bytes(32), 0))


def refusal(text, seat="red", **changes):
    state = load(**changes)
    before = codec.dumps(state)
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, seat, GAME.parse(state, seat, text), Chance(bytes(32), 1))
    assert codec.dumps(state) == before
    words = looks.words("atlantis", "en")[0]
    sentence = " ".join(getattr(words, f"refused_{caught.value.reason}")(caught.value.facts).split())
    assert sentence.endswith("."), sentence
    return caught.value.reason, dict(caught.value.facts)


def accepted(text, **changes):
    state = load(**changes)
    return GAME.apply(state, "red", GAME.parse(state, "red", text), Chance(bytes(32), 1))


def test_another_players_turn():
    assert refusal("go A pot", "blue") == ("not_your_turn", {"turn": "red"})


def test_a_figure_that_is_home():
    assert refusal("go C ring") == ("figure_home", {"figure": "C", "out": ("A", "B")})


def test_a_card_that_is_not_held_or_not_often_enough():
    reason, facts = refusal("go A statue")
    assert (reason, facts["card"], facts["held"]) == ("card_not_held", "statue", 0)
    assert facts["hand"] == ("flag", "olive", "ring", "ring")
    reason, facts = refusal("go A olive olive")
    assert (reason, facts["wanted"], facts["held"]) == ("card_not_held", 2, 1)


def test_a_space_that_is_taken_names_what_goes_on_from_there():
    reason, facts = refusal("go A olive")
    assert (reason, facts["space"], facts["tile"]) == ("space_taken", 23, "olive5")
    assert (facts["seat"], facts["by"]) == ("red", "B")
    assert facts["would"]
    for text in facts["would"]:
        assert text.startswith("go A olive ")
        accepted(text)


def test_a_card_too_many_names_the_move_without_it():
    reason, facts = refusal("go A ring flag")
    assert (reason, facts["space"], facts["would"]) == ("card_too_many", 26, ("go A ring",))


def test_what_costs_too_much_names_the_gaps_and_the_bridge():
    poor = {"won": {}, "hands": {"red": ["ring", "flag"]}}
    reason, facts = refusal("go A ring", **poor)
    assert (reason, facts["cost"], facts["means"]) == ("cannot_pay", 5, 1)
    assert facts["gaps"] == ((21, 22, 3), (25, 25, 2))
    assert facts["bridging"] == ()
    reason, facts = refusal("go A flag", won={}, hands={"red": ["flag", "pot", "pot", "pot", "pot", "pot"]})
    assert facts["cost"] == 11
    assert facts["would"]
    reason, facts = refusal("go B ring", won={}, hands={"red": ["ring"]})
    assert (reason, facts["bridging"]) == ("cannot_pay", ((25, 25, 0),))


def test_a_bridge_that_is_used_or_gone():
    assert refusal("go B ring bridge 25", bridges={"red": 22}) == ("bridge_used", {"space": 21})
    assert refusal("go B ring bridge 25", bridges={"red": "spent"}) == ("bridge_used", {"space": None})


@pytest.mark.parametrize(
    ("text", "reason"),
    [("go B ring bridge 24", "bridge_no_gap"), ("go B ring bridge 21", "bridge_not_crossed")],
)
def test_a_bridge_where_nothing_is_crossed_names_the_gaps_that_are(text, reason):
    found, facts = refusal(text)
    assert found == reason
    assert facts["could"] == ((25, 25, 2),)


def test_a_gap_that_has_a_bridge():
    reason, facts = refusal("go A ring bridge 22", bridges={"blue": 21})
    assert (reason, facts["could"]) == ("bridge_there", ((25, 25, 2),))


def test_payments():
    assert refusal("go A ring pay ring5 pot1")[0] == "pay_too_much"
    reason, facts = refusal("go A ring pay pot1")
    assert (reason, facts["paid"], facts["cost"], facts["would"]) == ("pay_too_little", 1, 5, ("ring5",))
    reason, facts = refusal("go B ring pay card:ring card:pot")
    assert (reason, facts["piece"]) == ("pay_not_held", "card:pot")
    assert refusal("go A olive ring pay card:ring card:ring")[0] == "pay_not_held"
    assert refusal("go A ring bridge 21 pay ring5 pot1")[0] == "pay_too_much"
    assert refusal("go B flag bridge 25 pay nothing")[0] == "pay_too_little"


def test_buying():
    assert refusal("buy pot1") == ("tile_worthless", {"tile": "pot1", "others": ("ring5",)})
    assert refusal("buy crown4")[0] == "tile_not_yours"
    reason, facts = refusal("buy ring5", turn={"seat": "red", "step": "go"})
    assert reason == "bought_already"
    assert facts["would"]


def test_showing_a_hand_that_can_move():
    reason, facts = refusal("show")
    assert reason == "must_move"
    for text in facts["would"]:
        accepted(text)


def test_a_game_that_is_over():
    over = {"figures": {}, "turn": {"step": "over"}}
    assert refusal("show", **over)[0] == "over"


def test_tables_that_there_are_not():
    for seats, options, reason in (
        (5, {}, "bad_seats"),
        (1, {}, "bad_seats"),
        (2, {"x": "on"}, "bad_option"),
    ):
        with pytest.raises(BadOptions, match=reason) as caught:
            GAME.complete_options(seats, options)
        words = looks.words("atlantis", "en")[0]
        assert getattr(words, f"refused_{reason}")(caught.value.facts)
