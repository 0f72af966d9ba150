"""Every refusal says why, and what would do."""

from typing import Any

import pytest

from app.draw.looks import words
from app.engine import codec
from app.engine.chance import Chance
from app.engine.errors import BadOptions, BadPosition, IllegalMove, RulesError
from app.games.atlandice import GAME
from app.games.atlandice.moves import Donate, Submarine, Visit
from tests.games.atlandice.table import loaded, play, seed_of

EFFECT = {"step": "effect"}
GONE = {"piles": {"works": ["E1"], "smith": ["B2"]}, "stock": {"smith": {"weapon": 1}, "market": {"gem": 1}}}


def refused(state: Any, seat: str, move: Any) -> IllegalMove:
    before = codec.dumps(state)
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, seat, GAME.parse(state, seat, move) if isinstance(move, str) else move, chance())
    assert codec.dumps(state) == before
    assert caught.value.reason in GAME.reasons
    assert sentence(caught.value)
    return caught.value


def sentence(error: RulesError) -> str:
    """What the player reads. Fails where a fact is missing."""
    text = " ".join(getattr(words("atlandice", "en")[0], f"refused_{error.reason}")(error.facts).split())
    assert text[0].isupper() or text[0] == '"', text
    assert text.endswith("."), text
    assert "None" not in text
    return text


def chance() -> Chance:
    return Chance(seed_of("refusals"), 1)


@pytest.mark.parametrize(
    ("position", "text", "reason", "facts"),
    [
        ({}, "visit inn provision", "no_die", {"areas": ("works", "smith")}),
        ({}, "visit smith book", "not_there", {"kind": "book", "there": {"gem": 1, "weapon": 4}}),
        ({}, "visit smith gem gem", "not_there", {"wanted": 2}),
        ({}, "visit smith -", "too_few", {"due": 1, "given": 0}),
        ({}, "visit smith gem weapon", "too_many", {"due": 1, "submarine": False}),
        ({"submarine": "smith"}, "visit smith gem", "too_few", {"due": 2, "submarine": True}),
        ({}, "visit smith gem neutral", "no_neutral", {"players": 3}),
        (GONE, "visit inn -", "gone", {"areas": ("works", "smith", "market")}),
        ({}, "take gem", "not_now", {"step": "visit", "would_do": ("visit works", "visit smith")}),
        ({}, "donate -", "not_now", {"step": "visit"}),
        ({"turn": {"seat": "blue"}}, "visit smith gem", "not_asked", {"asked": ("blue",)}),
        ({"turn": {"step": "over"}}, "visit smith gem", "over", {}),
    ],
)
def test_visits(position, text, reason, facts):
    error = refused(loaded(**position), "red", text)
    assert error.reason == reason
    assert facts.items() <= error.facts.items()


@pytest.mark.parametrize(
    ("tile", "text", "reason", "facts"),
    [
        ("B1", "visit smith gem", "not_now", {"tile": "B1", "would_do": ("take gem", "take weapon")}),
        ("B1", "take book", "not_there", {"area": "smith"}),
        ("B1", "take gem@market", "wrong_source", {"areas": ("smith",)}),
        ("B3", "take gem@smith", "wrong_source", {"areas": ("market",)}),
        ("B1", "take gem weapon", "too_many", {"due": 1}),
        ("L1", "take book@library", "wrong_source", {"area": "library"}),
        ("J2", "swap gem book@smith", "not_there", {"area": "smith", "kind": "book"}),
        ("J2", "swap book weapon@smith", "not_there", {"area": "jewelers", "kind": "book"}),
        ("L2", "put gem", "not_there", {"area": "library"}),
        ("I2", "put gem inn", "wrong_target", {"areas": ("jewelers", "library", "works", "smith")}),
        ("B2", "put gem smith", "wrong_target", {"area": "smith"}),
        ("I3", "die inn 5", "no_die", {"areas": ("works", "smith")}),
        ("I3", "die smith 5", "same_area", {"would_do": (1, 2, 3, 4, 6)}),
        ("I3", "die smith 9", "no_value", {"value": 9}),
        ("E1", "submarine works", "submarine_there", {"area": "works"}),
    ],
)
def test_effects(tile, text, reason, facts):
    error = refused(loaded(turn=EFFECT, effect={"tile": tile}, submarine="works"), "red", text)
    assert error.reason == reason
    assert facts.items() <= error.facts.items()


def test_gifts():
    state = loaded(turn={"step": "donate"}, owned={"red": {"gem": 1, "book": 2}})
    error = refused(state, "red", "donate gem gem")
    assert error.reason == "not_owned"
    assert error.facts == {"kind": "gem", "wanted": 2, "have": 1, "owned": {"gem": 1, "book": 2}}
    state = play(state, "red", "donate gem book")
    assert refused(state, "red", "donate -").facts["asked"] == ("blue", "green")


def test_one_die_a_round_is_the_neutral_players():
    state = loaded(("red", "blue"), neutral_given={"red": True}, taken={"red": 1, "blue": 1})
    assert refused(state, "red", "visit smith gem neutral").reason == "neutral_served"


