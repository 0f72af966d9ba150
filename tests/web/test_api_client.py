"""The program of the help page plays a turn, and says why where it can't."""

import os
import re
import subprocess
import sys
from html import unescape

from app.games import all_games
from tests.servers import PATIENCE
from tests.web.programs import program

OPTIONS = {"survive": {"setup": "random"}}


def shown(browser) -> str:
    page = browser.get("/help/api").text
    return unescape(re.search(r'<pre[^>]* id="client-program"[^>]*>(.*?)</pre>', page, re.DOTALL)[1])


def run(code, **environment: str):
    return subprocess.run(
        [sys.executable, "-I", "-"],
        input=code.encode(),
        env=os.environ | environment,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def test_it_has_some_fifty_lines(browser):
    assert len([line for line in shown(browser).splitlines() if line.strip()]) <= 50


def test_it_takes_every_turn_of_its_player(app, browser, house, site):
    matches = [house.start("Ada", "Bo", game=slug, **OPTIONS.get(slug, {})) for slug in all_games()]
    ada, bo = program(app, house, "Ada"), program(app, house, "Bo")
    waiting = {one["id"] for key in (ada, bo) for one in key.get("/my/matches")["matches"]}
    assert waiting == set(matches)
    code = shown(browser)
    done = run(code, SITE=site, KEY=ada.key)
    assert done.returncode == 0, done.stderr
    assert ada.get("/my/matches")["matches"] == []
    done = run(code, SITE=site, KEY=bo.key)
    assert done.returncode == 0, done.stderr
    assert bo.get("/my/matches")["matches"] == []
    played = "SELECT DISTINCT match_id FROM played WHERE source = 'api'"
    assert {row.match_id for row in house.rows(played)} == set(matches)


def test_it_says_why_it_is_refused(app, browser, house, site):
    house.start("Ada", "Bo", setup="random")
    done = run(shown(browser), SITE=site, KEY="tidepost_nothing")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "This key opens nothing" in done.stderr.decode()
    movers = [program(app, house, name, "read") for name in ("Ada", "Bo")]
    mover = next(one for one in movers if one.get("/my/matches")["matches"])
    assert "This key may not play." in run(shown(browser), SITE=site, KEY=mover.key).stderr.decode()
