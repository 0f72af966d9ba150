"""When all clocks stand still: outages, and the operator's stops. One row of JSON for the whole site."""

from app.store.connection import Connection
from app.store.sql import Command, Query

_read = Query(str, "SELECT stops FROM house WHERE id = 1")
_insert = Command("INSERT INTO house (id, stops) VALUES (1, '[]') ON CONFLICT (id) DO NOTHING")
_set = Command("UPDATE house SET stops = :stops WHERE id = 1 AND stops = :before")


def read(connection: Connection) -> str:
    """The stops, as JSON."""
    return _read.first(connection) or "[]"


def replace(connection: Connection, before: str, stops: str) -> bool:
    """Set the stops. False: they are no longer those of `before`; read again."""
    _insert.run(connection)
    return _set.run(connection, stops=stops, before=before) == 1
