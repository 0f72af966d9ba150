"""How long a process waits for the database, and whether an error says that it is away.

A server that is stopped refuses at once. One that hangs answers nothing at all, and its own limits don't
help: so the driver's waiting has an end here too.
"""

import select
import sqlite3
import sys
import time
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

if TYPE_CHECKING:  # ten megabytes, which a server on SQLite needs not read
    import psycopg

WITHOUT_SIGN = 0.5
LET_ALONE = 2.0
"""Seconds: how long a server is waited for that hung just now, and how long no connection to it is tried."""
IDLE = 5.0
"""Seconds after its last answer for which a connection is held to be well while nothing tells its end."""
AWAY = ("08", "25006", "40", "53", "55P03", "57")
"""Beginnings of PostgreSQL's codes: no connection, only for reading (a standby), undone because of others,
no space or memory or connections left, locked for too long, stopped or cancelled."""
_SQLITE_AWAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)


class Outgrown(OperationalError):  # noqa: N818 - as drivers call theirs, it is no fault of this program
    """A newer version has changed the tables, so that this program must leave them alone; the text says why.

    To this program the database is away, until the newer one is installed here too.
    """

    def __init__(self, why: str) -> None:
        super().__init__(None, None, Exception(why))
        self.why = why

    def __str__(self) -> str:
        return self.why


def driver_errors() -> tuple[type[Exception], ...]:
    """The errors of the drivers that are in use, and SQLAlchemy's own, which wrap them."""
    postgresql = sys.modules.get("psycopg")
    found = (SQLAlchemyError, sqlite3.Error)
    return found if postgresql is None else (*found, postgresql.Error)


def is_away(error: BaseException | None) -> bool:
    """Whether an error says that the database is away, hangs, is full or stays locked.

    The same may succeed later. Errors of statements, and damaged files, are none of these.
    """
    while error is not None:
        if isinstance(error, PoolTimeout | Outgrown) or _is_away(error):
            return True
        error = error.orig if isinstance(error, DBAPIError) else error.__cause__
    return False


def _is_away(error: BaseException) -> bool:
    postgresql = sys.modules.get("psycopg")
    if postgresql is not None and isinstance(error, postgresql.Error):
        if error.sqlstate is not None:
            return bool(error.sqlstate.startswith(AWAY))
        return isinstance(error, postgresql.OperationalError | postgresql.InterfaceError)
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_AWAY
    return False


def patient(seconds: float) -> type["psycopg.Connection[Any]"]:
    """A class of connections to PostgreSQL that wait so long for each answer, and shorter while it hangs.

    A connection that waited in vain is closed.
    """
    import psycopg
    from psycopg import pq

    class Patient(psycopg.Connection[Any]):
        hangs = False
        again_at = 0.0
        heard_at = 0.0

        @property
        def well(self) -> bool:
            """Whether the server answered just now and has not closed the connection since. Asks nobody.

            A server that stops, or ends a connection, says so, and then there is something to be read.
            """
            if time.monotonic() - self.heard_at > IDLE or self.closed:
                return False
            quiet = select.poll()
            quiet.register(self.pgconn.socket, select.POLLIN)
            return not quiet.poll(0)

        @classmethod
        def connect(cls, *args: Any, **options: Any) -> Self:
            """A connection. Raises OperationalError, and at once for a while after waiting in vain."""
            if time.monotonic() < Patient.again_at:
                raise psycopg.OperationalError("the database did not answer just now")
            try:
                return super().connect(*args, **options)
            except psycopg.errors.ConnectionTimeout:
                Patient.again_at = time.monotonic() + LET_ALONE
                raise

        def wait(self, gen: Any, *more: Any, **options: Any) -> Any:
            """The server's answer. Raises OperationalError when there is no answer in time."""
            options["timeout"] = WITHOUT_SIGN if Patient.hangs else seconds
            try:
                found = super().wait(gen, *more, **options)
            except psycopg.OperationalError as error:
                if error.sqlstate is not None or self.pgconn.status != pq.ConnStatus.OK:
                    raise
                Patient.hangs = True
                self.pgconn.finish()
                raise psycopg.OperationalError("the database does not answer") from None
            Patient.hangs = False
            self.heard_at = time.monotonic()
            return found

    return Patient
