"""The board in words, in characters and as a picture: nothing missing, nothing out of place."""

import io
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageFont

from app import draw
from app.draw import fonts, pictures
from app.draw.looks import words
from app.engine.chance import Chance
from app.engine.game import Decision
from app.games.atlandice import GAME
from app.games.atlandice.board import DISTRICTS, HOME, TILES
from app.games.atlandice.state import State
from app.web.core.rendering import environment
from tests.games.atlandice.table import ALL_PILES, as_state, loaded, play, random_game, seed_of

COLOURS = ("red", "blue", "green", "yellow")
NAMES = {"red": "Ada", "blue": "Bo", "green": "Cleo", "yellow": "Dan"}
CARD_WIDTH, CARD_INDENT = 224, 10
ON_A_PHONE = 358
"""Pixels that a screen of 390 leaves for the board."""


def snake(record: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", record.__name__).lower()


def said(macro: str, *arguments: Any) -> str:
    """A sentence of the words, as a page would show it."""
    sentence = " ".join(getattr(words("atlandice", "en")[0], macro)(*arguments).split())
    assert sentence
    assert not re.search(r"None|Undefined|[{}<>]|\(\)| [.,:;]|\.\.(?!\.)|,,", sentence), sentence
    return sentence


def whole_games() -> Iterator[tuple[State, Any]]:
    for seats in (2, 3, 4):
        for number, donations in enumerate(("sealed", "in_turn", "sealed")):
            for _, _, _, step in random_game(COLOURS[:seats], f"looks {number}", {"donations": donations}):
                yield as_state(step), step
    # Whoever gives all away is passed by.
    poor = loaded(donations="in_turn", dice={"works": 1}, owned={"red": {"gem": 2}}, turn={"step": "donate"})
    step = GAME.apply(poor, "red", GAME.parse(poor, "red", "donate gem gem"), Chance(seed_of("poor"), 1))
    yield as_state(step), step


def questions(state: State) -> Iterator[tuple[Decision, Any]]:
    for decision in GAME.decisions(state):
        yield decision, GAME.view(state, decision.seat)


def test_every_event_question_and_answer_is_one_sentence():
    seen = set()
    for state, step in whole_games():
        for told in step.told:
            sentence = said(f"event_{snake(type(told.event))}", told.event, NAMES.__getitem__)
            assert sentence[0].isupper(), sentence
            assert sentence.endswith("."), sentence
            seen.add(type(told.event))
        for decision, view in questions(state):
            assert said(f"asks_{decision.asks}", decision, view).endswith(".")
            labels = [said(f"label_{snake(type(move))}", move, view) for move in decision.options]
            assert len(set(labels)) == len(labels)
            seen.add(decision.asks)
            seen |= {type(move) for move in decision.options}
    assert seen >= {*GAME.asks, *GAME.move_types}
    assert set(GAME.event_types) - seen <= {step for step in GAME.event_types if step.__name__ == "Lapsed"}


def test_sentences_read_well():
    state = loaded(
        ("red", "blue", "green", "yellow"),
        piles={"library": ["L2", "L1"], "inn": ["I2"]},
        stock={"library": {"book": 1}, "inn": {"book": 1}, "market": {"book": 1}},
        owned={"red": {"book": 2}, "blue": {"book": 3}, "green": {"book": 1}},
        dice={"library": 1, "inn": 1},
        submarine="inn",
    )
    step = GAME.apply(state, "red", GAME.parse(state, "red", "visit library book"), SimpleNamespace())  # type: ignore[arg-type]
    told = [said(f"event_{snake(type(t.event))}", t.event, NAMES.__getitem__) for t in step.told]
    assert told == [
        "Ada takes a die from the library and gets a book.",
        "The effect of L2 can’t be used and is skipped.",
        (
            "Nothing is left at the library. Several players are tied for the most books. Ada takes L2. "
            "3 points for Bo."
        ),
        "The books come back: 2 to the market and 5 to the library. L1 is turned up.",
    ]


def test_the_end_is_told_with_those_who_share_it():
    outcome = SimpleNamespace(
        places={"red": 1, "blue": 3, "green": 1}, scores={"red": 9, "blue": 1, "green": 9}
    )
    assert set(GAME.endings) == {"flood"}
    assert said("ending_flood", outcome, NAMES.__getitem__) == (
        "The flood has come: Ada and Cleo share the win with 9 points."
    )


def test_every_reason_has_its_sentence():
    macros = words("atlandice", "en")[0]
    assert all(hasattr(macros, f"refused_{reason}") for reason in GAME.reasons)
    assert len(said("blurb")) > 40
    assert said("title") == "Atlandice"


@pytest.mark.parametrize("tile", [tile for tiles in TILES for tile in tiles])
def test_an_effect_fits_its_card_and_can_be_read_on_a_phone(tile):
    state = loaded(piles={**ALL_PILES, DISTRICTS[HOME[tile]]: [tile]})
    root = ET.fromstring(draw.board(GAME, GAME.view(state, None)))
    written = {
        " ".join(lines): (lines, float(group.get("font-size", 0)))
        for group in root.findall(".//{*}g")
        if (lines := [text.text or "" for text in group.findall("{*}text")])
    }
    lines, size = written[said("effect", tile)]
    font = ImageFont.truetype(fonts.fonts()[0], 100)
    font.set_variation_by_axes([500, 100])
    assert len(lines) <= 3
    assert all(CARD_INDENT + font.getlength(line) * size / 100 < CARD_WIDTH for line in lines)
    assert size * ON_A_PHONE / float(root.get("viewBox", "").split()[2]) >= 11


def test_the_text_board_fits_a_letter_and_leaves_nothing_out():
    for state, _ in whole_games():
        view = GAME.view(state, None)
        text = draw.text(GAME, view)
        assert all(len(line) <= 72 and line == line.rstrip() for line in text.splitlines()), text
        for owner in view.owners:  # type: ignore[attr-defined]
            row = re.search(rf"^[> ] {owner.name} +(.*)$", text, re.MULTILINE)
            assert row
            assert row[1].split()[0] == str(owner.total)
            assert all(tile in text for tile in owner.tiles)
        for area in view.areas:  # type: ignore[attr-defined]
            assert f"{area.number} {area.name}" in text
            assert area.gone or area.tile in text
        assert f"[{state.clock}" in text


def test_only_ones_own_gift_is_ones_own():
    state = loaded(turn={"step": "donate"}, owned={"red": {"gem": 2}})
    state = play(state, "red", "donate gem gem")
    assert "Your gift: 2 gems" in draw.mine(GAME, GAME.view(state, "red"))
    assert "Your gift: 2 gems" in draw.page(GAME, GAME.view(state, "red"))
    for other in ("blue", None):
        assert draw.mine(GAME, GAME.view(state, other)) == ""
        assert "Your gift: 2 gems" not in draw.page(GAME, GAME.view(state, other))
    assert "red" in draw.text(GAME, GAME.view(state, None)).split("Already answered: ")[1]


def test_all_that_can_be_pointed_at_is_on_the_board():
    for state, _ in list(whole_games())[::7]:
        for decision, view in questions(state):
            touches = [touch for move in decision.options for touch in GAME.click_path(move)]
            svg = draw.board(GAME, view, pick=dict.fromkeys(touches, "/x?a=1&b=2"))
            found = {
                element.get("data-at") for element in ET.fromstring(svg).iter() if element.get("data-at")
            }
            assert found == set(touches)


def test_names_that_are_not_on_the_board_are_passed_over():
    view = GAME.view(loaded(), "red")
    plain = draw.board(GAME, view)
    assert draw.board(GAME, view, marks=("gem", "nowhere", "")) != plain
    assert "nowhere" not in draw.board(GAME, view, pick={"nowhere": "/x"}, picked=("nowhere",))


def test_the_picture_is_opaque_and_all_its_letters_are_there(tmp_path):
    state = loaded(
        ("red", "blue"),
        piles={"works": ["E1", "E2"]},
        stock={"works": {"tool": 2}},
        tiles={"blue": ["B1", "B2", "B3", "I1", "I2", "I3", "J1"]},
        submarine="works",
    )
    view = GAME.view(state, None)
    assert pictures.undrawable(draw.board(GAME, view)) == ""
    with Image.open(io.BytesIO(pictures.picture(GAME, view, tmp_path))) as image:
        assert image.mode == "P"
        assert "transparency" not in image.info
        assert abs(image.width * image.height - pictures.PIXELS) <= pictures.PIXELS // 5


def test_a_page_is_whole_and_escapes_what_is_put_into_it():
    state = loaded(turn={"step": "effect"}, effect={"tile": "B1"})
    page = draw.page(GAME, GAME.view(state, "red"), pick={"gem@smith": "/x?a=1&b=2"})
    assert 'href="/x?a=1&amp;b=2"' in page
    assert "Roll: on 2, 4 or 6 take one more here." in page
    assert page.count("<table>") == page.count("</table>") == 2
    assert "style=" not in page


def test_a_donation_of_several_pairs_is_ticked_and_what_was_refused_stays_ticked():
    state = loaded(turn={"seat": "red", "step": "donate"}, owned={"red": {"gem": 3, "tool": 1}})
    form = environment().get_template("games/atlandice/ask_donate.html").module
    view = GAME.view(state, "red")
    assert form.points(view).split() == ["gem@own", "tool@own"]
    drawn = form.ask(view, "q7", ("donate", "gem", "gem", "tool"), "donate gem gem tool")
    boxes = re.findall(r'type="checkbox" name="piece" value="(\w+)"[^>]*?( checked)?>', drawn)
    assert boxes == [("gem", " checked"), ("gem", " checked"), ("gem", ""), ("tool", " checked")]
    line = " ".join(["donate", *(kind for kind, _ in boxes)])
    assert GAME.format(GAME.parse(state, "red", line)) == "donate gem gem, gem tool"
