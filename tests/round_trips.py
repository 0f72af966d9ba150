"""Messages to PostgreSQL whose answers are waited for: what a request costs, on every machine alike.

On SQLite there are none.
"""

import tempfile
from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from app.store.session import Store


class RoundTrips:
    """Counts them, in all connections that a store opens from now on."""

    def __init__(self, store: Store) -> None:
        self._connections: list[Any] = []
        store.engine.dispose()

        @event.listens_for(store.engine, "connect")
        def _note(connection: Any, _record: Any) -> None:
            if hasattr(connection, "pgconn"):
                self._connections.append(connection)

    def of(self, act: Callable[[], object]) -> int:
        """How many answers come while `act` runs. It should have run before: what is new costs more."""
        self._connections = [one for one in self._connections if not one.closed]
        with tempfile.TemporaryFile() as file:
            for one in self._connections:
                one.pgconn.trace(file.fileno())
            act()
            for one in self._connections:
                one.pgconn.untrace()
            file.seek(0)
            return file.read().count(b"\tReadyForQuery\t")
