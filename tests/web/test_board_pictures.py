"""Pictures of boards: made by a worker within bounds, of matches that everybody may see."""

import io
import re
from datetime import timedelta

import pytest
from PIL import Image
from sqlalchemy import text

from app import draw
from app.draw.pictures import render
from app.play.match import pictures
from app.play.views import public_boards
from app.store.wakeup import MOST_DRAWN, WakeUp
from app.web import create_app
from app.web.core import sessions
from app.web.core.allowances import PICTURES
from app.web.match.pictures import placeholder
from tests.web.visits import House


@pytest.fixture
def wanted():
    """The pictures that pages have asked a worker for."""
    return []


@pytest.fixture
def browser(settings, store, wanted):
    return create_app(settings, store, draw=lambda *one: wanted.append(one)).test_client()


def png(game, view):
    return render(draw.board(game, view))


def size(answer):
    assert answer.mimetype == "image/png"
    return Image.open(io.BytesIO(answer.data)).size


def test_who_asks_first_gets_the_picture_until_many_are_asked_for(browser, house, wanted, monkeypatch):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 3)
    monkeypatch.setattr(public_boards, "AT_ONCE", 2)
    answers = [browser.get(f"/m/{match_id}/{ply}/board.png") for ply in range(3)]
    wide = [size(one)[0] > 700 and one.data != placeholder() for one in answers]
    assert wide == [True, True, False]
    assert wanted == [(match_id, 2)], "the third is left to a worker"
    assert answers[0].data == browser.get(f"/m/{match_id}/0/board.png").data
    assert "max-age=86400" in answers[0].headers["Cache-Control"]


def test_a_placeholder_until_the_worker_has_made_it(browser, house, store, wanted, monkeypatch):
    monkeypatch.setattr(public_boards, "AT_ONCE", 0)
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 2)
    before = house.count()
    first = browser.get(f"/m/{match_id}/1/board.png")
    assert first.headers["Cache-Control"] == "public, max-age=10"
    assert wanted == [(match_id, 1)]
    assert house.count() == before
    assert public_boards.make_picture(store, *wanted[0], png)
    made = browser.get(f"/m/{match_id}/1/board.png")
    assert made.data != first.data
    assert len(made.data) < 45_000
    assert size(made)[0] > 700
    assert wanted == [(match_id, 1)]
    assert not public_boards.make_picture(store, *wanted[0], png)
    assert browser.get(f"/m/{match_id}/99/board.png").status_code == 404


def test_the_page_names_the_picture_of_its_ply_with_full_addresses(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    page = browser.get(f"/m/{match_id}").text
    assert f'<meta property="og:image" content="http://localhost/m/{match_id}/0/board.png">' in page
    assert f'<meta property="og:url" content="http://localhost/m/{match_id}">' in page
    token = next(iter(house.turns(match_id).values()))
    assert "og:" not in browser.get(f"/t/{token}").text


def test_a_private_match_gives_nothing(browser, house, store, wanted):
    match_id = house.start("Ada", "Bo", setup="random")
    with store.transaction() as connection:
        connection.execute(text('UPDATE "match" SET private = :p'), {"p": True})
    assert not public_boards.make_picture(store, match_id, 0, png)
    browser.post(house.sign_in_link("Ada"))
    page = browser.get(f"/m/{match_id}").text
    assert "og:" not in page
    assert "feed.atom" not in page
    assert browser.get(f"/m/{match_id}/0/board.png").status_code == 404
    assert browser.get(f"/m/{match_id}/board.svg").status_code == 200
    assert wanted == []


def test_few_are_made_in_a_minute_and_few_are_kept(house: House, store, clock, monkeypatch):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 6)
    monkeypatch.setattr(public_boards, "MOST", 3)
    monkeypatch.setattr(pictures, "MOST", 2)
    made = [public_boards.make_picture(store, match_id, ply, lambda *_: b"p") for ply in range(5)]
    assert made == [True, True, True, False, False]
    clock.advance(minutes=2)
    assert public_boards.make_picture(store, match_id, 4, lambda *_: b"p")
    kept = [ply for ply in range(6) if public_boards.kept_picture(store, match_id, ply)]
    assert len(kept) <= 2
    assert 4 in kept


def test_one_visitor_uses_up_no_others_pictures(settings, store, house, wanted, monkeypatch):
    monkeypatch.setattr(public_boards, "AT_ONCE", 0)
    app = create_app(settings, store, draw=lambda *one: wanted.append(one))
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 12)

    def asks(who):
        for ply in range(12):
            path = f"/m/{match_id}/{ply}/board.png"
            answer = app.test_client().get(path, environ_base={"REMOTE_ADDR": who})
            assert answer.status_code == 200, "a placeholder comes all the same"
        return len(wanted)

    assert asks("198.51.100.1") == PICTURES.most
    assert PICTURES.most * 3 <= MOST_DRAWN
    assert asks("198.51.100.2") == 2 * PICTURES.most


def test_strangers_cannot_fill_the_queue(tmp_path, clock):
    wake_up = WakeUp("", tmp_path)
    sent = []
    wake_up._client = type("Client", (), {"send_task": lambda _self, *what, **_: sent.append(what)})()
    for ply in range(200):
        wake_up.draw(1, ply)
        wake_up.draw(1, ply)
    assert wake_up.settle(30)
    assert len([one for one in sent if one[0] == "draw"]) == MOST_DRAWN
    clock.advance(minutes=2)
    wake_up.draw(1, 7)
    assert wake_up.settle(30)
    assert sent[-2] == ("draw", (1, 7))


def test_the_small_board_changes_with_the_ply_alone(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    first = browser.get(f"/m/{match_id}/board.svg")
    assert first.text.startswith("<svg")
    again = browser.get(f"/m/{match_id}/board.svg", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    house.play(match_id, 1)
    assert browser.get(f"/m/{match_id}/board.svg").headers["ETag"] != first.headers["ETag"]


def test_what_any_cache_may_keep_sets_no_cookie(browser, house, monkeypatch):
    """Else a cache between would hand one player's session to others."""
    match_id = house.start("Ada", "Bo", setup="random")
    browser.post(house.sign_in_link("Ada"))
    sheet = re.search(r'href="(/static/[^"]+[.]css[^"]*)"', browser.get("/").text)[1]
    icon = re.search(r'href="(/static/[^"]+[.]svg[^"]*)"', browser.get("/").text)[1]
    monkeypatch.setattr(sessions, "RENEWED_AFTER", -timedelta(days=9999))  # it is to be written again
    for path in (f"/m/{match_id}/0/board.png", sheet, icon):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert answer.cache_control.public, path
        assert "Set-Cookie" not in answer.headers, path
    assert "Set-Cookie" in browser.get("/").headers
