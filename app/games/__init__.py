"""The games. Each folder beside this file is one; its `GAME` has the newest rules.

A folder may also have `EARLIER`: the older editions by which matches are still played or looked at.
"""

import importlib
import pkgutil
from functools import cache

from app.engine.game import Event, Game


class UnknownRules(LookupError):  # noqa: N818 - a fact, like the errors of the engine
    """A stored match is of a game or edition whose rules this server doesn't have."""

    def __init__(self, slug: str, edition: int) -> None:
        super().__init__(f"no rules for edition {edition} of {slug}")
        self.slug = slug
        self.edition = edition


@cache
def editions() -> dict[str, tuple[Game, ...]]:
    """All editions of each game, newest first, by slug."""
    found: dict[str, tuple[Game, ...]] = {}
    for folder in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        module = importlib.import_module(f"{__name__}.{folder.name}")
        newest: Game = module.GAME
        earlier: tuple[Game, ...] = getattr(module, "EARLIER", ())
        found[newest.slug] = (newest, *sorted(earlier, key=lambda game: -game.edition))
    return found


def all_games() -> dict[str, Game]:
    """The newest edition of each game by slug, sorted."""
    return {slug: newest for slug, (newest, *_) in editions().items()}


def rules_of(slug: str, edition: int) -> Game:
    """The rules of one edition. Raises UnknownRules."""
    for game in editions().get(slug, ()):
        if game.edition == edition:
            return game
    raise UnknownRules(slug, edition)


def event_types(slug: str) -> tuple[type[Event], ...]:
    """The event types of all editions of a game, each once."""
    return tuple(dict.fromkeys(kind for game in editions()[slug] for kind in game.event_types))
