"""The connections that statements go through."""

from typing import Any, TypeAlias

from sqlalchemy import Connection as ManagedConnection
from sqlalchemy import Engine


class RawConnection:
    """The driver's own connection as the pool lends it, with all that a statement needs."""

    __slots__ = ("connection", "dialect", "info")

    def __init__(self, engine: Engine) -> None:
        self.connection = engine.raw_connection()
        self.dialect = engine.dialect
        self.info: dict[Any, Any] = {}


Connection: TypeAlias = ManagedConnection | RawConnection
"""SQLAlchemy's connection, or the driver's alone: a statement takes either."""
