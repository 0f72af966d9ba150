"""The page of statistics, which is there once a match is over."""

import re

import pytest

from app import games
from app.draw import plots
from app.people import service as people
from app.play.views.statistics import statistics

MOST = 1500


@pytest.fixture(params=["survive", "atlantis", "atlandice"])
def over(request, house):
    match_id = house.start(
        "<b>Ada</b>", "Bo", game=request.param, **({"setup": "random"} if request.param == "survive" else {})
    )
    house.play(match_id, MOST)
    return match_id


def test_there_are_none_while_the_match_goes_on(browser, house, turn):
    house.play(turn.match_id, 4)
    for path in (f"/m/{turn.match_id}/statistics", "/m/999/statistics"):
        assert browser.get(path).status_code == 404
    browser.post(house.sign_in_link("Ada"))
    assert browser.get(f"/m/{turn.match_id}/statistics").status_code == 404
    assert "statistics" not in browser.get(f"/m/{turn.match_id}").text


def test_every_game_shows_plots_and_the_same_figures_as_tables(browser, over):
    page = browser.get(f"/m/{over}").text
    assert f'href="/m/{over}/statistics"' in page
    found = browser.get(f"/m/{over}/statistics")
    plots = re.findall(r'<svg[^>]*class="plot".*?</svg>', found.text, re.DOTALL)
    assert len(plots) >= 3
    assert found.text.count("<table>") == len(plots)
    for plot in plots:
        assert 'role="img"' in plot
        assert not re.search(r"<style|<script|style=|<desc|nan", plot)
    assert "&lt;b&gt;Ada&lt;/b&gt;" in found.text
    assert "<b>Ada</b>" not in found.text
    again = browser.get(f"/m/{over}/statistics", headers={"If-None-Match": found.headers["ETag"]})
    assert again.status_code == 304


def test_the_last_points_are_the_result(browser, house, store, over):
    found = statistics(store, over)
    outcome = house.rows('SELECT outcome FROM "match" WHERE id = :m', m=over)[0].outcome
    for seat, points in found.points.items():
        if seat != "neutral":
            assert f'"{seat}":{points[-1][1]}' in outcome
    assert set(found.figures) <= set(found.game.figures)
    assert ("neutral player" in browser.get(f"/m/{over}").text) == ("neutral" in found.points)


def test_a_game_that_counts_nothing_has_a_page_too(browser, house, store, monkeypatch):
    match_id = house.start("Ada", "Bo", setup="random")
    house.play(match_id, MOST)
    game = games.all_games()["survive"]
    monkeypatch.setattr(type(game), "points", lambda *_: {})
    monkeypatch.setattr(type(game), "counts", lambda *_: ())
    assert "This game has nothing to count." in browser.get(f"/m/{match_id}/statistics").text
    ada = house.rows("SELECT id FROM player WHERE name = 'Ada'")[0].id
    people.update(store, ada, "Countess", "en", "UTC")
    assert browser.get(f"/m/{match_id}/statistics").status_code == 200


@pytest.mark.parametrize("most", [0, 1, 3, 7, 40])
def test_axes_count_in_whole_numbers(most):
    drawn = [
        plots.bars("Rolls", ["Ada"], [("part-0", "shark", [most])]),
        plots.lines("Points", [("seat-red", "Ada", [(0, 0), (9, most)])]),
    ]
    for plot in drawn:
        assert not re.search(r">\d+\.\d+<", plot)
