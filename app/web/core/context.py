"""What every page stands on: the settings and the store of this process, and what it has made already."""

from flask import current_app
from markupsafe import Markup

from app.settings import Settings
from app.store.session import Store
from app.web.core.page_cache import Shelf

PAGES, ENTRIES = 256, 20_000
"""How many are kept: pages have some 50 kB each, entries of a log 500 bytes."""


class House:
    """One for each app, left in its extensions."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.pages: Shelf[tuple[bytes, str]] = Shelf(PAGES)
        """Of matches, with their tags."""
        self.entries: Shelf[Markup] = Shelf(ENTRIES)
        """A move that was told is never told otherwise, so each is put into words once for each reader."""


def house() -> House:
    """The house of the request at hand."""
    found: House = current_app.extensions["house"]
    return found


def store() -> Store:
    """Its store."""
    return house().store
