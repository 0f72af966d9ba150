"""Transactions: the one place that commits, and then wakes the workers."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Protocol

from sqlalchemy import Connection as ManagedConnection
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.connection import Connection, RawConnection
from app.store.moments import by_columns
from app.store.patience import patient
from app.store.prepared import prepare
from app.store.versions import Fit

log = logging.getLogger(__name__)

STATEMENT = 30.0
"""Seconds that a statement may last on PostgreSQL, waiting for other writers included."""
WAITS = {
    "connect_timeout": 3,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How long PostgreSQL's client waits for a server that is away, or has gone without a word."""
_WAKE = "wake"
WAL_PAUSE = 0.05
LOCK_PATIENCE = 10.0
"""Seconds: between tries to switch SQLite to WAL, and the longest wait for its lock."""


def durability() -> tuple[str, ...]:
    """The pragmas that decide when a commit of SQLite is on disk."""
    return ("synchronous=FULL",)


def connect(url: str, patience: float = 0) -> Engine:
    """An engine for SQLite (WAL, one writer at a time) or PostgreSQL.

    A commit is on the disk before it is acknowledged. `patience` are the seconds that a statement may take, a
    lock may be waited for and a server may stay silent. 0 sets no limit, but for a connection and SQLite's
    lock.
    """
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.split("://", 1)[1]
    if not url.startswith("sqlite"):
        return _postgresql(url, patience)
    waits = min(patience or LOCK_PATIENCE, LOCK_PATIENCE)
    engine = create_engine(url, connect_args={"timeout": waits}, pool_timeout=waits, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: Any) -> None:
        dbapi.isolation_level = None
        for pragma in (f"busy_timeout={waits * 1000:.0f}", *durability(), "foreign_keys=ON"):
            dbapi.execute(f"PRAGMA {pragma}")
        _write_ahead(dbapi, waits)

    @event.listens_for(engine, "begin")
    def _begin(connection: ManagedConnection) -> None:
        # A deferred transaction that writes later fails at once when another wrote; IMMEDIATE waits its turn.
        reading = connection.get_execution_options().get("reading")
        connection.connection.cursor().execute("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: str, patience: float) -> Engine:
    engine = create_engine(
        url,
        pool_pre_ping=True,
        pool_timeout=patience or STATEMENT,
        hide_parameters=True,
        connect_args=dict(WAITS),
    )
    if patience:
        driver = patient(patience * 1.5)

        @event.listens_for(engine, "do_connect")
        def _connect(_dialect: Any, _record: Any, args: Any, options: dict[str, Any]) -> Any:
            connection = driver.connect(*args, **options)
            # Not as a parameter of the connection, which poolers refuse.
            for limit in ("statement_timeout", "lock_timeout"):
                connection.execute(f"SET {limit} = {patience * 1000:.0f}".encode())
            prepare(connection)
            connection.commit()
            return connection

        ask = engine.dialect.do_ping

        def is_there(dbapi_connection: Any) -> bool:
            return dbapi_connection.well or ask(dbapi_connection)

        engine.dialect.do_ping = is_there  # type: ignore[method-assign]

    return engine


def _write_ahead(dbapi: Any, waits: float) -> None:
    """Switch a SQLite database to WAL. Raises OperationalError if it stays locked for so many seconds.

    Only the first connection ever has to switch; of several at once SQLite refuses some without waiting.
    """
    for patience in range(round(waits / WAL_PAUSE), -1, -1):
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
    """The database, and the way to wake the workers. One for each process, made after any fork.

    Its connections raise Outgrown, by which the database is away, once a newer version has changed the tables
    so that this program can't live with them.
    """

    def __init__(
        self,
        url: str,
        wake: Callable[[], None] | None = None,
        *,
        patience: float = STATEMENT,
        at_once: bool = False,
    ) -> None:
        """`at_once`: for a command, which has not seen whether it may use the tables; the first use does."""
        self.engine = by_columns(connect(url, patience))
        alone = {} if self.engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        self._reader = self.engine.execution_options(reading=True, **alone)
        self._fit = Fit(self._reader, at_once=at_once)
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
        self._fit.check()
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
        self._fit.check()
        lent = RawConnection(self.engine)
        try:
            if lent.dialect.name == "sqlite":
                lent.connection.cursor().execute("BEGIN IMMEDIATE")
            if self.guard is not None:
                self.guard.begun(lent)
            yield lent
            lent.connection.commit()
        finally:
            lent.close()
        if self.guard is not None:
            self.guard.committed()
        if _WAKE in lent.info:
            self.wake()

    @contextmanager
    def reading(self) -> Iterator[ManagedConnection]:
        """A connection that writes nothing and, on SQLite, sees one moment.

        On PostgreSQL each statement sees its own.
        """
        self._fit.check()
        with self._reader.begin() as connection:
            yield connection

    @contextmanager
    def looking(self) -> Iterator[RawConnection]:
        """As `reading`, with the driver's connection: SQLAlchemy's costs as much as three selects."""
        self._fit.check()
        lent = RawConnection(self.engine, reads=True)
        try:
            if lent.dialect.name == "sqlite":
                lent.connection.cursor().execute("BEGIN")
            yield lent
        finally:
            lent.close()

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
