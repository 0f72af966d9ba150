"""The words of the site, of letters and of games, by name."""

import re
from collections.abc import Callable
from functools import cache

from app.engine.game import Game, Seat
from app.words import FALLBACK, has_words, say

__all__ = ["FALLBACK", "LETTERS", "SITE", "Name", "game_folder", "has_words", "say", "snake_case"]

SITE, LETTERS = "words", "mail/words"
"""The folders with the site's own words and those of letters."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Name = Callable[[Seat], str]
"""Gives the name of the player on a seat."""


def game_folder(game: Game) -> str:
    """The folder with the words of a game."""
    return f"games/{game.slug}/words"


def snake_case(kind: type) -> str:
    """The class's name as part of a macro's name: `ShipMoved` is `ship_moved`."""
    return _snake_case(kind.__name__)


@cache
def _snake_case(name: str) -> str:
    return _HUMP.sub("_", name).lower()
