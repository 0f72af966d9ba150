"""Words from templates: macros by name, in a language or else in English."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2.environment import TemplateModule

from app import templating
from app.engine.game import Game, Seat

FALLBACK = "en"
SITE, LETTERS = "words", "mail/words"
"""The folders with the site's own words and those of letters."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Name = Callable[[Seat], str]
"""Gives the name of the player on a seat."""


def say(folder: str, language: str, name: str, *facts: Any, **more: Any) -> str:
    """The text of a macro, on one line. Raises LookupError if neither the language nor English has it."""
    macro = _macro(folder, language, name)
    if macro is None:
        raise LookupError(f"{folder} has no {name}")
    return " ".join(macro(*facts, **more).split())


def has_words(folder: str, language: str, name: str) -> bool:
    """Whether there is such a macro in the language or in English."""
    return _macro(folder, language, name) is not None


def game_folder(game: Game) -> str:
    """The folder with the words of a game."""
    return f"games/{game.slug}/words"


def snake_case(kind: type) -> str:
    """The class's name as part of a macro's name: `ShipMoved` is `ship_moved`."""
    return _HUMP.sub("_", kind.__name__).lower()


@cache
def _module(folder: str, language: str) -> TemplateModule:
    wanted = [f"{folder}/{language}.jinja", f"{folder}/{FALLBACK}.jinja"]
    return templating.plain().select_template(wanted).module


def _macro(folder: str, language: str, name: str) -> Callable[..., str] | None:
    for module in (_module(folder, language), _module(folder, FALLBACK)):
        macro: Callable[..., str] | None = getattr(module, name, None)
        if macro is not None:
            return macro
    return None
