"""The page on which a player makes and ends keys for programs."""

import re
from datetime import timedelta

import pytest

from app.people import api_keys, keys
from app.people.errors import NotFound, Refused
from tests.web.forms import form

PATH = "/profile/programs"


@pytest.fixture
def ada(house, browser):
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    return house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id


def made(browser, **more):
    sent = form(browser.get(PATH).text, do="make") | {"name": "My bot"} | more
    return sent, browser.post(PATH, data=sent)


def shown(page) -> str:
    return re.search(r'id="the-key"[^>]*>([^<]+)<', page.text)[1]


def test_it_needs_a_session(browser):
    for answer in (browser.get(PATH), browser.post(PATH)):
        assert answer.headers["Location"] == "/sign-in"


def test_a_key_is_shown_once_and_only_its_hash_is_kept(house, browser, ada):
    sent, page = made(browser, scope=["play", "root"])
    key = shown(page)
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert key not in browser.get(PATH).text
    assert key not in str(house.rows("SELECT * FROM apikey")) + str(house.rows("SELECT * FROM deed"))
    assert api_keys.holder(house.store, key).scopes == ("read", "play")
    again = browser.post(PATH, data=sent)
    assert (again.status_code, again.location) == (303, PATH)
    assert len(api_keys.keys_of(house.store, ada)) == 1, "pressed twice is one key"


def test_the_page_says_what_each_key_may_do_and_when_it_was_used_last(house, browser, ada, clock):
    key = shown(made(browser, scope="host")[1])
    page = browser.get(PATH).text
    assert "Never used." in page
    assert "Set up, join and host games" in page.split('id="new"')[0]
    assert "Play, and write" not in page.split('id="new"')[0]
    clock.advance(days=2)
    api_keys.holder(house.store, key)
    used = api_keys.keys_of(house.store, ada)[0].used_at
    clock.advance(minutes=59)
    api_keys.holder(house.store, key)
    assert api_keys.keys_of(house.store, ada)[0].used_at == used, "not written at every use"
    clock.advance(minutes=1)
    api_keys.holder(house.store, key)
    assert api_keys.keys_of(house.store, ada)[0].used_at == used + timedelta(hours=1)
    assert "Last used on" in browser.get(PATH).text


def test_a_key_ends_by_its_button_twice_too_and_nobody_elses_does(house, browser, app, ada):
    key = shown(made(browser)[1])
    number = str(api_keys.keys_of(house.store, ada)[0].key_id)
    bo = app.test_client()
    bo.post(house.sign_in_link("Bo"))
    bo.post(PATH, data={"do": "end", "key": number})
    assert api_keys.holder(house.store, key).player_id == ada
    sent = form(browser.get(PATH).text, do="end")
    for _ in range(2):
        assert browser.post(PATH, data=sent).location == f"{PATH}?ended=1#now"
    assert "The key has ended." in browser.get(f"{PATH}?ended=1").text
    with pytest.raises(NotFound):
        api_keys.holder(house.store, key)


def test_ending_everything_ends_keys_too(house, browser, ada):
    key = shown(made(browser)[1])
    keys.end_all(house.store, ada)
    with pytest.raises(NotFound):
        api_keys.holder(house.store, key)


@pytest.mark.usefixtures("ada")
def test_a_refused_name_keeps_what_was_chosen(browser):
    _, page = made(browser, name="see evil.example.org", scope="play")
    assert page.status_code == 422
    assert 'value="play" checked' in page.text
    assert 'value="host" checked' not in page.text
    assert "see evil.example.org" in page.text


def test_a_player_has_so_many_keys(house, browser, ada):
    for _ in range(api_keys.MOST):
        api_keys.make(house.store, ada, "bot", ())
    with pytest.raises(Refused, match="keys_full"):
        api_keys.make(house.store, ada, "bot", ())
    assert "You have 20 keys for programs already." in made(browser)[1].text


@pytest.mark.usefixtures("ada")
def test_another_button_does_nothing(browser):
    assert browser.post(PATH, data={"do": "steal"}).status_code == 404
