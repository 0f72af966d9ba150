"""The form of a new game offers presets, and its options follow the one that was chosen."""

import json
import re
from html import unescape

import pytest

from app import games, narrate
from app.engine.presets import with_preset
from app.games import all_games

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
    for said in ("For email", "The other bank is near", "As printed", "as in the booklet", "Your own choice"):
        assert said in page
    assert 'name="first"' not in page


def test_a_preset_decides_its_options_whatever_the_fields_below_say(new_game):
    assert new_game(preset="printed", **{"option-bank": "short"}) == {"bank": "long", "cheers": "off"}
    assert new_game(preset="email", **{"option-bank": "long"}) == {"bank": "short", "cheers": "off"}


def test_options_that_no_preset_decides_are_chosen_beside_it(new_game):
    assert new_game(preset="printed", **{"option-cheers": "on"}) == {"bank": "long", "cheers": "on"}


@pytest.mark.parametrize("preset", ["own", ""])
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


with_presets = pytest.mark.parametrize("slug", [slug for slug, game in all_games().items() if game.presets])


@with_presets
def test_the_form_of_each_game_selects_its_recommended_preset_and_tells_each_in_a_line(browser, slug):
    game = all_games()[slug]
    page = unescape(browser.get(f"/open/{slug}").text)
    assert checked(page, "preset") == [game.presets[0].name]
    assert page.count("(recommended)") == 1
    for preset in game.presets:
        for said in (narrate.preset(game, "en", preset), narrate.about_preset(game, "en", preset)):
            assert said in page
    assert checked(page, "first") == (["on"] if game.demo_options else [])


@with_presets
def test_each_preset_of_each_game_makes_a_game_of_its_options(browser, house, slug):
    game = all_games()[slug]
    for preset in game.presets:
        for seats in (game.seats[0], game.seats[-1]):
            others = "\n".join(f"friend{n}@example.org" for n in range(1, seats))
            sent = FORM | {
                "seats": str(seats),
                "others": others,
                "preset": preset.name,
                "organiser": f"{preset.name}{seats}@example.org",
            }
            assert browser.post(f"/open/{slug}", data=sent).status_code == 303
            made = json.loads(house.rows('SELECT options FROM "match" ORDER BY id DESC')[0].options)
            assert made == game.complete_options(seats, with_preset(game, preset.name, seats, {}))


def test_a_first_game_of_survive_is_placed_at_random(browser, house):
    sent = FORM | {"preset": "email", "first": "on"}
    assert browser.post("/open/survive", data=sent).status_code == 303
    made = json.loads(house.rows('SELECT options FROM "match"')[0].options)
    assert (made["setup"], made["memory"]) == ("random", "open")


def test_two_colours_beside_the_printed_preset_bring_its_fleet(browser, house):
    sent = FORM | {"preset": "printed", "option-colours": "two", "option-fleet": "four"}
    assert browser.post("/open/survive", data=sent).status_code == 303
    made = json.loads(house.rows('SELECT options FROM "match"')[0].options)
    assert (made["colours"], made["fleet"]) == ("two", "two")


def test_an_option_that_lacks_another_is_refused_with_it(browser):
    sent = FORM | {"preset": "own", "option-colours": "one", "option-fleet": "two"}
    answer = browser.post("/open/survive", data=sent)
    assert answer.status_code == 422
    assert "colours: two" in unescape(answer.text)


@pytest.mark.parametrize("sent", [{"preset": "zzz"}, {"preset": "own", "option-zzz": "on"}])
def test_a_preset_or_an_option_that_there_is_not_is_refused_by_its_name(browser, sent):
    for slug in sorted(all_games()):
        form = {"seats": "2", "bots": "1", "organiser": "ada@example.org", **sent}
        answer = browser.post(f"/open/{slug}", data=form)
        assert answer.status_code == 422
        assert "zzz" in re.search(r'role="alert">(.*?)</div>', answer.text, re.DOTALL)[1]


def test_an_option_stands_below_the_one_that_it_needs(browser):
    """`fleet` goes with two colours only: whoever reads from the top must meet `colours` first."""
    for slug, game in games.all_games().items():
        page = browser.get(f"/open/{slug}").text
        for option in game.options:
            if option.needs:
                assert page.index(f'name="option-{option.needs[0]}"') < page.index(
                    f'name="option-{option.name}"'
                )
