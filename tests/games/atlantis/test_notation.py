"""Reading of typed moves (rule sheet, section 5)."""

import pytest

from app.engine.chance import Chance
from app.engine.errors import AmbiguousMove, RulesError, UnreadableMove
from app.games.atlantis import GAME
from app.games.atlantis.moves import Buy, Go, Show
from app.games.atlantis.notation import parse as reading

POSITION = {
    "path": {20: ["flag3"], 23: ["olive5"], 24: ["pot2"], 26: ["ring6", "crown1"]},
    "figures": {"red": {"A": 20, "B": 23, "C": "home"}},
    "hands": {"red": ["olive", "flag", "ring", "ring"]},
    "won": {"red": ["ring5", "pot4", "pot7"]},
}


@pytest.fixture
def state():
    return GAME.load(POSITION, ("red", "blue"), {}, Chance(bytes(32), 0))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("go B ring", Go("B", ("ring",))),
        ("  GO  b RING. ", Go("B", ("ring",))),
        ("move B with ring", Go("B", ("ring",))),
        ("b ring", Go("B", ("ring",))),
        ("go b r", Go("B", ("ring",))),
        ("go figure B: rings", Go("B", ("ring",))),
        ("go A olive, ring", Go("A", ("olive", "ring"))),
        ("Ｇｏ　Ａ　olive、ring。", Go("A", ("olive", "ring"))),
        ("go A ring bridge 22", Go("A", ("ring",), 21)),
        ("go A ring bridge 21–22", Go("A", ("ring",), 21)),
        ("go B ring bridge", Go("B", ("ring",), 25)),
        ("go B ring bridge 25 pay ring5", Go("B", ("ring",), 25, ("ring5",))),
        ("go B ring pay card:flag pot 4", Go("B", ("ring",), None, ("pot4", "card:flag"))),
        ("go B ring pay card flag + flag", Go("B", ("ring",), None, ("card:flag", "card:flag"))),
        ("go B ring pay nothing", Go("B", ("ring",), None, ())),
        ("go B ring pay ring5 bridge 25", Go("B", ("ring",), 25, ("ring5",))),
        ("go B ring pay ring5 card:flag, and bridge 25", Go("B", ("ring",), 25, ("ring5", "card:flag"))),
        ("go B ring bridge 25 and pay nothing", Go("B", ("ring",), 25, ())),
        ("go B ring bridge 40", Go("B", ("ring",), 40)),
        ("buy ring5", Buy("ring5")),
        ("Buy Ring 5", Buy("ring5")),
        ("buy ring", Buy("ring5")),
        ("purchase with pot 7", Buy("pot7")),
        ("show", Show()),
        ("show my hand", Show()),
        ("pass", Show()),
    ],
)
def test_what_people_type_is_read(state, text, move):
    assert GAME.parse(state, "red", text) == move
    assert GAME.parse(state, "red", GAME.format(move)) == move


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("fly B ring", "fly"),
        ("go B rung", "rung"),
        ("go B ring 7", "7"),
        ("go B ring pay flag9", "flag9"),
        ("go B ring pay 2 pot", "2"),
        ("go B ring bridge 0", "0"),
        ("go A ring bridge 21 25", "25"),
        ("go A ring bridge 21 bridge 25", "bridge"),
        ("go A ring pay ring5 pay pot4", "pay"),
        ("buy", "buy"),
        ("buy ring9", "ring9"),
        ("buy ring5 pot4", "pot"),
        ("buy crown", "crown"),
        ("show me the money", "me"),
        ("go", "go"),
        ("", ""),
    ],
)
def test_what_cannot_be_read_says_where(state, text, at):
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(state, "red", text)
    assert caught.value.at == at


