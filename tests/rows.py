"""Rows of the tables as objects, for tests that look at them or change them by hand."""

import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import DateTime
from sqlalchemy.dialects import sqlite
from sqlmodel import Session

from app.store.moments import moment_of, number_of


def number(moment):
    """As SQLite keeps a moment, aware or naive and in UTC."""
    return number_of(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def moment(value):
    """What a statement of SQLite or PostgreSQL returns for a moment, aware."""
    return value if isinstance(value, datetime) else moment_of(value)


sqlite3.register_adapter(datetime, number)


class Moment(sqlite.DATETIME):
    """The same for SQLAlchemy."""

    cache_ok = True

    def bind_processor(self, _dialect):
        return lambda value: None if value is None else number(value)

    def result_processor(self, _dialect, _kind):
        return lambda value: None if value is None else moment_of(value).replace(tzinfo=None)


@contextmanager
def rows_of(store):
    """A session of SQLModel that commits at the end."""
    if store.engine.dialect.name == "sqlite":
        store.engine.dialect.colspecs = {**store.engine.dialect.colspecs, DateTime: Moment}
    with store.transaction() as connection, Session(connection, expire_on_commit=False) as made:
        yield made
        made.flush()
