"""The pages as a WSGI server loads them: app, store and bell for each process, made after its fork."""

from flask import Flask

from app import settings
from app.store.session import Store
from app.store.wakeup import WakeUp
from app.web import create_app


def from_environment() -> Flask:
    """The app that the environment's settings describe. Raises BadSettings."""
    read = settings.read()
    return create_app(read, Store(read.database_url, WakeUp(read.broker_url, read.data_dir)))
