"""Rows of the tables as objects, for tests that look at them or change them by hand."""

from contextlib import contextmanager

from sqlmodel import Session


@contextmanager
def rows_of(store):
    """A session of SQLModel that commits at the end."""
    with store.transaction() as connection, Session(connection, expire_on_commit=False) as made:
        yield made
        made.flush()
