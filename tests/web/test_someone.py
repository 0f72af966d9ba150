"""A person whose account is gone is Someone in each reader's language, wherever a name stands."""

import pytest

from app.accounts import deleting
from app.people.service import update
from app.transcripts.moving import for_operator
from app.transcripts.writing import text_of
from app.words import available, say
from app.words.someone import NAME
from tests.web.programs import program

MARK = NAME[-1]


@pytest.fixture
def match_id(house):
    match_id = house.start("Ada", "Bo", "Cleo", setup="random")
    deleting.delete(house.store, house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id)
    return match_id


@pytest.mark.parametrize("language", available())
def test_pages_lists_feeds_and_programs_say_it(match_id, app, house, language):
    bo = house.rows("SELECT id FROM player WHERE name = 'Bo'")[0].id
    update(house.store, bo, "Bo", language, "UTC")
    browser = app.test_client()
    browser.post(house.sign_in_link("Bo"))
    word = say("words", language, "gone_name")
    for path in (f"/m/{match_id}", "/games/mine", f"/m/{match_id}/table", "/profile/people?game=1"):
        page = browser.get(path)
        assert page.status_code == 200, path
        assert MARK not in page.text, path
        assert "Someone\u2063" not in page.text
    assert word in browser.get(f"/m/{match_id}").text


def test_programs_read_it(match_id, app, house):
    got = program(app, house, "Bo").ask("GET", f"/matches/{match_id}")
    assert got.status_code == 200
    assert "Someone" in got.text
    assert MARK not in got.text


def test_files_of_matches_say_it(match_id, house):
    text = text_of(for_operator(house.store, match_id))
    assert '"Someone"' in text
    assert MARK not in text


def test_two_of_them_in_one_game_are_told_apart(match_id, app, house):
    deleting.delete(house.store, house.rows("SELECT id FROM player WHERE name = 'Bo'")[0].id)
    page = app.test_client().get(f"/m/{match_id}").text
    assert "Someone 1" in page
    assert "Someone 2" in page
