"""Transactions: the one place that commits, and then wakes the workers."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Protocol

import psycopg
from sqlalchemy import Connection as ManagedConnection
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.connection import Connection, RawConnection

log = logging.getLogger(__name__)

DRIVER_ERRORS = (sqlite3.Error, psycopg.Error)
"""The errors of both drivers; SQLAlchemy's own errors wrap them."""

STATEMENT = 30
"""Seconds that a statement may last on PostgreSQL, waiting for other writers included."""
WAITS = {
    "connect_timeout": 5,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How long PostgreSQL's client waits for a server that is away, or has gone without a word."""
_WAKE = "wake"
WAL_TRIES = 200
WAL_PAUSE = 0.05
"""Seconds."""


def durability() -> tuple[str, ...]:
    """The pragmas that decide when a commit of SQLite is on disk."""
    return ("synchronous=FULL",)


def connect(url: str, *, limited: bool = True) -> Engine:
    """An engine for SQLite (WAL, one writer at a time, waiting 10 s) or PostgreSQL.

    A commit is on the disk before it is acknowledged. `limited`: no statement lasts longer than STATEMENT
    seconds; no wait for the server is without an end in either case.
    """
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.split("://", 1)[1]
    if not url.startswith("sqlite"):
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=dict(WAITS))
        if limited:
            event.listen(engine, "connect", _limit)
        return engine
    engine = create_engine(url, connect_args={"timeout": 10}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: Any) -> None:
        dbapi.isolation_level = None
        for pragma in ("busy_timeout=10000", *durability(), "foreign_keys=ON"):
            dbapi.execute(f"PRAGMA {pragma}")
        _write_ahead(dbapi)

    @event.listens_for(engine, "begin")
    def _begin(connection: ManagedConnection) -> None:
        # A deferred transaction that writes later fails at once when another wrote; IMMEDIATE waits its turn.
        reading = connection.get_execution_options().get("reading")
        connection.connection.cursor().execute("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _limit(dbapi: Any, _record: Any) -> None:
    dbapi.execute(f"SET statement_timeout = {STATEMENT * 1000}")
    dbapi.commit()


def _write_ahead(dbapi: Any) -> None:
    """Switch a SQLite database to WAL. Raises OperationalError if it stays locked for ten seconds.

    Only the first connection ever has to switch; of several at once SQLite refuses some without waiting.
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


class Guard(Protocol):
    """Called at the begin and the end of each transaction of a guarded store."""

    def begun(self, connection: Connection) -> None:
        """Called before anything else in a transaction. What it raises ends the transaction."""

    def committed(self) -> None:
        """Called after the commit."""


class Store:
    """The database, and the way to wake the workers. One for each process, made after any fork."""

    def __init__(self, url: str, wake: Callable[[], None] | None = None) -> None:
        self.engine = connect(url)
        self._reader = self.engine.execution_options(reading=True)
        self._wake = wake
        driver = self.engine.dialect.loaded_dbapi
        self.away: tuple[type[Exception], ...] = (
            OperationalError,
            InterfaceError,
            PoolTimeoutError,
            driver.OperationalError,
            driver.InterfaceError,
        )
        """The errors of a database that is away, restarts, or stays locked: the same may succeed later."""
        self.guard: Guard | None = None
        """Begins and ends every transaction that writes."""

    def guarded(self, guard: Guard) -> "Store":
        """The same database, whose transactions that write begin and end with the guard."""
        guarded = copy(self)
        guarded.guard = guard
        return guarded

    @contextmanager
    def transaction(self) -> Iterator[ManagedConnection]:
        """A connection in a transaction that commits at the end, or rolls back.

        If `wake_after_commit` was called in it, the workers are woken after the commit; a failure is logged
        only, because the next sweep does the same work.
        """
        with self.engine.begin() as connection:
            connection.info.pop(_WAKE, None)
            if self.guard is not None:
                self.guard.begun(connection)
            yield connection
            wanted = connection.info.pop(_WAKE, False)
        if self.guard is not None:
            self.guard.committed()
        if wanted:
            self.wake()

    @contextmanager
    def statements(self) -> Iterator[RawConnection]:
        """As `transaction`, with the driver's connection: SQLAlchemy's costs as much as two statements."""
        lent = RawConnection(self.engine)
        try:
            if lent.dialect.name == "sqlite":
                lent.connection.cursor().execute("BEGIN IMMEDIATE")
            if self.guard is not None:
                self.guard.begun(lent)
            yield lent
            lent.connection.commit()
        finally:
            lent.connection.close()  # which rolls back what was not committed
        if self.guard is not None:
            self.guard.committed()
        if _WAKE in lent.info:
            self.wake()

    @contextmanager
    def reading(self) -> Iterator[ManagedConnection]:
        """A connection that writes nothing and, on SQLite, sees one moment.

        On PostgreSQL each statement sees its own.
        """
        with self._reader.begin() as connection:
            yield connection

    def wake(self) -> None:
        """Tell the workers that emails may be due. Never raises."""
        if self._wake is not None:
            try:
                self._wake()
            except Exception:  # whatever the broker's client raises
                log.warning("the workers were not woken; the sweep will find the emails", exc_info=True)


def wake_after_commit(connection: Connection) -> None:
    """Wake the workers after this transaction's commit."""
    connection.info[_WAKE] = True
