"""Taking a seat without an invitation: of a listed game, and by the link that its host shares."""

import re
from html import unescape

import pytest

from app.people import blocks
from app.play.deadlines import outages, sweep
from app.play.lobby import changes, expiry, invitations, joining
from app.play.lobby.create import Opening, create_match
from app.play.lobby.joining import MOST_ASKING
from app.play.match.records import Viewer
from app.web.core.allowances import JOINS
from app.web.lobby.join import share_path
from tests.web.forms import form
from tests.web.visits import House

SELF = {"name": "Eve", "language": "en", "zone": "UTC", "word": ""}


def opened(house: House, *, others=(), seats=3, confirm=True, **opening) -> int:
    """Ada's game with free seats."""
    match_id = create_match(
        house.store,
        "survive",
        seats,
        {"setup": "random"},
        "ada@example.org",
        others,
        opening=Opening(**opening or {"listed": True}),
    )
    if confirm:
        invitations.accept(house.store, house.invited(match_id)[0], "Ada", "en", "UTC", "")
    return match_id


def letters(house, kind="join"):
    return house.rows(
        """SELECT i.address, i.id FROM letter l JOIN invitation i ON i.id = l.invitation_id
           WHERE l.kind = :k ORDER BY l.created_at""",
        k=kind,
    )


def status(house, match_id):
    return house.rows('SELECT status FROM "match" WHERE id = :m', m=match_id)[0].status


def player(house, name):
    """A player with a session, who plays elsewhere."""
    house.start(name, "Zoe", setup="random")
    return house.sign_in_link(name)


def ask(browser, path, address):
    return browser.post(path, data=form(browser.get(path).text, do="ask") | {"address": address})


def test_a_listed_game_is_found_joined_by_email_and_begins(browser, house):
    match_id = opened(house, seats=2)
    assert f"/m/{match_id}/join" in browser.get("/games").text
    assert f"/m/{match_id}/join" in browser.get("/").text
    path = f"/m/{match_id}/join"
    assert ask(browser, path, "eve@example.org").location == f"{path}?asked=1"
    ((address, number),) = letters(house)
    assert address == "eve@example.org"
    token = house.mint("invitation", invitation_id=number)
    assert "Take your seat in Survive" in browser.get(f"/i/{token}").text
    assert browser.post(f"/i/{token}", data={"do": "accept", **SELF}).status_code == 303
    assert status(house, match_id) == "running"
    assert f"/m/{match_id}/join" not in browser.get("/games").text
    assert browser.get(path).location == f"/m/{match_id}"


def test_a_request_keeps_no_seat_and_the_host_does_not_see_it(browser, house):
    match_id = opened(house, seats=2)
    ask(browser, f"/m/{match_id}/join", "eve@example.org")
    browser.post(house.sign_in_link("Ada"))
    assert "eve@" not in browser.get(f"/m/{match_id}/table").text
    eve = house.mint("invitation", invitation_id=letters(house)[0].id)
    dan = joining.join(house.store, _player_id(house, "Dan"), match_id)
    assert dan.status == "running"
    late = browser.post(f"/i/{eve}", data={"do": "accept", **SELF})
    assert late.status_code == 409
    assert "begun" in late.text


def _player_id(house, name):
    player(house, name)
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def test_a_full_game_says_so_to_those_who_confirm_late(browser, house):
    match_id = opened(house, seats=4, listed=True)
    ask(browser, f"/m/{match_id}/join", "eve@example.org")
    for name in ("Dan", "Fay"):
        joining.join(house.store, _player_id(house, name), match_id)
    changes.replace(house.store, Viewer(player_id=1), _declined(house, match_id), "bo@example.org")
    eve = house.mint("invitation", invitation_id=letters(house)[0].id)
    late = browser.post(f"/i/{eve}", data={"do": "accept", **SELF})
    assert late.status_code == 409
    assert "all seats are taken" in unescape(late.text)


def _declined(house, match_id):
    """An invitation of Ada's that stands for a seat."""
    with house.store.transaction() as connection:
        from app.play.match.invitations import Invite, write

        return write(connection, match_id, [Invite("x@example.org", "x@example.org", status="declined")])[0]


def test_a_signed_in_player_joins_with_one_button(browser, house):
    match_id = opened(house)
    browser.post(player(house, "Dan"))
    path = f"/m/{match_id}/join"
    done = browser.post(path, data=form(browser.get(path).text, do="join"))
    assert done.location == f"/m/{match_id}/table?done=join"
    page = browser.get(done.location)
    assert "You’ve joined the game." in page.text
    assert f"/m/{match_id}/table" in browser.get("/games/mine?list=waiting").text
    assert "You’ve joined this game" in browser.get(path).text


