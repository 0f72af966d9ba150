"""Settings, store and page caches of the running process."""

from collections.abc import Callable

import msgspec
from flask import current_app, g
from markupsafe import Markup

from app.play.views.statistics import Statistics
from app.settings import Settings
from app.store.session import Store
from app.web.core.page_cache import PageCache

PAGES, PLIES, TURNS, BOARDS, STATISTICS = 256, 20_000, 10_000, 256, 128
"""Sizes of the caches: a page or a board takes about 50 kB, a ply 500 bytes, a turn 2 kB, statistics 5 kB."""


class TellingOfPly(msgspec.Struct, frozen=True):
    """A ply in the words of a language."""

    setup: bool
    """It is set-up and nothing else."""
    lines: tuple[tuple[int, Markup], ...]
    """Each with its weight; none if the ply has no words."""
    places: tuple[str, ...]
    """The names on the board that its events tell of."""


class SiteContext:
    """Settings, store and caches of one app, kept in its extensions."""

    def __init__(self, settings: Settings, store: Store, draw: Callable[[int, int], None]) -> None:
        self.settings = settings
        self.store = store
        self.draw = draw
        """Asks a worker for the picture of a match after a ply; returns at once."""
        self.pages: PageCache[tuple[bytes, str]] = PageCache(PAGES)
        """Match pages, each with its ETag."""
        self.boards: PageCache[str] = PageCache(BOARDS)
        """Public boards as SVG."""
        self.plies: PageCache[TellingOfPly] = PageCache(PLIES)
        """Plies in words. A recorded move never changes, so each is told once to all who heard the same."""
        self.turns: PageCache[Markup] = PageCache(TURNS)
        """Turns of the report, each of some plies."""
        self.statistics: PageCache[Statistics] = PageCache(STATISTICS)
        """The statistics of matches, which cost the replay of a whole match."""


def site() -> SiteContext:
    """The context of the current request's app."""
    found: SiteContext = current_app.extensions["site"]
    return found


def store() -> Store:
    """The store of the current request: the app's, or that of a form which acts once."""
    found: Store | None = g.get("store")
    return site().store if found is None else found
