"""Transactions: the one place that commits, and then rings the workers' bell."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlmodel import Session

from app.store.statement import RawConnection, Wire

log = logging.getLogger(__name__)

WAL_TRIES = 200
WAL_PAUSE = 0.05
"""Seconds."""


def connect(url: str) -> Engine:
    """An engine for SQLite (WAL, one writer at a time, waiting 10 s) or PostgreSQL."""
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.split("://", 1)[1]
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": 10})

    @event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: Any) -> None:
        dbapi.isolation_level = None
        for pragma in ("busy_timeout=10000", "synchronous=NORMAL", "foreign_keys=ON"):
            dbapi.execute(f"PRAGMA {pragma}")
        _write_ahead(dbapi)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A deferred transaction that writes later fails at once when another wrote; IMMEDIATE waits its turn.
        reading = connection.get_execution_options().get("reading")
        connection.connection.cursor().execute("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _write_ahead(dbapi: Any) -> None:
    """Switch a SQLite database to WAL. Raises OperationalError where it stays locked for ten seconds.

    Only the first connection ever has to switch; several at once get "locked" without any wait of SQLite's.
    """
    for patience in range(WAL_TRIES, -1, -1):
        try:
            dbapi.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if not patience:
                raise
            time.sleep(WAL_PAUSE)
        else:
            return


class Store:
    """The database and the bell. One for each process, made after any fork."""

    def __init__(self, url: str, bell: Callable[[], None] | None = None) -> None:
        self.engine = connect(url)
        self._reader = self.engine.execution_options(reading=True)
        self._bell = bell

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction that commits at the end, or rolls back.

        Where `ask_for_bell` was called in it, the bell rings after the commit; one that fails is logged and
        forgotten, because beat finds what the bell missed.
        """
        with self.engine.begin() as connection:
            connection.info.pop("bell", None)
            yield connection
            wanted = connection.info.pop("bell", False)
        if wanted:
            self.ring()

    @contextmanager
    def statements(self) -> Iterator[RawConnection]:
        """As `transaction`, for statements alone: SQLAlchemy's connection costs as much as two of them."""
        lent = RawConnection(self.engine)
        try:
            if lent.dialect.name == "sqlite":
                lent.connection.cursor().execute("BEGIN IMMEDIATE")
            yield lent
            lent.connection.commit()
        finally:
            lent.connection.close()  # which rolls back what was not committed
        if "bell" in lent.info:
            self.ring()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """As `transaction`, with SQLModel's session over it; for what is not done at every move."""
        with self.transaction() as connection, Session(connection, expire_on_commit=False) as session:
            yield session
            session.flush()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that writes nothing and, on SQLite, sees one moment.

        On PostgreSQL each statement sees its own.
        """
        with self._reader.begin() as connection:
            yield connection

    def ring(self) -> None:
        """Tell the workers that letters may be due. Never raises."""
        if self._bell is not None:
            try:
                self._bell()
            except Exception:  # whatever the broker's client raises
                log.warning("the bell did not ring; the sweep will find the letters", exc_info=True)


def wake_after_commit(connection: Wire) -> None:
    """Ring after this transaction's commit."""
    connection.info["bell"] = True
