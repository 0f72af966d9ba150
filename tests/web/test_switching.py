"""Pages in another language: by the player's choice, by a link below each page, else by the browser."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from app import words
from tests.tongues import CODES
from tests.web.visits import fields

pytestmark = pytest.mark.usefixtures("five")


def spoken(response) -> tuple[str, str]:
    """The language and the direction that a page says it has."""
    found = re.search(r'<html lang="([^"]+)" dir="([^"]+)">', response.text)
    return found[1], found[2]


def links(response) -> dict[str, str]:
    """The addresses of the switch by language."""
    found = re.findall(r'<a href="(\?[^"]*)" hreflang="([^"]+)"', response.text)
    return {code: unescape(address) for address, code in found}


@pytest.fixture
def public(house, turn) -> tuple[str, ...]:
    """Addresses of pages that anybody may read."""
    open_match = house.open("Dora", "Emil")
    assert open_match
    return (
        "/",
        "/help",
        "/rules",
        "/rules/survive",
        "/games",
        "/games/finished",
        "/sign-in",
        "/links",
        "/open/survive",
        f"/m/{turn.match_id}",
        f"/m/{turn.match_id}/log",
    )


def test_every_public_page_is_in_the_browsers_language_and_offers_the_others(browser, public):
    for address in public:
        for code, direction in (("fa", "rtl"), ("zh-Hant", "ltr"), ("en", "ltr")):
            page = browser.get(address, headers={"Accept-Language": code})
            assert page.status_code == 200, address
            assert spoken(page) == (code, direction), address
            assert set(links(page)) == {*CODES} - {code}, address
            for other, name in (("fa", "فارسی"), ("ja", "日本語"), ("zh-Hant", "繁體中文")):
                assert code == other or re.search(
                    rf'hreflang="{other}" lang="{other}" dir="\w+"[^>]*>{name}<', page.text
                )


def test_a_link_switches_and_the_browser_stays_where_it_was(browser, public):
    for address in public:
        page = browser.get(address, headers={"Accept-Language": "en"})
        gone = browser.get(address + links(page)["ja"], headers={"Accept-Language": "en"})
        assert gone.status_code == 303
        assert gone.headers["Cache-Control"] == "no-store"
        assert urlsplit(gone.location).path == address
        assert "lang" not in urlsplit(gone.location).query
        assert spoken(browser.get(gone.location, headers={"Accept-Language": "en"})) == ("ja", "ltr")
        browser.delete_cookie("tidepost")


def test_what_the_address_asks_for_is_kept(browser):
    page = browser.get("/games?game=survive&lang=fa")
    assert page.location == "/games?game=survive"
    shown = browser.get("/games?game=survive")
    assert links(shown)["ja"] == "?game=survive&lang=ja"
    assert browser.get("/games?game=survive&lang=ja").location == "/games?game=survive"


@pytest.mark.parametrize("strange", ["xx", "", "../ja", "JA", "ja\r\nX: y", "zh"])
def test_a_strange_language_changes_nothing(browser, strange):
    answer = browser.get("/help", query_string={"lang": strange}, headers={"Accept-Language": "fa"})
    assert (answer.status_code, answer.location) == (303, "/help")
    assert "Set-Cookie" not in answer.headers
    assert spoken(browser.get("/help", headers={"Accept-Language": "fa"})) == ("fa", "rtl")


def test_the_switch_leads_to_no_other_site(browser):
    for address in ("//evil.example/?lang=ja", "/\\evil.example?lang=ja", "/http://evil.example?lang=ja"):
        answer = browser.get(address)
        assert urlsplit(answer.headers.get("Location", "/")).netloc in ("", "localhost")
    assert browser.get("/%2Fevil.example?lang=ja").status_code == 404


def test_nothing_is_switched_by_a_form(browser):
    assert browser.post("/sign-in?lang=ja", data={"address": "no address"}).status_code in (400, 422)
    answer = browser.post("/sign-in", data={"address": "no address"})
    assert links(answer) == {}
    assert spoken(browser.get("/help"))[0] == "en"


def test_caches_keep_each_language_apart(browser, app, turn):
    """A cache that follows Vary serves nobody a page in another's language, and no tag fits two languages."""
    for address in ("/help", "/rules/survive", f"/m/{turn.match_id}"):
        tags = set()
        for code in CODES:
            page = app.test_client().get(address, headers={"Accept-Language": code})
            assert {"Accept-Language", "Cookie"} <= {one.strip() for one in page.headers["Vary"].split(",")}
            tags.add(page.headers["ETag"])
            again = app.test_client().get(
                address, headers={"Accept-Language": code, "If-None-Match": page.headers["ETag"]}
            )
            assert again.status_code == 304
        assert len(tags) == len(CODES), address
    browser.get("/help?lang=ja")
    chosen = browser.get("/help", headers={"Accept-Language": "en"})
    assert "public" not in chosen.headers["Cache-Control"]
    assert spoken(chosen)[0] == "ja"
    plain = app.test_client().get("/help", headers={"Accept-Language": "en"})
    assert "public" in plain.headers["Cache-Control"]
    stale = browser.get("/help", headers={"Accept-Language": "en", "If-None-Match": plain.headers["ETag"]})
    assert stale.status_code == 200


