"""Rows of the tables as objects, for tests that look at them or change them by hand."""

import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlmodel import Session

from app.store.moments import moment_of, number_of


def moment(value):
    """What a statement of SQLite or PostgreSQL returns for a moment, aware."""
    return value if isinstance(value, datetime) else moment_of(value)


def number(value):
    """As SQLite keeps a moment, aware or naive and in UTC."""
    return number_of(value if value.tzinfo else value.replace(tzinfo=UTC))


sqlite3.register_adapter(datetime, number)


@contextmanager
def rows_of(store):
    """A session of SQLModel that commits at the end."""
    with store.transaction() as connection, Session(connection, expire_on_commit=False) as made:
        yield made
        made.flush()
