"""The connections that statements go through."""

from typing import Any, TypeAlias

from sqlalchemy import Connection as ManagedConnection
from sqlalchemy import Engine


class RawConnection:
    """The driver's own connection as the pool lends it, with all that a statement needs."""

    __slots__ = ("_alone", "connection", "dialect", "info")

    def __init__(self, engine: Engine, *, reads: bool = False) -> None:
        """`reads`: nothing is written, and on PostgreSQL each statement is a transaction of its own.

        That saves the messages that begin and end one. After a ROLLBACK the driver would also forget the
        statements that it has prepared.
        """
        self.connection = engine.raw_connection()
        self.dialect = engine.dialect
        self.info: dict[Any, Any] = {}
        self._alone: Any = None
        if reads and self.dialect.name != "sqlite":
            self._alone = self.connection.driver_connection
            self._alone.autocommit = True

    def close(self) -> None:
        """Give it back, which rolls back what was not committed."""
        if self._alone is not None and not self._alone.closed:
            try:
                self._alone.autocommit = False
            except self.dialect.loaded_dbapi.Error:  # it was left in the middle of a statement
                self.connection.invalidate()
                return
        self.connection.close()


Connection: TypeAlias = ManagedConnection | RawConnection
"""SQLAlchemy's connection, or the driver's alone: a statement takes either."""
