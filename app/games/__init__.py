"""The shelf: every folder beside this file is a game, and its `GAME` keeps the contract of `app.engine`."""

import importlib
import pkgutil
from functools import cache

from app.engine.game import Game


@cache
def shelf() -> dict[str, Game]:
    """The games by their slug, in the order of their names."""
    found: dict[str, Game] = {}
    for folder in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        game: Game = importlib.import_module(f"{__name__}.{folder.name}").GAME
        found[game.slug] = game
    return found