def test_a_slip_of_the_pen_gets_what_was_near(state):
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(state, "red", "go B hemlet")
    assert "helmet" in caught.value.nearest


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("go ring", ("go A ring", "go B ring")),
        ("buy pot", ("buy pot4", "buy pot7")),
        ("go A ring bridge", ("go A ring bridge 21", "go A ring bridge 25")),
    ],
)
def test_two_readings_are_asked_about(state, text, readings):
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(state, "red", text)
    assert caught.value.readings == readings


def test_what_is_left_out_is_read_where_one_legal_move_fits():
    position = POSITION | {
        "hands": {"red": ["ring"]},
        "figures": {"red": {"A": 20, "B": "home", "C": "home"}},
    }
    state = GAME.load(position, ("red", "blue"), {}, Chance(bytes(32), 0))
    assert GAME.parse(state, "red", "go A") == Go("A", ("ring",))
    assert GAME.parse(state, "red", "ring") == Go("A", ("ring",))


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("buy ring5, go B flag", ("buy ring5", "go B flag")),
        ("buy ring5 then go B flag", ("buy ring5", "go B flag")),
        ("buy ring5; go B flag;", ("buy ring5", "go B flag")),
        ("buy ring5 and move B flag", ("buy ring5", "move B flag")),
        ("go A helmet, helmet pay flag4, card:pot", ("go A helmet, helmet pay flag4, card:pot",)),
        ("buy ring5，ｇｏ B flag；", ("buy ring5", "go B flag")),
        ("and " * 20_000, (("and " * 20_000).strip(),)),
        (" , ", ()),
    ],
)
def test_a_line_may_hold_a_purchase_and_a_move(line, parts):
    assert GAME.split(line) == parts


def test_a_move_is_pointed_at_gap_first_then_a_card_the_figure_and_more_cards():
    assert GAME.click_path(Go("B", ("ring", "pot"), 21)) == ("gap:21", "own:ring", "B", "own:pot")
    assert GAME.click_path(Buy("ring5")) == ("won:ring5",)
    assert GAME.click_path(Show()) == ()


def test_no_way_of_pointing_is_the_beginning_of_another(state):
    ways = [GAME.click_path(move) for move in GAME.decisions(state)[0].options]
    assert len(set(ways)) == len(ways)
    assert not [(a, b) for a in ways for b in ways if a != b and a == b[: len(a)]]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "go B ring",
            "go A olive ring",
            "go A ring bridge 22",
            "go A ring bridge 21",
            "go B ring bridge 40",
        ),
        *("go B ring bridge 0", "go B ring bridge 025", "go B ring bridge 1000", "go B ring bridge -25"),
        *(
            "go B ring bridge \N{SUPERSCRIPT TWO}",
            "go B ring bridge \N{ARABIC-INDIC DIGIT TWO}",
            "go B  ring",
        ),
        *(
            "go B ring pay nothing",
            "go B ring pay ring5",
            "go B ring pay card:flag pot4",
            "go B ring pay ring",
        ),
        *("go B ring pay pot4 card:flag", "go B ring pay card:sun", "go B ring pay ring9", "go B ring pay"),
        *(
            "go B ring bridge 25 pay nothing",
            "go B ring pay ring5 bridge 25",
            "go B ring bridge 25 bridge 25",
        ),
        *(
            "go B",
            "go",
            "go B sun",
            "go B ring sun",
            "go b ring",
            "go D ring",
            "go B pay ring5",
            "go B bridge 25",
        ),
        *(
            "buy ring5",
            "buy ring9",
            "buy ring",
            "buy",
            "buy ring5 ring5",
            "bridge 22",
            "bridge 0",
            "bridge",
            "",
        ),
        *("show", "show ring", " go B ring", "go B ring ", "bridge 22 22", "bridge 40", "go B ring bridge"),
    ],
)
def test_the_short_way_reads_as_the_long_one(state, text):
    def read(parse):
        try:
            return parse(state, "red", text)
        except RulesError as error:
            return type(error), str(error)

    assert read(GAME.parse) == read(reading._parse)
