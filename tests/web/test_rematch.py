"""Another game for the same people: by a button on the page of the game, and by its last email."""

import re
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from app.play.lobby import changes, invitations, rematch
from app.play.match.records import NotFound, Refused, Viewer
from app.play.moves import service
from tests.web.forms import form

SELF = {"name": "Bo", "language": "en", "zone": "UTC", "word": ""}


def player(house, name):
    return house.rows("SELECT id FROM player WHERE name = :n", n=name)[0].id


def finished(house, *names, **more):
    match_id = house.start(*names, setup="random", **more)
    for name in names[1:]:
        service.resign(house.store, Viewer(player_id=player(house, name)), match_id)
    assert house.rows('SELECT status FROM "match" WHERE id = :m', m=match_id)[0].status == "over"
    return match_id


def the_rematch(house, match_id):
    (row,) = house.rows('SELECT id, status, seats, private FROM "match" WHERE again_of = :m', m=match_id)
    return row


def answers(house, match_id):
    found = house.rows(
        "SELECT address, status, known FROM invitation WHERE match_id = :m ORDER BY id", m=match_id
    )
    return {row.address: (row.status, row.known) for row in found}


@pytest.mark.usefixtures("tongue")
def test_the_button_invites_the_others_and_shows_no_address(browser, house):
    match_id = finished(house, "Ada", "Bo", "Cleo")
    browser.post(house.sign_in_link("Ada"))
    sent = form(browser.get(f"/m/{match_id}").text, action=f"/m/{match_id}/again")
    done = browser.post(f"/m/{match_id}/again", data=sent)
    assert done.location == f"/m/{match_id}/again"
    new = the_rematch(house, match_id)
    assert (new.status, new.seats) == ("open", 3)
    assert answers(house, new.id) == {
        "ada@example.org": ("accepted", ""),
        "bo@example.org": ("invited", "Bo"),
        "cleo@example.org": ("invited", "Cleo"),
    }
    for path in (f"/m/{match_id}/again", f"/m/{new.id}/table"):
        page = browser.get(path).text
        assert "Cleo" in page
        assert "cleo@" not in page


def test_whoever_presses_second_accepts_and_the_last_begins(app, house):
    match_id = finished(house, "Ada", "Bo")
    for name in ("Bo", "Ada"):
        browser = app.test_client()
        browser.post(house.sign_in_link(name))
        assert browser.post(f"/m/{match_id}/again", data={"do": "rematch"}).status_code == 303
    new = the_rematch(house, match_id)
    assert new.status == "running"
    assert f"/m/{new.id}" in browser.get(f"/m/{match_id}/again").text


def test_by_the_link_of_the_last_email(browser, house):
    match_id = finished(house, "Ada", "Bo")
    link = f"/r/{house.mint('again', match_id=match_id, player_id=player(house, 'Bo'))}"
    before = house.count()
    page = browser.get(link)
    assert "Start rematch" in page.text
    assert house.count() == before
    assert browser.post(link, data=form(page.text, do="rematch")).location == link
    assert answers(house, the_rematch(house, match_id).id)["bo@example.org"][0] == "accepted"
    assert "The rematch is on" in browser.get(link).text


@pytest.mark.parametrize("why", ["ended", "made up", "too old"])
def test_a_link_that_does_not_work_any_more(browser, house, store, clock, why):
    match_id = finished(house, "Ada", "Bo")
    token = house.mint(
        "again", match_id=match_id, player_id=player(house, "Bo"), expires_at=clock.now() + rematch.LASTS
    )
    if why == "ended":
        with store.transaction() as connection:
            connection.execute(text("UPDATE token SET ended_at = created_at"))
    if why == "too old":
        clock.advance(days=61)
    link = f"/r/{token}x" if why == "made up" else f"/r/{token}"
    assert browser.get(link).status_code == browser.post(link).status_code == 404


def test_those_who_have_no_seat_there_start_nothing(app, browser, house):
    match_id = finished(house, "Ada", "Bo")
    house.start("Dan", "Eve", setup="random")
    browser.post(house.sign_in_link("Dan"))
    for stranger in (browser, app.test_client()):
        assert stranger.get(f"/m/{match_id}/again").status_code == 404
        assert stranger.post(f"/m/{match_id}/again").status_code == 404
    assert 'value="rematch"' not in browser.get(f"/m/{match_id}").text


def test_a_game_that_goes_on_has_no_rematch(house):
    match_id = house.start("Ada", "Bo", setup="random")
    with pytest.raises(Refused, match="not_over"):
        rematch.rematch(house.store, match_id, player(house, "Ada"))
    with pytest.raises(NotFound):
        rematch.rematch(house.store, 999, 1)


def test_one_that_was_called_off_can_be_started_anew(house):
    match_id = finished(house, "Ada", "Bo")
    ada = player(house, "Ada")
    first = rematch.rematch(house.store, match_id, ada)
    changes.call_off(house.store, Viewer(player_id=ada), first)
    second = rematch.rematch(house.store, match_id, ada)
    assert second != first
    assert rematch.rematch_of(house.store, match_id, ada) == second


def test_a_game_against_the_computer_begins_at_once(house):
    match_id = house.start("Ada", bots=1, setup="random")
    service.resign(house.store, Viewer(player_id=player(house, "Ada")), match_id)
    new = rematch.rematch(house.store, match_id, player(house, "Ada"))
    assert house.rows('SELECT status FROM "match" WHERE id = :m', m=new)[0].status == "running"


def test_a_private_game_has_a_private_rematch(house, store):
    match_id = finished(house, "Ada", "Bo")
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = :p WHERE id = :m'), {"p": True, "m": match_id})
    rematch.rematch(store, match_id, player(house, "Ada"))
    assert the_rematch(house, match_id).private


def test_the_seats_are_drawn_anew(house, store, monkeypatch):
    """From another secret: the seats of many rematches differ."""
    seats = set()
    for n in range(8):
        secret = bytes([n]) * 32  # real ones would draw the same eight times now and then
        monkeypatch.setattr(rematch, "secrets", SimpleNamespace(token_bytes=lambda _, drawn=secret: drawn))
        match_id = finished(house, f"Ada{n}", f"Bo{n}")
        new = rematch.rematch(store, match_id, player(house, f"Ada{n}"))
        token = house.invited(new)[1]
        invitations.accept(store, token, f"Bo{n}", "en", "UTC", "")
        rows = house.rows(
            "SELECT c.seat FROM chair c WHERE c.match_id = :m AND c.player_id = :p",
            m=new,
            p=player(house, f"Ada{n}"),
        )
        seats.add(rows[0].seat)
    assert len(seats) > 1


def test_the_last_email_carries_the_link(house):
    match_id = finished(house, "Ada", "Bo")
    assert re.fullmatch(r"/r/", rematch_path())
    assert house.rows("SELECT 1 FROM letter WHERE kind = 'over' AND match_id = :m", m=match_id)


def rematch_path():
    from app.play.match.links import PATHS

    return PATHS[rematch.PURPOSE]
