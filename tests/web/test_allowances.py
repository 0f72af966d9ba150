# ruff: noqa: ARG001 - fixtures hold the clock, or fill the house
"""Who has a good key is never limited, whatever was tried before from the same address."""

import re
from datetime import timedelta

import msgspec
import pytest

from app.mail.core import signed_addresses
from app.people import address as addresses
from app.people.errors import LATER, Refused
from app.retention.sweep import sweep
from app.settings import Keep
from app.store import counters
from app.store.session import Store
from app.web import create_app
from app.web.core.allowances import MISSES, REQUESTS
from app.web.core.errors import status_of
from tests.web.site import ROOT
from tests.web.visits import House


@pytest.fixture
def store_url(each_store_url: str) -> str:
    """On SQLite and PostgreSQL: both count."""
    return each_store_url


def tried(browser, most=MISSES.most + 1, **request):
    """Wrong links from one address; the statuses of the answers."""
    return [browser.get(f"/t/{n:022d}", **request).status_code for n in range(most)]


def signed(house, settings, match_id):
    """A list's address in an email of the match."""
    letter = house.rows("SELECT id FROM letter WHERE match_id = :m AND player_id IS NOT NULL", m=match_id)[0]
    return signed_addresses.signed(settings, signed_addresses.LEAVE, letter.id)


def test_who_guesses_links_is_told_to_wait_and_costs_no_writes(browser, house):
    statuses = tried(browser)
    assert set(statuses[: MISSES.most]) == {404}
    assert statuses[-1] == 429
    kept = house.rows("SELECT tries FROM counter")
    tried(browser, 3)
    assert house.rows("SELECT tries FROM counter") == kept
    assert "Retry-After" in browser.get(f"/t/{0:022d}").headers
    assert browser.get("/").status_code == 200
    assert browser.get("/nothing").status_code == 404


def test_a_good_key_of_every_kind_works_after_wrong_ones(app, browser, house, turn, settings, clock):
    match_id = house.open("Cleo", "Dan")
    invited = house.invited(match_id)[0]
    sign_in = house.sign_in_link("Ada")
    feeds = app.test_client()
    feeds.post(house.sign_in_link("Ada"))
    page = feeds.get("/profile").text
    feed = page.split("/games.atom")[0].rsplit("/f/", 1)[1]
    ada = house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id
    addresses.request_change(house.store, ada, "ada@new.example.org")
    asked = house.rows("SELECT id FROM letter WHERE to_address = 'ada@new.example.org'")[0].id
    soon = clock.now() + timedelta(hours=1)
    change = house.mint("address", player_id=ada, letter_id=asked, expires_at=soon)
    leave = signed(house, settings, turn.match_id)
    assert tried(browser)[-1] == 429
    assert browser.get(turn.path).status_code == 200
    for below in ("/letters", "/away"):
        assert browser.get(turn.path + below).status_code == 200, below
    assert browser.post(turn.path, data={"do": "links"}).status_code == 303
    assert browser.post(turn.path, data={"do": "seen"}).status_code == 303
    assert browser.get(f"/i/{invited}").status_code == 200
    accepted = browser.post(
        f"/i/{invited}", data={"do": "accept", "name": "Cleo", "language": "en", "zone": "UTC", "word": "x"}
    )
    assert accepted.status_code == 303
    assert browser.get(f"/f/{feed}/games.atom").status_code == 200
    assert browser.get(f"/f/{feed}/deadlines.ics").status_code == 200
    assert browser.get(f"/u/{leave}").status_code == 200
    one_click = {"List-Unsubscribe": "One-Click"}
    assert browser.post(f"/u/{leave}", data=one_click).status_code == 200
    assert browser.get(f"/a/{change}").status_code == 200
    assert browser.get(sign_in).status_code == 200
    assert browser.post(sign_in).status_code == 303
    assert browser.get("/profile").status_code == 200


@pytest.mark.parametrize("path", ["/t/{}", "/i/{}", "/u/{}", "/f/{}/games.atom", "/a/{}", "/t/{}/letters"])
def test_misses_of_every_kind_are_counted_together(browser, house, path):
    assert house.rows("SELECT * FROM counter") == []
    assert browser.get(path.format("x" * 22)).status_code == 404
    assert [row.tries for row in house.rows("SELECT tries FROM counter")] == [1]
    assert tried(browser)[-2:] == [429, 429]


@pytest.mark.parametrize("path", ["/s/{}", "/a/{}"])
def test_misses_by_a_button_are_counted_too(browser, house, path):
    assert browser.post(path.format("x" * 22)).status_code == 404
    assert [row.tries for row in house.rows("SELECT tries FROM counter")] == [1]
    tried(browser)
    assert browser.post(path.format("x" * 22)).status_code == 429


def test_a_minute_later_it_begins_anew(browser, clock):
    assert tried(browser)[-1] == 429
    clock.advance(seconds=61)
    assert tried(browser, 1) == [404]


def test_all_processes_count_together(settings, clock):
    """A limit has one meaning, however many processes serve the pages."""
    stores = [Store(settings.database_url) for _ in range(3)]
    others = [create_app(settings, one).test_client() for one in stores]
    statuses = [others[n % 3].get(f"/t/{n:022d}").status_code for n in range(MISSES.most + 3)]
    for one in stores:
        one.engine.dispose()
    assert statuses == [404] * MISSES.most + [429] * 3


