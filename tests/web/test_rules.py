"""The rules pages: whole, with our own pictures, our rulings marked, and every form of the notation."""

import re
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import msgspec
import pytest

from app.games import all_games
from app.web import create_app
from app.web.lobby import rules
from app.web.lobby.sample_boards import worked
from tests.games.thresholds import MATCHES, verbs_played

each_game = pytest.mark.parametrize("slug", sorted(all_games()))


@each_game
def test_every_form_of_the_notation_has_an_example(browser, slug):
    page = browser.get(f"/rules/{slug}").text
    shown = {unescape(code).split()[0] for code in re.findall(r"<code[^>]*>([^<]+)</code>", page)}
    game = all_games()[slug]
    assert shown
    assert verbs_played(game) <= shown


@each_game
def test_rulings_are_marked_as_ours(browser, slug):
    page = browser.get(f"/rules/{slug}").text
    marked = re.findall(r'class="ruling"><b>Our ruling:</b> \S', page)
    assert page.count("<b>Our ruling:</b>") == len(marked)


@each_game
def test_each_ruling_is_marked_and_nothing_else_is(browser, slug):
    """The marks are those of `rulings.txt`; a game without the list marks nothing."""
    page = browser.get(f"/rules/{slug}").text
    file = MATCHES / slug / "rulings.txt"
    marked = [
        " ".join(unescape(re.sub("<[^>]+>", "", text)).split())
        for text in re.findall(r'class="ruling"><b>Our ruling:</b> (.*?)</(?:span|p)>', page, re.DOTALL)
    ]
    lines = file.read_text().splitlines() if file.exists() else []
    rulings = [line for line in lines if line and not line.startswith("#")]
    assert [one for one in rulings if not any(one in text for text in marked)] == []
    assert [text for text in marked if not any(one in text for one in rulings)] == []


@each_game
def test_the_pictures_are_drawn_by_our_own_boards(browser, slug):
    page = browser.get(f"/rules/{slug}").text
    found = re.findall(r'<img src="([^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)"', page)
    pictures = [one for one in found if one[0].startswith("/rules/")]
    assert sorted(Path(address).stem for address, *_ in pictures) == sorted(worked(slug))
    for address, alt, width, height in pictures:
        answer = browser.get(address)
        assert answer.mimetype == "image/svg+xml"
        root = ET.fromstring(answer.text)
        assert root.get("viewBox", "").split()[2:] == [width, height]
        assert len(alt) > 20


@each_game
def test_a_picture_that_is_not_there_is_not_found(browser, slug):
    assert browser.get(f"/rules/{slug}/en/nothing.svg").status_code == 404
    assert browser.get(f"/rules/{slug}/xx/start.svg").status_code == 404


@pytest.mark.parametrize("inbox", ["", "pipe:"])
def test_the_help_speaks_of_replies_where_they_are_read(settings, store, inbox):
    page = (
        create_app(msgspec.structs.replace(settings, inbox_url=inbox), store).test_client().get("/help").text
    )
    assert ("Replies to our emails aren’t read" in page) == (not inbox)
    assert ("You can also reply to the email" in page) == bool(inbox)


@each_game
def test_the_rules_begin_with_their_contents(browser, slug):
    page = browser.get(f"/rules/{slug}").text
    listed = re.findall(
        r'<li><a href="#([\w-]+)">([^<]+)</a></li>', page.split('id="contents"')[1].split("</nav>")[0]
    )
    headings = re.findall(r'<h2 id="([\w-]+)">([^<]+)</h2>', page)
    assert listed == headings
    assert len(listed) > 5
    assert page.count('href="#contents"') == 1, "a way back to them, which stays in sight on a phone"
    assert "<nav" not in page.split("</nav>", 2)[2].split("<footer")[0], "once is enough"


@pytest.mark.usefixtures("five")
def test_rules_that_a_language_lacks_are_marked_as_english(browser, monkeypatch):
    monkeypatch.setattr(rules, "rules_template", lambda game, _language: f"games/{game.slug}/rules/en.html")
    page = browser.get("/rules/survive", headers={"Accept-Language": "fa"}).text
    assert '<html lang="fa" dir="rtl">' in page
    assert '<div lang="en" dir="ltr">' in page
    assert '<div lang="en"' not in browser.get("/rules/survive", headers={"Accept-Language": "en"}).text
