"""Pages and emails say you and they: never he, his, him, whom or whoever."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = [
    *(path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt", ".jinja")),
    ROOT / "README.md",
]
NAMES = {str(path.relative_to(ROOT)): path for path in TEXTS}
NOT_YET: set[str] = set()
"""Files that still have to be rewritten. The list only gets shorter."""
AVOIDED = re.compile(r"\b(?:he|him|his|himself|whom|whomever|whoever)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


def avoided(text: str) -> set[str]:
    """The words to avoid that a text says, outside the comments of templates."""
    return {match[0].lower() for match in AVOIDED.finditer(_COMMENT.sub("", text))}


@pytest.mark.parametrize("name", sorted(NAMES.keys() - NOT_YET))
def test_players_are_spoken_to_as_you_and_spoken_of_as_they(name):
    assert avoided(NAMES[name].read_text(encoding="utf-8")) == set()


def test_the_files_still_to_rewrite_are_named_truly():
    assert {name for name in NOT_YET if not avoided(NAMES[name].read_text(encoding="utf-8"))} == set()


def test_the_words_to_avoid_are_found_where_they_are_said():
    assert avoided("Whoever is late loses his seat {# he #} there, and the chest.") == {"whoever", "his"}
