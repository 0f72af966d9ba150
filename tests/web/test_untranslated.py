"""Browsers translate pages: not moves, notation and boards, which nobody could type again afterwards."""

import re
from pathlib import Path

import pytest

from tests.web.visits import House

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    path
    for folder in ("templates", "app/new_game/skeleton")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and "catcher" not in path.parts
)
MARKED = re.compile(r"<(?:code|pre|svg)\b[^>]*>|<(?:span|b|p)\b[^>]* dir=\"ltr\"[^>]*>")


@pytest.mark.parametrize("path", [one for one in FILES if one.suffix in (".html", ".svg", ".txt")], ids=str)
def test_every_code_and_board_says_so(path):
    if path.name.endswith("shapes.svg"):
        return
    for tag in MARKED.findall(path.read_text()):
        assert 'translate="no"' in tag, tag


def test_the_pages_of_a_game_say_so(browser, house: House, turn):
    house.play(turn.match_id, 6)
    token = next(iter(house.turns(turn.match_id).values()))
    for address in (f"/t/{token}", f"/m/{turn.match_id}", "/rules/survive", "/rules/atlantis", "/"):
        page = browser.get(address).text
        assert MARKED.search(page) or address == "/"
        # A language is named in itself: browsers leave what says its own language.
        bare = [tag for tag in MARKED.findall(page) if 'translate="no"' not in tag and " lang=" not in tag]
        assert bare == [], address
