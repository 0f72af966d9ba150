"""The report of a match is kept by what its reader heard."""

import re

from flask import Flask

from app.bench.population import Population
from app.play.match.records import PlayerView, Viewer
from app.play.views.player_view import player_view
from app.store.session import Store
from app.web.core.context import SiteContext, site
from app.web.match.clock_view import TimeFormat
from app.web.match.log import log_card, report

PLACE = TimeFormat("en", "Europe/Berlin")


def test_a_reader_is_told_the_same_whoever_read_before(app: Flask, store: Store) -> None:
    people = Population(store, "ears")
    people.grow(6, (30, 60))
    heard_alone = 0
    for match_id in people.matches:
        players = [Viewer(player_id=one.player_id) for one in people.snapshot(match_id).holders]
        views = [player_view(store, match_id, one) for one in (*players, Viewer())]
        heard_alone += sum(one.ear is not None for view in views for one in view.heard)
        with app.test_request_context("/"):
            after_others = [_told(view) for view in views]
            for view, told in zip(views, after_others, strict=True):
                known = app.extensions["site"]
                app.extensions["site"] = SiteContext(site().settings, store, site().draw)
                assert told == _told(view)
                app.extensions["site"] = known
    assert heard_alone


def _told(view: PlayerView) -> object:
    told = report(view, PLACE.language)
    return [one for _, one in told.plies], log_card(told, PLACE)


def test_an_onlooker_sees_the_trails_of_the_last_turn_of_each_seat(browser, house):
    match_id = house.start("Ada", "Bo", game="atlantis")
    house.play(match_id, 9)
    page = browser.get(f"/m/{match_id}").text
    rows = house.rows("SELECT ply, seat FROM played WHERE match_id = :m AND ply > 0 ORDER BY ply", m=match_id)
    last: dict[str, int] = {}
    for row in reversed(rows):
        if row.seat in last and last[row.seat] - row.ply > 1:
            break
        last.setdefault(row.seat, row.ply)
    shown = {int(ply) for ply in re.findall(r'<g class="trail" data-ply="(\d+)"', page)}
    assert shown
    assert shown <= set(last.values()) | {row.ply for row in rows[-3:]}
    assert len(shown) < 8, "older ones would lie over one another"