def test_records_that_no_text_makes_are_refused_too():
    assert refused(loaded(), "red", Visit("nowhere", ("gem",))).reason == "no_area"
    assert refused(loaded(), "red", Visit("smith", ("pearl",))).reason == "no_kind"
    donation = loaded(turn={"step": "donate"})
    assert refused(donation, "red", Donate((("pearl", "pearl"),))).reason == "no_kind"
    submarine = loaded(turn=EFFECT, effect={"tile": "E1"}, submarine="works")
    assert refused(submarine, "red", Submarine("nowhere")).reason == "no_area"


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ({"dragons": 1}, "bad_key"),
        ({"stock": {"smith": {"pearl": 1}}}, "bad_key"),
        ({"owned": {"neutral": {"gem": 1}}}, "bad_key"),
        ({"stock": {"smith": {"weapon": -1}}}, "bad_number"),
        ({"stock": {"smith": {"weapon": True}}}, "bad_number"),
        ({"stock": {"smith": {"weapon": 12}, "market": {"weapon": 1}}}, "too_many_resources"),
        ({"piles": {"smith": ["J1"]}}, "bad_value"),
        ({"piles": {"smith": ["B1", "B1"]}}, "tile_twice"),
        ({"piles": {"smith": ["B1", "?"]}, "tiles": {"red": ["B2", "B3"]}}, "no_tile_left"),
        ({"piles": {"works": ["E1"]}, "stock": {"smith": {"weapon": 1}}}, "on_gone"),
        ({"dice": {"smith": 8}}, "too_many_dice"),
        ({"dice": {}}, "nothing_asked"),
        ({"taken": {"red": 2}}, "nothing_asked"),
        ({"taken": {"red": 3}}, "bad_number"),
        ({"turn": EFFECT, "effect": {"tile": "I1"}}, "bad_value"),
        ({"turn": EFFECT}, "bad_value"),
        ({**GONE, "turn": EFFECT, "effect": {"tile": "E1", "before": ["inn", "works"]}}, "bad_value"),
        ({**GONE, "turn": EFFECT, "effect": {"tile": "J3", "area": "market"}}, "bad_value"),
        ({"turn": EFFECT, "effect": {"tile": "B1"}, "stock": {}}, "nothing_asked"),
        ({"turn": EFFECT, "effect": {"tile": "B1", "area": "inn"}}, "bad_value"),
        ({"turn": EFFECT, "effect": {"tile": "B1", "for": "blue"}}, "bad_value"),
        ({"turn": {"seat": "white"}}, "bad_value"),
        ({"submarine": "atlantis"}, "bad_value"),
        ({"clock": 21}, "bad_number"),
        ({"gifts": {"red": [["gem"]]}}, "bad_value"),
        ({"gifts": {"red": [["gem", "gem"]]}}, "too_many_resources"),
    ],
)
def test_positions(position, reason):
    with pytest.raises(BadPosition) as caught:
        loaded(**position)
    assert caught.value.reason == reason
    assert reason in GAME.reasons
    assert sentence(caught.value)


def test_tables():
    with pytest.raises(BadOptions) as caught:
        GAME.complete_options(5, {})
    assert sentence(caught.value) == "Atlandice is for 2 to 4 players, not 5."
    with pytest.raises(BadOptions) as caught:
        GAME.complete_options(3, {"colour": "on"})
    assert sentence(caught.value) == "Atlandice has no option “colour”. Its options are donations and clock."


def test_a_refusal_says_why_and_what_would_do():
    assert sentence(refused(loaded(), "red", "visit smith book")) == (
        "You can’t take 1 book from the smith. Available there: 1 gem and 4 weapons."
    )
    assert sentence(refused(loaded(), "red", "visit inn provision")) == (
        "You can’t use a die at the inn: there is none. You can use one at the works or the smith."
    )
    state = loaded(turn=EFFECT, effect={"tile": "B1"})
    assert sentence(refused(state, "red", "visit smith gem")) == (
        "You can’t play that now: the effect of B1 comes first. You can play “take gem” or “take weapon”."
    )
    state = loaded(turn={"step": "donate"}, owned={"red": {"gem": 3}})
    assert sentence(refused(state, "red", "donate gem gem gem")) == (
        "You can’t give 3 resources: gifts are pairs. "
        "Give one more or one fewer, or play “donate -” to give nothing."
    )
    assert sentence(refused(loaded(), "red", "take gem")) == (
        "You can’t play that now: take a die first. Start with “visit works” or “visit smith”."
    )


def test_unknown_tiles_below_the_top_are_dealt_from_the_rest():
    state = loaded(piles={"smith": ["B2", "?", "?"], "works": ["E1", "?"]}, tiles={"blue": ["E3"]}, stock={})
    assert sorted(state.piles[4]) == ["B1", "B2", "B3"]
    assert state.piles[3] == ("E1", "E2")


def test_dice_not_given_are_rolled_where_a_round_begins():
    position = {"piles": {"smith": ["B2"]}, "stock": {}}
    state = GAME.load(position, ("red", "blue", "green"), {}, chance())
    assert sum(GAME.dump(state)["dice"].values()) == 7