def test_a_turns_page_is_in_its_players_language_until_another_is_chosen(browser, house, turn):
    with house.store.transaction() as connection:
        connection.exec_driver_sql("UPDATE player SET language = 'fa'")
    page = browser.get(turn.path, headers={"Accept-Language": "ja"})
    assert spoken(page) == ("fa", "rtl")
    assert browser.get(turn.path + links(page)["zh-Hans"]).status_code == 303
    assert spoken(browser.get(turn.path, headers={"Accept-Language": "ja"})) == ("zh-Hans", "ltr")


def test_a_signed_in_player_reads_in_their_own_language_and_may_switch(browser, house):
    house.start("Ada", "Bo")
    with house.store.transaction() as connection:
        connection.exec_driver_sql("UPDATE player SET language = 'fa'")
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/profile", headers={"Accept-Language": "ja"})
    assert spoken(page) == ("fa", "rtl")
    assert set(re.findall(r'<option value="([^"]+)"', page.text)) >= {*CODES}
    browser.get("/profile?lang=ja")
    shown = browser.get("/profile")
    assert spoken(shown) == ("ja", "ltr")
    form = {"name": "Ada", "zone": "Europe/Lisbon", "once": fields(shown.text, "once")[0]}
    kept = browser.post("/profile", data={**form, "language": "fa"})
    assert kept.status_code == 303
    assert spoken(browser.get("/profile"))[0] == "ja"  # the choice stands: the language wasn't changed
    form["once"] = fields(browser.get("/profile").text, "once")[0]
    browser.post("/profile", data={**form, "language": "zh-Hant"})
    assert spoken(browser.get("/profile"))[0] == "zh-Hant"


def test_a_feed_keeps_the_language_of_the_page_that_named_it(browser, turn):
    page = browser.get(f"/m/{turn.match_id}", headers={"Accept-Language": "fa"})
    (address,) = set(re.findall(r'href="([^"]*feed\.atom[^"]*)"', page.text))
    assert 'xml:lang="fa"' in browser.get(address).text
    assert (
        'xml:lang="ja"'
        in browser.get(f"/m/{turn.match_id}/feed.atom", headers={"Accept-Language": "ja"}).text
    )
    assert 'xml:lang="en"' in browser.get(f"/m/{turn.match_id}/feed.atom?language=xx").text


def test_there_is_no_switch_with_one_language(browser, monkeypatch):
    only = {"en": words.available()["en"]}
    monkeypatch.setattr("app.words.available", lambda: only)
    assert links(browser.get("/help")) == {}
