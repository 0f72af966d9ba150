"""Around the games with a browser: joining, sharing, a rematch, a try; and nothing in the way."""

import re

import pytest

from app.play.lobby import invitations
from app.play.lobby.create import Opening, create_match
from app.play.match.records import Viewer
from app.play.moves import service
from tests.web.barriers import barriers_by_day_and_night

pytestmark = pytest.mark.slow


def player(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def opened(house, **opening):
    match_id = create_match(
        house.store, "survive", 2, {"setup": "random"}, "ada@example.org", [], opening=Opening(**opening)
    )
    invitations.accept(house.store, house.invited(match_id)[0], "Ada", "en", "UTC", "")
    return match_id


def status(house, match_id):
    return house.rows('SELECT status FROM "match" WHERE id = :m', m=match_id)[0].status


def link_of(house, address):
    found = house.rows("SELECT id FROM invitation WHERE address = :a", a=address)[0].id
    return f"/i/{house.mint('invitation', invitation_id=found)}"


@pytest.mark.parametrize("scripted", [True, False])
def test_a_stranger_joins_an_open_game_by_email(house, site, visit, scripted):
    match_id = opened(house, listed=True)
    page = visit(f"{site}/games", java_script_enabled=scripted)
    page.get_by_role("link", name=re.compile("^Join")).click()
    page.get_by_label("Your email address").fill("eve@example.org")
    page.get_by_role("button", name="Email me a link to join").dblclick()
    page.get_by_text("an email with a link is on its way").wait_for()
    assert len(house.rows("SELECT 1 FROM letter WHERE kind = 'join'")) == 1
    page.goto(site + link_of(house, "eve@example.org"))
    page.get_by_label("Your name").fill("Eve")
    page.get_by_role("button", name="Accept and join").click()
    page.get_by_text("The game has begun").first.wait_for()
    assert status(house, match_id) == "running"


def test_a_host_shares_a_link_and_a_friend_joins_by_one_button(house, site, visit):
    match_id = opened(house, shared=True)
    house.start("Dan", "Zoe", setup="random")
    host = visit(site + house.sign_in_link("Ada"))
    host.locator("main").get_by_role("button").click()
    host.goto(f"{site}/m/{match_id}/table")
    shared = host.get_by_label("Link to share").input_value()
    friend = visit(site + house.sign_in_link("Dan"))
    friend.locator("main").get_by_role("button").click()
    friend.goto(site + re.sub(r"^https?://[^/]+", "", shared))
    friend.get_by_role("button", name="Join game").dblclick()
    friend.wait_for_url(f"**/m/{match_id}**")
    assert status(house, match_id) == "running"
    assert len(house.rows("SELECT 1 FROM chair WHERE match_id = :m", m=match_id)) == 2


def test_a_rematch_by_one_button(house, site, visit):
    match_id = house.start("Ada", "Bo", setup="random")
    service.resign(house.store, Viewer(player_id=player(house, "Bo")), match_id)
    page = visit(site + house.sign_in_link("Ada"))
    page.locator("main").get_by_role("button").click()
    page.goto(f"{site}/m/{match_id}")
    page.get_by_role("button", name="Rematch").dblclick()
    page.get_by_text("The rematch is on").wait_for()
    assert len(house.rows('SELECT 1 FROM "match" WHERE again_of = :m', m=match_id)) == 1
    token = house.mint("again", match_id=match_id, player_id=player(house, "Bo"))
    other = visit(f"{site}/r/{token}", java_script_enabled=False)
    other.get_by_text("The rematch is on").or_(other.get_by_text("Rematch")).first.wait_for()
    other.get_by_role("button", name="Start rematch").click()
    other.get_by_text("The game has begun").first.wait_for()


@pytest.mark.parametrize("slug", ["survive", "atlantis", "atlandice"])
def test_a_position_is_tried_without_a_script(house, site, visit, slug):
    before = house.count()
    page = visit(site, java_script_enabled=False)
    page.locator(f'a[href="/try/{slug}"]').click()
    for _ in range(8):
        if page.locator("#choose form button").count():
            page.locator("#choose form button").first.click()
            break
        page.locator("#choose .pieces a").first.click()
    page.get_by_role("heading", name="What happened").wait_for()
    assert house.count() == before


def test_the_key_n_goes_to_the_next_game_that_waits(house, site, visit):
    first = house.start("Ada", "Bo", setup="random")
    second = house.start("Ada", "Bo", setup="random")
    asked = {
        match_id: house.rows(
            """SELECT p.name FROM question q JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat
               JOIN player p ON p.id = c.player_id WHERE q.match_id = :m AND q.closed_at IS NULL""",
            m=match_id,
        )[0].name
        for match_id in (first, second)
    }
    page = visit(site + house.sign_in_link(asked[first]))
    page.locator("main").get_by_role("button").click()
    page.goto(f"{site}/games")
    page.keyboard.press("n")
    page.wait_for_url(f"**/m/{first}")
    page.keyboard.press("n")
    page.wait_for_url(f"**/m/{second}" if asked[second] == asked[first] else "**/games/mine")


def test_nothing_stands_in_the_way_of_a_screen_reader_and_nothing_is_too_wide(house, site, visit):
    open_game = opened(house, listed=True, shared=True)
    over = house.start("Ada", "Bo", setup="random")
    service.resign(house.store, Viewer(player_id=player(house, "Bo")), over)
    house.start("Ada", "Bo", setup="random")
    with house.store.transaction() as connection:
        connection.exec_driver_sql("UPDATE player SET shows = 'games punctuality'")
    guest = visit(site, viewport={"width": 360, "height": 800})
    mine = visit(site + house.sign_in_link("Ada"), viewport={"width": 360, "height": 800})
    mine.locator("main").get_by_role("button").click()
    mine.goto(f"{site}/m/{over}")
    own = mine.locator('a[href^="/p/"]').first.get_attribute("href")
    pages = {
        guest: (
            "/",
            "/games",
            "/games/finished",
            f"/m/{open_game}/join",
            "/open/survive",
            "/try/survive",
            own,
        ),
        mine: (
            "/",
            "/games/mine",
            "/games/mine?list=finished",
            f"/m/{open_game}/table",
            f"/m/{over}",
            f"/m/{over}/again",
            f"/open/survive?again={over}",
            "/profile",
            "/profile/letters",
        ),
    }
    for page, paths in pages.items():
        for path in paths:
            page.goto(site + path)
            assert barriers_by_day_and_night(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