def test_the_answer_is_the_same_for_every_address(browser, house):
    match_id = opened(house, seats=4, others=["bo@example.org"])
    path = f"/m/{match_id}/join"
    answers = {
        ask(browser, path, who).location for who in ("ada@example.org", "bo@example.org", "eve@example.org")
    }
    assert answers == {f"{path}?asked=1"}
    assert {row.address for row in letters(house)} == {"bo@example.org", "eve@example.org"}


def test_few_emails_go_to_an_address_that_strangers_name(browser, house):
    for _ in range(5):
        ask(browser, f"/m/{opened(house)}/join", "eve+x@example.org")
    assert len(letters(house)) == 3
    invited = create_match(house.store, "survive", 2, {}, "dan@example.org", ["eve@example.org"])
    invitations.accept(house.store, house.invited(invited)[0], "Dan", "en", "UTC", "")
    assert ("eve@example.org",) in {(row.address,) for row in letters(house, "invited")}


def test_a_request_ends_after_a_day_without_a_word(browser, house, store, clock):
    match_id = opened(house)
    ask(browser, f"/m/{match_id}/join", "eve@example.org")
    number = letters(house)[0].id
    for hours, found in ((23, "invited"), (2, "expired")):
        clock.advance(hours=hours)
        expiry.remind_and_expire(store)
        assert house.rows("SELECT status FROM invitation WHERE id = :i", i=number)[0].status == found
    assert not letters(house, "invitation_reminder")
    assert not house.rows("SELECT 1 FROM letter WHERE kind = 'expired'")
    ask(browser, f"/m/{match_id}/join", "eve@example.org")
    assert len(letters(house)) == 2


@pytest.mark.parametrize("how", ["frozen", "an outage"])
def test_a_request_stands_still_with_all_clocks(browser, house, store, clock, how):
    match_id = opened(house)
    sweep.tick(store)
    ask(browser, f"/m/{match_id}/join", "eve@example.org")
    token = house.mint("invitation", invitation_id=letters(house)[0].id)
    if how == "frozen":
        outages.freeze(store)
    clock.advance(days=3)
    if how == "frozen":
        outages.thaw(store)
    for _ in range(3):
        sweep.tick(store)
        expiry.remind_and_expire(store)
        clock.advance(minutes=4)
    clock.advance(hours=20)
    invitations.accept(store, token, "Eve", "en", "UTC", "")
    assert (
        house.rows("SELECT status FROM invitation WHERE address = 'eve@example.org'")[0].status == "accepted"
    )


def test_requests_count_against_no_limit_of_the_host(house):
    match_id = opened(house, seats=4)
    for n in range(15):
        joining.ask_to_join(house.store, f"p{n}@example.org", match_id)
    match = create_match(
        house.store, "survive", 4, {}, "ada@example.org", [f"q{n}@example.org" for n in range(3)], by=1
    )
    invitations.accept(house.store, house.invited(match)[0], "Ada", "en", "UTC", "")
    assert len(letters(house, "invited")) == 3


def test_one_visitor_shuts_no_open_game_for_the_others(app, house):
    match_id = opened(house)
    path = f"/m/{match_id}/join"

    def asks(who, address):
        return app.test_client().post(path, data={"address": address}, environ_base={"REMOTE_ADDR": who})

    answers = [asks("198.51.100.1", f"p{n}@example.org").status_code for n in range(30)]
    assert answers[: JOINS.most] == [303] * JOINS.most
    assert set(answers[JOINS.most :]) == {429}
    assert JOINS.most * 3 <= MOST_ASKING
    assert asks("198.51.100.2", "eve@example.org").status_code == 303
    assert len(letters(house)) == JOINS.most + 1


def test_people_that_the_host_took_out_or_blocked_are_not_let_in_and_are_told_the_same(browser, house, store):
    match_id = opened(house, seats=4)
    path = f"/m/{match_id}/join"
    ids = {name: _player_id(house, name) for name in ("Dan", "Fay")}
    joining.join(store, ids["Dan"], match_id)
    guest = house.rows(
        "SELECT id FROM invitation WHERE player_id = :p AND match_id = :m", p=ids["Dan"], m=match_id
    )
    changes.take_out(store, Viewer(player_id=1), guest[0].id)
    with store.transaction() as connection:
        blocks.silence(connection, _now(), 1, ids["Fay"], invitations=True)
    said = set()
    for name in ids:
        browser.post(house.sign_in_link(name))
        refused = browser.post(path, data=form(browser.get(path).text, do="join"))
        assert refused.status_code == 422
        said.add(re.search(r'role="alert"><p>(.*?)</p>', refused.text)[1])
    assert len(said) == 1


def _now():
    from app import clock

    return clock.now()