def test_where_counting_fails_nobody_is_refused(settings, store, clock, caplog, tmp_path):
    nowhere = Store(f"sqlite:///{tmp_path}/without-tables.db")
    browser = create_app(settings, store, nowhere).test_client()
    assert set(tried(browser)) == {404}
    assert browser.post("/sign-in", data={"address": "ada@example.org"}).status_code == 303
    assert "example.org" not in caplog.text
    nowhere.engine.dispose()


def test_who_stands_in_front_is_told_apart_only_by_a_named_proxy(browser, clock):
    for n in range(MISSES.most + 1):
        browser.get(f"/t/{n:022d}", headers={"X-Forwarded-For": "203.0.113.5"})
    wrong = f"/t/{0:022d}"
    assert browser.get(wrong, headers={"X-Forwarded-For": "198.51.100.7"}).status_code == 404
    faked = {"X-Forwarded-For": "198.51.100.7, 203.0.113.5:4711"}
    assert browser.get(wrong, headers=faked).status_code == 429
    stranger = {"REMOTE_ADDR": "10.0.0.7"}
    statuses = [
        browser.get(
            f"/t/{n:022d}", headers={"X-Forwarded-For": f"198.51.100.{n}"}, environ_base=stranger
        ).status_code
        for n in range(MISSES.most + 1)
    ]
    assert statuses[-1] == 429


FORMS = {"environ_base": {"REMOTE_ADDR": "203.0.113.5"}}


def asked(browser, **request):
    return browser.post("/sign-in", data={"address": "nobody@example.org"}, **request).status_code


def test_forms_without_a_key_are_limited_for_one_address_and_for_no_other(browser, house, turn):
    assert {asked(browser, **FORMS) for _ in range(REQUESTS.most)} == {303}
    assert asked(browser, **FORMS) == 429
    assert asked(browser, environ_base={"REMOTE_ADDR": "203.0.113.6"}) == 303
    assert browser.post("/links", data={"address": "a@example.org"}, **FORMS).status_code == 429
    # A key is counted for itself: with a link, or signed in.
    assert browser.post(turn.path, data={"do": "links"}, **FORMS).status_code == 303
    browser.post(house.sign_in_link("Ada"))
    assert browser.post("/profile/address", data={"address": "b@example.org"}, **FORMS).status_code == 303
    other = browser.application.test_client()
    other.post(house.sign_in_link("Bo"))
    assert other.post("/profile/address", data={"address": "c@example.org"}, **FORMS).status_code == 303


def test_forms_are_not_limited_for_everybody_behind_a_proxy_that_hides_them(browser, clock):
    assert {asked(browser) for _ in range(REQUESTS.most + 1)} == {303}


def test_an_organiser_with_a_link_is_limited_by_the_link(browser, house):
    match_id = house.open("Ada", "Bo")
    token = house.invited(match_id)[0]
    for _ in range(REQUESTS.most + 1):
        asked(browser, **FORMS)
    form = {"do": "replace", "invitation": "0", "address": "x@example.org"}
    assert browser.post(f"/i/{token}", data=form, **FORMS).status_code != 429


def test_old_counters_are_cleaned(house, clock):
    def tries(name):
        return counters.count(house.store, name, 5, timedelta(minutes=1), clock.now())

    assert tries("one")
    clock.advance(minutes=2)
    assert tries("two")
    sweep(house.store, Keep())
    assert [row.name for row in house.rows("SELECT name FROM counter")] == ["two"]


def test_a_counter_names_nobody(browser, house):
    tried(browser, 1, environ_base={"REMOTE_ADDR": "203.0.113.5"})
    assert "203.0.113.5" not in str(house.rows("SELECT * FROM counter"))


def test_with_several_proxies_named_each_is_believed(settings, store, clock):
    named = msgspec.structs.replace(settings, trusted_proxies=("10.0.0.0/8",))
    browser = create_app(named, store).test_client()
    through = {"environ_base": {"REMOTE_ADDR": "10.0.0.7"}}
    for n in range(MISSES.most + 1):
        browser.get(f"/t/{n:022d}", headers={"X-Forwarded-For": "203.0.113.5, 10.1.1.1"}, **through)
    wrong = f"/t/{0:022d}"
    assert browser.get(wrong, headers={"X-Forwarded-For": "203.0.113.5"}, **through).status_code == 429
    assert browser.get(wrong, headers={"X-Forwarded-For": "203.0.113.9"}, **through).status_code == 404
    assert House(store).rows("SELECT count(*) AS n FROM counter")[0].n == 2


def test_what_says_only_to_wait_has_one_status():
    """Whichever service counts: 429, and never 422, which says that something is wrong with the form."""
    sources = (ROOT / "app").rglob("*.py")
    reasons = {one for path in sources for one in re.findall(r'Refused\(\s*"(\w+)"', path.read_text())}
    waiting = {one for one in reasons if re.search(r"often|lately|early|enough|later|soon", one)}
    assert len(waiting) > 3
    assert waiting == LATER & reasons
    assert {status_of(Refused(one)) for one in LATER} == {429}
    assert {status_of(Refused(one)) for one in reasons - LATER} == {422}
