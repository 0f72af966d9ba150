"""What opens a player's account can be ended: sessions, copied cookies, links, feeds."""

import pytest

from tests.web.visits import House


@pytest.fixture
def ada(browser, house: House):
    """Ada's browser, signed in; she plays Bo."""
    house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    return browser


def copied(browser, app):
    """Another browser with the same cookies."""
    thief = app.test_client()
    for cookie in browser._cookies.values():
        thief.set_cookie(cookie.key, cookie.value, domain=cookie.domain, path=cookie.path)
    return thief


def is_signed_in(browser) -> bool:
    return browser.get("/profile").status_code == 200


def test_a_cookie_that_was_copied_before_signing_out_opens_nothing(ada, app):
    thief = copied(ada, app)
    assert is_signed_in(thief)
    ada.post("/sign-out")
    assert not is_signed_in(ada)
    assert not is_signed_in(thief)


def test_signing_out_here_leaves_other_browsers_signed_in(ada, app, house):
    other = app.test_client()
    other.post(house.sign_in_link("Ada"))
    ada.post("/sign-out")
    assert is_signed_in(other)


def test_a_cookie_from_before_signing_in_again_opens_nothing(ada, app, house):
    thief = copied(ada, app)
    ada.post(house.sign_in_link("Bo"))
    assert not is_signed_in(thief)


def test_ending_everything_ends_every_session(ada, app, house):
    other, thief = app.test_client(), copied(ada, app)
    other.post(house.sign_in_link("Ada"))
    done = ada.post("/profile/end")
    assert (done.status_code, done.location) == (303, "/sign-in?ended=1")
    assert "All your sessions and links have ended" in ada.get(done.location).text
    assert not any(is_signed_in(one) for one in (ada, other, thief))


def test_ending_everything_ends_every_link(ada, app, house):
    match_id = house.rows('SELECT max(id) FROM "match"')[0][0]
    house.open("Cleo", "Ada")
    seat = house.rows("SELECT seat FROM chair WHERE player_id = (SELECT id FROM player WHERE name = 'Ada')")[
        0
    ][0]
    turns, signing = house.turns(match_id), house.sign_in_link("Ada")
    invitations = {
        row.id: house.mint("invitation", invitation_id=row.id)
        for row in house.rows("SELECT id FROM invitation WHERE address_key = 'ada@example.org'")
    }
    feed = house.rows("SELECT feed_epoch FROM player WHERE name = 'Ada'")[0][0]
    stranger = app.test_client()
    ada.post("/profile/end")
    assert stranger.post(signing).status_code == 404
    for token in invitations.values():
        for method in (stranger.get, stranger.post):
            gone = method(f"/i/{token}")
            assert gone.status_code == 410
            assert "Ask for new ones by email" in gone.text
    if seat in turns:
        page = stranger.get(f"/t/{turns[seat]}").text
        assert "You’re playing" not in page
        assert "Email me new links" in page
    assert house.rows("SELECT feed_epoch FROM player WHERE name = 'Ada'")[0][0] == feed + 1


def test_nobody_elses_links_end(ada, app, house):
    match_id = house.rows('SELECT max(id) FROM "match"')[0][0]
    house.play(match_id, 1)
    bo, token = app.test_client(), house.sign_in_link("Bo")
    turns = house.turns(match_id)
    ada.post("/profile/end")
    bo.post(token)
    assert is_signed_in(bo)
    rows = house.rows("SELECT seat, p.name FROM chair c JOIN player p ON p.id = c.player_id")
    seats = {row.name: row.seat for row in rows}
    if seats["Bo"] in turns:
        assert "You’re playing" in app.test_client().get(f"/t/{turns[seats['Bo']]}").text


def test_an_ended_link_plays_nothing(turn, browser, app, house):
    player = house.rows("SELECT player_id FROM chair WHERE seat = :s AND until IS NULL", s=turn.seat)[0][0]
    name = house.rows("SELECT name FROM player WHERE id = :p", p=player)[0][0]
    owner = app.test_client()
    owner.post(house.sign_in_link(name))
    before = house.rows("SELECT count(*) FROM played")[0][0]
    owner.post("/profile/end")
    form = {"question": turn.question, "answer": "sink F5"}
    assert browser.post(turn.path, data=form).status_code in (404, 409)
    assert house.rows("SELECT count(*) FROM played")[0][0] == before


def test_fresh_links_are_emailed_and_work(ada, house):
    ada.post("/profile/end")
    (row,) = house.rows("SELECT kind, status FROM letter WHERE kind = 'links'")
    assert row.status == "waiting"
    ada.post(house.sign_in_link("Ada"))
    assert is_signed_in(ada)


def test_only_the_signed_in_player_ends_anything(ada, app):
    stranger = app.test_client()
    assert stranger.post("/profile/end").location == "/sign-in"
    elsewhere = {"Origin": "https://evil.example"}
    assert ada.post("/profile/end", headers=elsewhere).status_code == 403
    assert ada.get("/profile/end").status_code == 405
    assert is_signed_in(ada)


def test_no_token_is_kept_where_a_form_acted(browser, house, turn):
    form = {"do": "say", "text": "hello", "occasion": "one occasion", "once": "a key of a form"}
    first = browser.post(turn.path, data=form)
    assert first.status_code == 303
    assert browser.post(turn.path, data=form).location == first.location
    days = {"do": "away", "first": "2026-03-09", "last": "2026-03-11", "once": "another key of a form"}
    for _ in range(2):
        assert browser.post(turn.path + "/away", data=days).location == f"{turn.path}?asked=away#now"
    kept = house.rows("SELECT * FROM deed")
    assert kept
    assert turn.token not in str(kept)
