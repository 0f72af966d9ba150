"""Settings, store and page caches of the running process."""

from collections.abc import Callable

from flask import current_app, g
from markupsafe import Markup

from app.settings import Settings
from app.store.session import Store
from app.web.core.page_cache import PageCache

PAGES, ENTRIES, BOARDS = 256, 20_000, 256
"""Sizes of the caches: a page or a board takes about 50 kB, a log entry 500 bytes."""


class SiteContext:
    """Settings, store and caches of one app, kept in its extensions."""

    def __init__(self, settings: Settings, store: Store, draw: Callable[[int, int], None]) -> None:
        self.settings = settings
        self.store = store
        self.draw = draw
        """Asks a worker for the picture of a match after a ply; returns at once."""
        self.pages: PageCache[tuple[bytes, str]] = PageCache(PAGES)
        """Match pages, each with its ETag."""
        self.boards: PageCache[bytes] = PageCache(BOARDS)
        """Public boards as SVG."""
        self.entries: PageCache[tuple[tuple[int, Markup], ...]] = PageCache(ENTRIES)
        """The lines of plies. A recorded move never changes, so each is rendered once per reader."""


def site() -> SiteContext:
    """The context of the current request's app."""
    found: SiteContext = current_app.extensions["site"]
    return found


def store() -> Store:
    """The store of the current request: the app's, or that of a form which acts once."""
    found: Store | None = g.get("store")
    return site().store if found is None else found