def test_a_link_to_share_works_until_the_host_ends_it(browser, app, house):
    match_id = opened(house, shared=True)
    assert f"/m/{match_id}/join" not in browser.get("/games").text
    assert browser.get(f"/m/{match_id}/join").status_code == 404
    browser.post(house.sign_in_link("Ada"))
    settings = f"/m/{match_id}/table"
    link = re.search(
        r'id="share" readonly value="http://localhost(/join/[^"]+)"', browser.get(settings).text
    )[1]
    friend = app.test_client()
    assert friend.get(link).status_code == 200
    assert ask(friend, link, "eve@example.org").location == f"{link}?asked=1"
    browser.post(settings, data=form(browser.get(settings).text, do="unshare"))
    assert friend.get(link).status_code == 409
    eve = house.mint("invitation", invitation_id=letters(house)[0].id)
    assert friend.post(f"/i/{eve}", data={"do": "accept", **SELF}).status_code == 409
    browser.post(settings, data=form(browser.get(settings).text, do="share"))
    other = re.search(
        r'id="share" readonly value="http://localhost(/join/[^"]+)"', browser.get(settings).text
    )[1]
    assert other != link
    assert friend.get(link).status_code == 409
    assert friend.get(other).status_code == 200
    assert friend.get(other + "x").status_code == 404


def test_a_player_who_opens_the_link_again_after_the_start_comes_to_the_game(browser, app, house):
    match_id = opened(house, seats=2, shared=True)
    with app.test_request_context():
        link = share_path(match_id, 1)
    eve = app.test_client()
    eve.post(player(house, "Eve"))
    assert eve.post(link, data=form(eve.get(link).text, do="join")).status_code == 303
    assert eve.get(link).location == f"/m/{match_id}"
    assert browser.get(link).status_code == 409
    browser.post(player(house, "Dan"))
    assert browser.get(link).status_code == 409


def test_a_private_game_is_joined_by_its_link_alone(browser, house):
    match_id = opened(house, shared=True, private=True)
    for path in ("/games", "/", f"/m/{match_id}/join"):
        assert f"/m/{match_id}" not in browser.get(path).text
    browser.post(house.sign_in_link("Ada"))
    page = browser.get(f"/m/{match_id}/table").text
    assert 'value="list"' not in page
    refused = browser.post(f"/m/{match_id}/table", data={"do": "list"})
    assert refused.status_code == 422


@pytest.mark.parametrize("others", [(), ("bo@example.org",)])
@pytest.mark.parametrize("shared", [True, False])
def test_the_host_is_told_whether_anyone_or_who_has_the_link_can_join(browser, house, others, shared):
    match_id = opened(house, others=others, confirm=False, listed=not shared, shared=shared)
    path = f"/i/{house.invited(match_id)[0]}"
    page = browser.get(path).text
    assert ("you get a link to share for the free seats" in page) is shared
    assert ("others can take the free seats" in page) is not shared
    done = browser.post(path, data=form(page, do="accept") | SELF)
    told = browser.get(done.location).text
    assert ("Your link to share is below" in told) is shared
    assert ("Confirmed. Others can join now." in told) is (not shared and not others)
    assert ("The invitations are on their way." in told) is bool(others)


def test_the_page_of_open_games_says_where_ones_own_are(browser, house):
    assert "Looking for your own games?" in browser.get("/games").text
    house.start("Ada", "Bo")
    browser.post(house.sign_in_link("Ada"))
    assert "Looking for your own games?" not in browser.get("/games").text
    for path in ("/", "/games"):
        page = browser.get(path).text
        assert "Yours could be the first" not in page
        assert "There’s no other game to watch right now." in page


def test_what_is_not_confirmed_is_not_listed(browser, house):
    match_id = opened(house, confirm=False)
    assert f"/m/{match_id}/join" not in browser.get("/games").text
    assert browser.get(f"/m/{match_id}/join").status_code == 404


@pytest.mark.parametrize("listed", [True, False])
def test_the_host_lists_a_game_and_takes_it_off(browser, house, listed):
    match_id = opened(house, listed=not listed, shared=True)
    browser.post(house.sign_in_link("Ada"))
    path = f"/m/{match_id}/table"
    done = browser.post(path, data=form(browser.get(path).text, do="list" if listed else "unlist"))
    assert done.status_code == 303
    assert (f"/m/{match_id}/join" in browser.get("/games").text) is listed


def test_the_last_seat_is_taken_once(house, store):
    match_id = opened(house, seats=2)
    ids = [_player_id(house, name) for name in ("Dan", "Fay")]
    joining.join(store, ids[0], match_id)
    with pytest.raises(Exception, match=r"match|full"):
        joining.join(store, ids[1], match_id)
    assert len(house.rows("SELECT 1 FROM chair WHERE match_id = :m", m=match_id)) == 2


def test_without_a_free_seat_no_link_to_share_is_shown(browser, house):
    full = opened(house, others=["bo@example.org", "cleo@example.org"], shared=True)
    page = browser.get(f"/i/{house.invited(full)[0]}").text
    assert "Host tools" in page
    assert 'id="share"' not in page
    assert 'value="list"' not in page
    free = opened(house, others=["dan@example.org"], shared=True)
    assert 'id="share"' in browser.get(f"/i/{house.invited(free)[0]}").text
