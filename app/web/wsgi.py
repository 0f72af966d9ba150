"""The WSGI entry point. Each process creates its own app and store, after the fork."""

from flask import Flask

from app import logs, settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from app.web import create_app


def from_environment() -> Flask:
    """The app configured by the environment. Raises BadSettings."""
    logs.install()
    read = settings.read()
    return create_app(read, Store(read.database_url, WakeUp(read.broker_url, read.data_dir)))
