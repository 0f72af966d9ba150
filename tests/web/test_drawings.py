"""Boards that stand as images on a page: light by day, dark in the dark, and without a complaint."""

import io
import re

import pytest
from PIL import Image

from app import games

pytestmark = pytest.mark.slow


def brightness(image) -> float:
    """How light the image is on the screen, from 0 to 255."""
    image.scroll_into_view_if_needed()
    image.evaluate("one => one.decode()")
    shown = Image.open(io.BytesIO(image.screenshot())).convert("L").resize((1, 1), Image.Resampling.BOX)
    return float(shown.getpixel((0, 0)))


def test_boards_in_lists_and_rules_are_dark_in_the_dark(site, visit):
    places = {
        "/": "img[src*='/pictures/']",
        **{f"/rules/{slug}": "figure.worked img" for slug in games.all_games()},
    }
    for address, picture in places.items():
        seen = {}
        for scheme in ("light", "dark"):
            page = visit(site + address, color_scheme=scheme)
            seen[scheme] = brightness(page.locator(picture).first)
        assert seen["dark"] < 0.75 * seen["light"], f"{address}: {seen}"


def test_a_board_alone_brings_its_dark_rules_and_keeps_its_words(house, browser):
    match_id = house.start("Ada", "Bo", setup="random")
    answer = browser.get(f"/m/{match_id}/board.svg")
    assert answer.mimetype == "image/svg+xml"
    assert "<style>@media (prefers-color-scheme: dark)" in answer.text
    assert ".board" not in answer.text
    again = browser.get(f"/m/{match_id}/board.svg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_a_board_alone_says_in_which_language_its_words_are(house, browser):
    """Signs of Chinese and Japanese have other forms, and their marks stand elsewhere, in each language."""
    match_id = house.start("Ada", "Bo", setup="random")
    rules = browser.get("/rules/atlandice", headers={"Accept-Language": "zh-TW"}).text
    worked = re.search(r'src="(/rules/atlandice/zh-Hant/[^"]+\.svg[^"]*)"', rules)[1]
    for address in ("/pictures/atlandice.svg?language=zh-Hant", worked, f"/m/{match_id}/board.svg"):
        svg = browser.get(address, headers={"Accept-Language": "zh-TW"}).text
        assert svg.startswith('<svg xml:lang="zh-Hant"'), address
