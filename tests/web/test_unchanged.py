"""Onlookers who have a page already are told so without Flask, and only they."""

import pytest

from app.store.sql import Command
from app.web.match import unchanged


@pytest.fixture
def reached(app):
    """The paths that Flask was asked for."""
    found = []
    app.before_request_funcs.setdefault(None, []).append(lambda: found.append(1))
    return found


@pytest.fixture
def match_id(house, turn):
    house.play(turn.match_id, 1)
    return turn.match_id


def asked(browser, match_id, tag, **headers):
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.get(f"/m/{match_id}", headers={"If-None-Match": tag} | more)


def test_an_onlooker_is_answered_at_once_and_as_ever(browser, match_id, reached, monkeypatch):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    reached.clear()
    quick = [asked(browser, match_id, one, Tidepost_Visible="1") for one in (tag, f"W/{tag}")]
    assert not reached
    monkeypatch.setattr(unchanged, "LONGEST", -1)
    slow = asked(browser, match_id, tag)
    assert reached
    for one in quick:
        assert (one.status, one.data, list(one.headers)) == (slow.status, slow.data, list(slow.headers))
    assert slow.status_code == 304


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/m/{}", {"If-None-Match": '"other"'}),
        ("/m/{}", {"Accept-Language": "fa"}),
        ("/m/{}", {"Accept-Language": "en" + ",de" * 99}),
        ("/m/{}?do=undo", {}),
        ("/m/{}/1", {}),
    ],
)
def test_any_other_question_is_one_for_flask(browser, match_id, reached, path, headers):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    reached.clear()
    browser.get(path.format(match_id), headers={"If-None-Match": tag} | headers)
    assert reached


def test_whoever_brings_a_cookie_is_somebody(browser, match_id, reached):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    browser.set_cookie("tidepost", "x")
    reached.clear()
    assert asked(browser, match_id, tag).status_code == 304
    assert reached


def test_a_move_is_news(browser, house, match_id):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    assert asked(browser, match_id, tag).status_code == 304
    house.play(match_id, 1)
    assert asked(browser, match_id, tag).status_code == 200


def test_a_game_that_became_private_is_not_there(browser, house, match_id):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    assert asked(browser, match_id, tag).status_code == 304
    with house.store.transaction() as connection:
        Command('UPDATE "match" SET private = :private').run(connection, private=True)
    assert asked(browser, match_id, tag).status_code == 404


def test_a_player_gets_their_own_page(browser, house, match_id):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    browser.post(house.sign_in_link("Ada"))
    mine = asked(browser, match_id, tag)
    assert mine.status_code == 200
    browser.delete_cookie("tidepost")
    assert asked(browser, match_id, mine.headers["ETag"]).status_code == 200
    assert asked(browser, match_id, tag).status_code == 304


def test_if_the_version_cannot_be_read_the_page_says_why(browser, match_id, reached, monkeypatch):
    tag = browser.get(f"/m/{match_id}").headers["ETag"]
    reached.clear()
    monkeypatch.setattr(unchanged, "page_version", None)
    assert asked(browser, match_id, tag).status_code == 304
    assert reached
