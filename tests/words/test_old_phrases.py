"""Phrases that were once said to players and have better ones in their place: none comes back."""

import re
from pathlib import Path

import pytest

from app.words import audit

ROOT = Path(__file__).parents[2]
OLD = (
    "open a table",
    "opens a table",
    "table page",
    "everybody takes the time",
    "is to move",
    "are waited for",
    "is waited for",
    "waits for you alone",
    "time is up",
    "there is grace",
    "the plainest move",
    "open no longer",
    "standing order",
    "one wish a line",
    "the dearest",
    "organiser",
    "have seen it",
    "letters come",
    "letter will tell",
    "a letter",
    "no letter",
    "only you know",
    "point at the board",
    "pointed at on the board",
    "under way",
    "saved:",
    r"puts \w+\d on",
    "nothing was done: things have moved on",
    "tell you of this turn",
    "as they have chosen",
    "that a letter could reach",
    "your links be sent",
    "the more the fewer",
    "some \\d+ to \\d+",
    "a line, not a book",
    "as it stands now",
    "a hit",
    "the house",
)
"""Patterns of what it said before; each is looked for as whole words."""
BUTTONS = {"do it", "keep it", "say it"}
"""Once on buttons, which say now what happens: play, save, send."""
_OLD = re.compile(rf"\b(?:{'|'.join(OLD)})", re.IGNORECASE)
KEPT = {
    "board games by letter": "the line under the name",
    "house rule": "a rule from one of the rulebooks",
    "first letter of its colour": "a letter of the alphabet",
}
"""Good English that a pattern would find."""
TEXTS = {
    **{
        name: text
        for name, text in audit.all_sources()
        if not name.endswith(".py") and ("/words/" in f"/{name}" or "/rules/" in name)
    },
    **{name: text for name, text in audit.all_sources() if name.endswith((".html", ".txt"))},
    "README.md": (ROOT / "README.md").read_text(encoding="utf-8"),
}
_SILENT = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]+>|`[^`]+`", re.DOTALL)


def old_phrases(text: str) -> list[str]:
    """The old phrases that a text says to its reader, outside comments, tags, code and names of macros."""
    said = " ".join(_SILENT.sub(" ", text).replace("’", "'").split()).lower()
    for phrase in KEPT:
        said = said.replace(phrase, "")
    return [match[0] for match in _OLD.finditer(said)]


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_old_phrase_is_said(name):
    assert old_phrases(TEXTS[name]) == []


def test_a_button_says_what_will_happen():
    assert [one.name for one in audit.sentences("en") if one.text.lower() in BUTTONS] == []


@pytest.mark.parametrize(
    "text",
    [
        "Open a table",
        "Kelp is to move, and you are waited for.",
        "Ada's time is up. There is grace until noon.",
        "Standing <b>orders</b>, standing orders",
        "I have seen it: no letter now",
        "Ada puts red1 on G9.",
        "some 35 to 50 turns",
        "A hit.",
    ],
)
def test_an_old_phrase_is_found(text):
    assert old_phrases(text)


def test_names_comments_and_code_may_say_it():
    assert (
        old_phrases(
            "{# organiser #}{{ say('organiser') }} <i id=organiser> `organiser` board games by letter"
        )
        == []
    )
