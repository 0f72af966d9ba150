"""The WSGI entry point. Each process creates its own app and stores, after the fork."""

from flask import Flask

from app import logs, metrics, settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from app.web import create_app
from app.web.opening import Opening

PATIENCE = 5.0
"""Seconds for which a page waits for the database; then it says that the database is away."""
COUNTING = 0.3
"""Seconds for which it waits to count something; then it isn't counted."""


def from_environment() -> Flask:
    """The app configured by the environment. Raises BadSettings."""
    logs.install()
    read = settings.read()
    metrics.begin(read)
    wake_up = WakeUp(read.broker_url, read.data_dir)
    store = Store(read.database_url, wake_up, patience=PATIENCE)
    opening = Opening(read, store)
    opening.begin()
    return create_app(read, store, Store(read.database_url, patience=COUNTING), opening.is_done, wake_up.draw)
