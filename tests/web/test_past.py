"""Earlier positions tell nobody what others may not know, and nothing of the end."""

import re

import pytest
from sqlalchemy import text

from app.play.lobby import invitations
from app.play.match.records import Viewer
from app.play.moves import service
from app.play.views.player_view import player_view_by_token
from tests.web.visits import House


def told(page: str) -> str:
    """The board and the report: what a page says of the game."""
    board = page[page.index('<section class="board"') : page.index('<div class="side">')]
    story = page[page.index('aria-labelledby="story"') :]
    return re.sub(r"<time.*?</time>", "", board + story[: story.index("</section>")], flags=re.DOTALL)


@pytest.fixture
def running(house: House) -> int:
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 9)
    return match_id


@pytest.mark.usefixtures("tongue")
def test_while_the_match_goes_on_everybody_sees_the_same_past(browser, house, running):
    """Players may be meant to forget what their seat knew."""
    public = [told(browser.get(f"/m/{running}/{ply}").text) for ply in range(9)]
    for name in ("Ada", "Bo"):
        browser.post(house.sign_in_link(name))
        for ply, page in enumerate(public):
            for query in ("", "?as=red", "?as=yellow", "?as=all"):
                assert told(browser.get(f"/m/{running}/{ply}{query}").text) == page, (name, ply, query)
    assert not any(re.search(r"(?:red|yellow)\d+ = \d", page) for page in public)


def test_an_earlier_position_says_nothing_of_the_end(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 1500)
    last = house.rows('SELECT ply FROM "match" WHERE id = :m', m=match_id)[0].ply
    end = browser.get(f"/m/{match_id}").text
    assert 'id="count"' in end
    for ply in (0, 5, last - 1):
        page = browser.get(f"/m/{match_id}/{ply}").text
        assert 'id="count"' not in page
        assert " won" not in page
        assert "share the win" not in page
        assert (
            bytes(house.rows('SELECT secret FROM "match" WHERE id = :m', m=match_id)[0].secret).hex()
            not in page
        )


def test_after_the_end_each_seats_past_knowledge_is_open_to_all(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 1500)
    red, all_saw = (browser.get(f"/m/{match_id}/9?as={seat}").text for seat in ("red", "all"))
    board = slice(red.index('<section class="board"'), red.index('<div class="side">'))
    assert re.search(r"red\d+ = ", red[board])
    assert not re.search(r"red\d+ = ", all_saw[: all_saw.index('<div class="side">')])
    assert f"/m/{match_id}/10?as=red" in red
    assert told(browser.get(f"/m/{match_id}/9?as=nobody").text) == told(browser.get(f"/m/{match_id}/9").text)


@pytest.mark.usefixtures("tongue")
def test_notes_stay_private_for_ever(browser, house):
    match_id = house.start("Ada", "Bo", game="atlantis")
    token = next(iter(house.turns(match_id).values()))
    browser.post(f"/t/{token}", data={"do": "note", "text": "my secret plan", "occasion": "a" * 12})
    house.play(match_id, 1500)
    others = browser.application.test_client()
    for path in ("", "/3", "/3?as=red", "/statistics", "/log"):
        page = others.get(f"/m/{match_id}{path}")
        assert page.status_code == 200
        assert "secret plan" not in page.text


def test_the_whole_log_is_shown_a_page_at_a_time(browser, house):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, 1500)
    last = house.rows('SELECT ply FROM "match" WHERE id = :m', m=match_id)[0].ply
    seen, path = set(), f"/m/{match_id}/log"
    while path:
        page = browser.get(path).text
        plies = set(map(int, re.findall(r'data-ply="(\d+)"', page)))
        assert len(plies) <= 101
        seen |= plies
        earlier = re.search(r'href="(\?to=\d+)"><span[^>]*>←', page)
        path = f"/m/{match_id}/log{earlier[1]}" if earlier else ""
    assert max(seen) == last
    assert 0 in seen
    assert browser.get(f"/m/{match_id}/log?to=99999").status_code == 404
    assert browser.get(f"/m/{match_id}/log?to=x").status_code == 200


def test_an_earlier_position_is_not_sent_again(browser, running):
    first = browser.get(f"/m/{running}/4")
    again = browser.get(f"/m/{running}/4", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.headers["Cache-Control"], again.status_code) == ("private, no-cache", 304)


def test_a_link_of_a_turn_asks_for_news_by_its_etag_but_is_kept_by_no_browser(browser, house, turn):
    first = browser.get(turn.path)
    assert first.headers["Cache-Control"] == "no-store"
    assert f'data-tag="{first.headers["ETag"].strip(chr(34))}"' in first.text
    again = browser.get(turn.path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    house.play(turn.match_id, 1)
    assert browser.get(turn.path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def sealed(house: House, number: int) -> int:
    """A match whose red player has sealed a list; of two such, only the values in the list differ."""
    match_id = house.open("Ada", "Bo")
    with house.store.transaction() as connection:
        connection.execute(
            text('UPDATE "match" SET secret = :s WHERE id = :m'), {"s": b"d" * 32, "m": match_id}
        )
    for name, token in zip(("Ada", "Bo"), house.invited(match_id), strict=True):
        invitations.accept(house.store, token, name, house.language, "UTC", f"word of {name}")
    for n in range(24):
        seat, token = min(house.turns(match_id).items())
        view = player_view_by_token(house.store, token)
        decision = view.asked[0].decision
        move = decision.options[n % len(decision.options)] if decision.options else decision.default
        line = view.game.format(move)
        if line.startswith("orders") and seat == "red":
            line = f"orders {'5 F4; 6 F8' if number else '6 F4; 5 F8'}; 4; 3; 3; 2; 2; 1; 1; 1"
        service.play(house.store, Viewer(token=token), view.asked[0].question_id, line)
    return match_id


def test_two_worlds_that_differ_in_what_a_seat_has_hidden_have_equal_pasts(browser, house, tongue):
    one, other = sealed(house, 0), sealed(house, 1)
    moves = [
        [
            row.move
            for row in house.rows("SELECT move FROM played WHERE match_id = :m ORDER BY ply", m=match_id)
        ]
        for match_id in (one, other)
    ]
    assert moves[0] != moves[1], "the lists differ"
    assert [one.split(" ")[0] for one in moves[0]] == [one.split(" ")[0] for one in moves[1]]
    red = {
        row.match_id: row.name
        for row in house.rows(
            "SELECT c.match_id, p.name FROM chair c JOIN player p ON p.id = c.player_id WHERE c.seat = 'red'"
        )
    }
    assert red[one] == red[other]
    for name in (None, "Ada" if red[one] == "Bo" else "Bo"):
        if name:
            browser.post(house.sign_in_link(name))
        for ply in ("", *(f"/{n}" for n in range(0, len(moves[0]) - 1, 3)), "/log"):
            here, there = (browser.get(f"/m/{match_id}{ply}").text for match_id in (one, other))
            assert f'<html lang="{tongue}"' in here
            if ply != "/log":
                here, there = told(here), told(there)
            assert neutral(here, one) == neutral(there, other), (name, ply)


def neutral(page: str, match_id: int) -> str:
    """A page without the number of its match and without times."""
    page = re.sub(rf"#{match_id}\b|/m/{match_id}\b", "", page)
    return re.sub(r"<time.*?</time>", "", page, flags=re.DOTALL)
