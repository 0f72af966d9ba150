"""Lists of games, and players' pages: paged, small however many games there are, and tactful."""

import re

import pytest
from sqlalchemy import text

from app.bench.rows import copies
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views import mine, open_games
from app.store import sql
from tests.web.forms import form

MANY = 300


def many(house, store, names, count):
    """So many running games of these two, copies of one real game."""
    match_id = house.start(*names, setup="random")
    more = count - 1
    with store.transaction() as connection:
        new = f"({match_id} + n)"
        copies(connection, "match", f"t.id = {match_id}", more, id=new)
        of_it = f"t.match_id = {match_id}"
        copies(connection, "chair", of_it, more, match_id=new)
        copies(
            connection,
            "question",
            f"{of_it} AND t.closed_at IS NULL",
            more,
            match_id=new,
        )
    return match_id


def player(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def finished(house, *names):
    match_id = house.start(*names, setup="random")
    for name in names[1:]:
        service.resign(house.store, Viewer(player_id=player(house, name)), match_id)
    return match_id


def test_three_hundred_games_are_paged_and_small(browser, house, store):
    many(house, store, ("Ada", "Bo"), MANY)
    names = {
        seat: name
        for name, seat in house.rows("SELECT p.name, c.seat FROM chair c JOIN player p ON p.id = c.player_id")
    }
    asked = next(iter(house.turns(1)))
    browser.post(house.sign_in_link(names[asked]))
    for path in ("/", "/games/mine", "/games/mine?page=14", "/profile/letters", "/games"):
        page = browser.get(path)
        assert page.status_code == 200
        assert len(page.data) < 100_000, path
    first, last = browser.get("/games/mine").text, browser.get("/games/mine?page=14").text
    assert "Your turn (300)" in first
    assert len(re.findall('class="my-game now"', first)) == 20
    assert 'rel="next"' in first
    assert 'rel="next"' not in last
    assert len(re.findall('class="my-game now"', last)) == 20


def test_the_pages_together_name_every_game_once(browser, house, store):
    many(house, store, ("Ada", "Bo"), 45)
    for name in ("Ada", "Bo"):
        browser.post(house.sign_in_link(name))
        found = []
        for which in mine.LISTS:
            for number in range(4):
                found += re.findall(
                    r'class="my-game[^>]*href="/m/(\d+)"',
                    browser.get(f"/games/mine?list={which}&page={number}").text,
                )
        assert len(found) == len(set(found)) == 45


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 3),
        ("?game=survive", 3),
        ("?game=atlantis", 0),
        ("?seats=2", 2),
        ("?seats=3&game=survive", 1),
        ("?seats=99", 3),
        ("?before=nonsense", 3),
        ("?before=0001-01-01T00:00:00%2B23:59", 3),
        ("?before=9999-12-31T23:59:59-23:59", 3),
    ],
)
def test_finished_games_are_narrowed_down(browser, house, query, count):
    for names in (("Ada", "Bo"), ("Cleo", "Dan"), ("Eve", "Fay", "Gil")):
        finished(house, *names)
    assert len(re.findall(r'class="match" href="/m/', browser.get(f"/games/finished{query}").text)) == count


def test_finished_games_are_paged(browser, house, clock, monkeypatch):
    monkeypatch.setattr("app.web.lobby.games.A_PAGE", 2)
    for n in range(5):
        finished(house, f"Ada{n}", f"Bo{n}")
        clock.advance(hours=1)
    found, path = [], "/games/finished"
    while path:
        page = browser.get(path).text
        found += re.findall(r'class="match" href="/m/(\d+)"', page)
        older = re.search(r'href="(\?[^"]+)" rel="next"', page)
        path = f"/games/finished{older[1]}".replace("&amp;", "&") if older else ""
    assert len(found) == len(set(found)) == 5


def test_a_players_page_shows_the_name_until_they_choose_more(browser, app, house):
    match_id = finished(house, "Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    profile = browser.get("/profile").text
    path = re.search(r'href="(/p/[^"]+)"', profile)[1]
    guest = app.test_client()
    page = guest.get(path).text
    assert "Ada" in page
    assert "Nothing but the name is shown here." in page
    assert f"/m/{match_id}" not in page
    assert path not in guest.get(f"/m/{match_id}").text
    assert f"/m/{match_id}" not in guest.get(f"/games/finished?player={path.removeprefix('/p/')}").text
    for _ in range(2):
        done = browser.post(
            "/profile/page", data=form(profile, action="/profile/page") | {"shows": ["games", "punctuality"]}
        )
        assert done.location == "/profile?page=1#page"
    page = guest.get(path).text
    assert f"/m/{match_id}" in page
    assert "Place 1 of 2" in page
    assert "Nothing but the name" not in page
    assert path in guest.get(f"/m/{match_id}").text
    assert f"/m/{match_id}" in guest.get(f"/games/finished?player={path.removeprefix('/p/')}").text
    browser.post("/profile/page")
    assert f"/m/{match_id}" not in guest.get(path).text


@pytest.mark.usefixtures("tongue")
def test_private_games_are_on_no_players_page(browser, house, store):
    match_id = finished(house, "Ada", "Bo")
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = :p'), {"p": True})
        connection.execute(text("UPDATE player SET shows = 'games punctuality'"))
    browser.post(house.sign_in_link("Bo"))
    path = re.search(r'href="(/p/[^"]+)"', browser.get("/profile").text)[1]
    for address in (path, "/games/finished", f"/games/finished?player={path.removeprefix('/p/')}"):
        assert f"/m/{match_id}" not in browser.get(address).text


def test_nobody_lists_players_by_counting(browser, house):
    house.start("Ada", "Bo", setup="random")
    for key in ("1", "MQ", "MQ.x"):
        assert browser.get(f"/p/{key}").status_code == 404


def test_a_signed_in_player_sees_no_advertising_and_no_game_twice(browser, house):
    own = house.start("Ada", "Bo", setup="random")
    other = house.start("Cleo", "Dan", setup="random")
    guest = browser.get("/").text
    assert "How it works" in guest
    browser.post(house.sign_in_link("Ada"))
    page = browser.get("/").text
    assert "How it works" not in page
    assert page.count(f'href="/m/{own}"') == 1
    assert f'href="/m/{other}"' in page


def test_lists_without_the_readers_own_games_do_not_say_that_there_are_none(browser, house):
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    for path in ("/", "/games"):
        page = browser.get(path).text
        assert "There’s no other game to watch right now." in page
        assert "None yet." not in page


def test_the_lists_ask_as_many_statements_for_many_games_as_for_few(house, store, monkeypatch):
    asked = []
    monkeypatch.setattr(sql, "watch", asked.append)
    many(house, store, ("Ada", "Bo"), 10)
    found = []
    for ada in (1, player(house, "Ada")):
        asked.clear()
        mine.page(store, ada, mine.TURN, 20)
        open_games.finished_games(store, 20)
        found.append(len(asked))
        many(house, store, ("Cleo", "Dan"), MANY)
    assert found[0] == found[1]
