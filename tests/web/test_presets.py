"""The form of a new game offers presets, and its options follow the one that was chosen."""

import json
import re
from html import unescape

import pytest

FORM = {"organiser": "ada@example.org", "others": "bo@example.org", "seats": "2"}


def checked(page, name):
    """The values of the ticked boxes and buttons of a field."""
    inputs = re.findall(r"<input [^>]*>", page)
    mine = [one for one in inputs if f'name="{name}"' in one and one.endswith(" checked>")]
    return [re.search(r'value="([^"]*)"', one)[1] for one in mine]


@pytest.fixture
def new_game(browser, house, toy):
    """Post the form of a new game of Ferry; the options of the game that it makes."""

    def post(**fields):
        answer = browser.post("/open/ferry", data=FORM | fields)
        assert answer.status_code == 303, answer.text
        return json.loads(house.rows('SELECT options FROM "match" ORDER BY id DESC')[0].options)

    assert toy.presets
    return post


@pytest.mark.usefixtures("toy")
def test_a_fresh_form_selects_the_recommended_preset_and_says_how_each_differs(browser):
    page = unescape(browser.get("/open/ferry").text)
    assert re.findall(r'name="preset" value="(\w+)"', page) == ["email", "printed", "own"]
    assert checked(page, "preset") == ["email"]
    assert page.count("(recommended)") == 1
    for said in ("For email", "The other bank is near", "As printed", "as in the booklet", "Own choice"):
        assert said in page
    assert 'name="first"' not in page


def test_a_preset_decides_its_options_whatever_the_fields_below_say(new_game):
    assert new_game(preset="printed", **{"option-bank": "short"}) == {"bank": "long", "cheers": "off"}
    assert new_game(preset="email", **{"option-bank": "long"}) == {"bank": "short", "cheers": "off"}


def test_options_that_no_preset_decides_are_chosen_beside_it(new_game):
    assert new_game(preset="printed", **{"option-cheers": "on"}) == {"bank": "long", "cheers": "on"}


@pytest.mark.parametrize("preset", ["own", "", "no such preset"])
def test_the_own_choice_decides_every_option(new_game, preset):
    assert new_game(preset=preset, **{"option-bank": "long"}) == {"bank": "long", "cheers": "off"}


def test_a_first_game_has_its_own_options_only_with_the_recommended_preset(new_game, toy, monkeypatch):
    monkeypatch.setattr(type(toy), "demo_options", {"cheers": "on"})
    assert new_game(preset="email", first="on") == {"bank": "short", "cheers": "on"}
    assert new_game(preset="printed", first="on") == {"bank": "long", "cheers": "off"}
    assert new_game(preset="own", first="on") == {"bank": "short", "cheers": "off"}


def test_a_first_game_is_preselected_until_one_was_played(browser, house, toy, monkeypatch):
    monkeypatch.setattr(type(toy), "demo_options", {"cheers": "on"})
    page = unescape(browser.get("/open/ferry").text)
    assert checked(page, "first") == ["on"]
    assert "A first game: everybody may cheer." in page
    house.start("Ada", "Bo", game="ferry")
    assert checked(browser.get("/open/ferry").text, "first") == ["on"]
    browser.post(house.sign_in_link("Ada"))
    assert checked(browser.get("/open/ferry").text, "first") == []


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [({"preset": "printed"}, "printed"), ({"preset": "own"}, "own"), ({"preset": "<b>"}, "own"), ({}, "own")],
)
def test_a_form_that_was_refused_keeps_the_preset(browser, sent, kept):
    answer = browser.post("/open/ferry", data=FORM | sent | {"others": "nobody"})
    assert answer.status_code == 422
    assert checked(answer.text, "preset") == [kept]
    assert "<b>own" not in answer.text
