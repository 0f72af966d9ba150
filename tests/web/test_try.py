"""A position of each game can be tried at once: without an address, a script, or anything stored."""

import re
from html import unescape
from urllib.parse import urlencode

import msgspec
import pytest

from app import games
from app.web.core.allowances import TRIES
from app.web.lobby import try_board
from tests.web.visits import fields, picks

SLUGS = sorted(games.all_games())


def a_move(browser, path):
    """A whole move by links and a button: the address after it."""
    page = browser.get(path)
    assert page.status_code == 200
    while not (found := fields(page.text, "m")[len(moves_in(path)) :]):
        address = next(iter(picks(page.text).values()), None) or following(page.text)
        page = browser.get(path.partition("?")[0] + address.partition("#")[0])
    return f"{path.partition('?')[0]}?{urlencode([('m', one) for one in (*moves_in(path), found[0])])}"


def following(html):
    return unescape(re.search(r'<ul class="pieces field"><li><a href="([^"]+)"', html)[1])


def moves_in(path):
    return (
        [one for part in path.partition("?")[2].split("&") if (one := part.partition("=")[2])]
        if "?" in path
        else []
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_a_guest_makes_moves_and_the_computer_answers(browser, house, slug):
    before = house.count()
    assert f'href="/try/{slug}"' in browser.get("/").text
    path = f"/try/{slug}"
    start = browser.get(path).text
    assert 'id="choose"' in start
    first = browser.get(a_move(browser, path))
    assert first.status_code == 200
    assert "What happened" in first.text
    assert house.count() == before
    assert "Set-Cookie" not in first.headers


@pytest.mark.parametrize("slug", SLUGS)
def test_a_try_ends_after_some_moves_or_with_the_game(browser, slug):
    moves = ()
    game = games.all_games()[slug]
    for _ in range(try_board.MOST):
        position = try_board.after(slug, moves)
        decision = try_board._asked(game, position.state)
        if decision is None:
            break
        moves += (game.format(decision.options[0] if decision.options else decision.default),)
    page = browser.get(f"/try/{slug}?{urlencode([('m', one) for one in moves])}")
    assert page.status_code == 200
    assert 'id="choose"' not in page.text


def test_what_cannot_be_played_leads_to_the_position_before(browser):
    page = browser.get("/try/survive?m=nonsense")
    assert page.location == "/try/survive"
    assert browser.get("/try/chess").status_code == 404
    assert browser.get(f"/try/survive?m={'x' * 5000}").status_code == 302


def test_one_visitor_has_so_many_moves_worked_out_and_what_is_kept_costs_nothing(app, monkeypatch):
    try_board.after.cache_clear()
    monkeypatch.setattr(try_board, "TRIES", msgspec.structs.replace(TRIES, most=3))

    def tries(move, who):
        path = f"/try/survive?{urlencode({'m': move})}"
        return app.test_client().get(path, environ_base={"REMOTE_ADDR": who}).status_code

    first = try_board.first("survive")
    game = games.all_games()["survive"]
    moves = [game.format(one) for one in game.decisions(first.state)[0].options[:4]]
    assert [tries(move, "198.51.100.1") for move in moves] == [200, 200, 200, 429]
    assert tries("nonsense", "198.51.100.1") == 429
    assert tries(moves[0], "198.51.100.1") == 200
    assert app.test_client().get("/try/survive").status_code == 200
    assert tries(moves[3], "198.51.100.2") == 200


@pytest.mark.parametrize("slug", SLUGS)
def test_no_address_names_what_only_the_seat_knows(browser, slug):
    page = browser.get(f"/try/{slug}").text
    assert not re.search(r"pick=own%3A\D", page)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_way_back_to_the_first_position_leads_to_another_address(browser, slug):
    """A link of a fragment alone would stay at the moves and picks of the address."""
    path = f"/try/{slug}"
    first = a_move(browser, path)
    picked = path + next(iter(picks(browser.get(path).text).values()), "").partition("#")[0]
    found = [
        *re.findall(r'<a href="([^"]*)">Start over</a>', browser.get(picked).text),
        *re.findall(r'<a href="([^"]*)">Take back your move</a>', browser.get(first).text),
    ]
    assert found
    assert set(found) == {"?#board"}


@pytest.mark.parametrize("slug", SLUGS)
def test_the_keys_that_work_here_are_told_and_no_others(browser, slug):
    page = browser.get(f"/try/{slug}").text
    told = re.findall(r"<kbd>(.+?)</kbd>", page[page.index('<dialog id="keys"') :])
    assert told == ["B", "←↑→↓", "PgDn", "Enter", "Esc", "?"]
