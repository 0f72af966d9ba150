"""The rules pages mark exactly the rulings that are listed in `tests/games/<slug>/rulings.yaml`."""

import re
from pathlib import Path

import pytest
import yaml

import templates
from app.games import all_games

LISTS = sorted(Path(__file__).parent.glob("*/rulings.yaml"))
PAGES = Path(templates.__file__).parent / "games"
each_list = pytest.mark.parametrize("path", LISTS, ids=[path.parent.name for path in LISTS])
_MARK = re.compile(r'<span class="ruling"><b>Our ruling:</b>(.*?)</span>', re.DOTALL)


def marks(slug):
    page = (PAGES / slug / "rules" / "en.html").read_text()
    return [" ".join(found.split()) for found in _MARK.findall(page)]


@each_list
def test_every_ruling_is_marked_and_nothing_else(path):
    rulings, marked = yaml.safe_load(path.read_text()), marks(path.parent.name)
    assert path.parent.name in all_games()
    found = {ruling: [mark for mark in marked if ruling in mark] for ruling in rulings}
    assert {ruling: len(some) for ruling, some in found.items()} == dict.fromkeys(rulings, 1)
    told = [mark for some in found.values() for mark in some]
    assert [mark for mark in marked if mark not in told] == []
    assert len(marked) == len(rulings)
