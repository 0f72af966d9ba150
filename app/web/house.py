"""What every page stands on: the settings and the store of this process."""

import msgspec
from flask import current_app

from app.settings import Settings
from app.store.session import Store


class House(msgspec.Struct, frozen=True):
    """One for each app, left in its extensions."""

    settings: Settings
    store: Store


def house() -> House:
    """The house of the request at hand."""
    found: House = current_app.extensions["house"]
    return found


def store() -> Store:
    """Its store."""
    return house().store
