"""A bridge of Atlantis laid by page, over any gap before moving."""

import re
from html import unescape

import pytest

from tests.web.visits import fields, picks


@pytest.fixture
def turn_path(house):
    match_id = house.start("Ada", "Bo", game="atlantis", bridges="any")
    (token,) = house.turns(match_id).values()
    return f"/t/{token}"


def played(house):
    return [row.move for row in house.rows("SELECT move FROM played WHERE ply > 0 ORDER BY ply")]


def press(browser, path, answer):
    question = fields(browser.get(path).text, "question")[0]
    return browser.post(path, data={"question": question, "answer": answer})


def test_a_button_lays_it_the_turn_goes_on_and_it_can_be_taken_back(browser, house, turn_path):
    page = browser.get(turn_path).text
    assert "gap:27" in picks(page)
    assert press(browser, turn_path, "bridge 27").status_code == 303
    after = browser.get(turn_path).text
    assert played(house) == ["bridge 27"]
    assert "gap:27" not in picks(after)
    assert "lays the bridge over space 27" in unescape(after)
    assert "Take back my last step" in after
    done = browser.post(turn_path, data={"do": "take_back"})
    assert done.status_code == 303, done.text
    assert "gap:27" in picks(browser.get(turn_path).text)


def test_the_gap_on_the_board_is_a_link_that_lays_it(browser, turn_path):
    offered = picks(browser.get(turn_path).text)
    assert "gap:27" in offered
    page = browser.get(turn_path + offered["gap:27"].split("#")[0]).text
    assert "bridge 27" in fields(page, "answer")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "bridge 26",
            "You can’t lay your bridge at space 26: there’s no water there. You can lay it over space 27",
        ),
        (
            "bridge 27; bridge 27",
            "You can’t lay your bridge again: it lies over the gap at 27 and stays there.",
        ),
        ("go A flag bridge 27", "in this game you lay it before you move"),
    ],
)
def test_what_cannot_be_laid_is_refused_with_what_would_do(browser, house, turn_path, answer, said):
    refused = press(browser, turn_path, answer)
    assert refused.status_code == 422
    assert said in unescape(refused.text)
    assert [move for move in played(house) if move != "bridge 27"] == []


def test_the_form_offers_both_ways_as_the_own_choice(browser, house):
    page = unescape(browser.get("/open/atlantis").text)
    assert re.findall(r'name="option-bridges" value="(\w+)"', page) == ["crossing", "any"]
    form = {"organiser": "ada@example.org", "others": "bo@example.org", "seats": "2"}
    for preset, bridges in (("own", "any"), ("email", "crossing"), ("printed", "crossing")):
        browser.post("/open/atlantis", data=form | {"preset": preset, "option-bridges": "any"})
        latest = house.rows('SELECT options FROM "match" ORDER BY id DESC')[0]
        assert latest.options == f'{{"bridges":"{bridges}"}}'
