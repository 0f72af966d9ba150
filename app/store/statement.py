"""Statements with `?` and rows without names: used until all use `app.store.sql`; then this module goes."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import Engine

from app.store import sql as statements
from app.store.connection import Connection, RawConnection
from app.store.sql import Clash, is_key

__all__ = ["Clash", "RawConnection", "Statement", "Wire", "is_key", "moment", "moment_or_none", "stored"]

Wire: TypeAlias = Connection


class Statement:
    """A statement and its texts for the drivers. Where it writes rows, `rows` repeats its last `(?, …)`."""

    def __init__(self, sql: str, after: str = "") -> None:
        self._sql = " ".join(sql.split())
        self._after = f" {after}" if after else ""
        self._texts: dict[tuple[str, int], str] = {}

    def _text(self, connection: Wire | Engine, rows: int) -> str:
        key = (connection.dialect.name, rows)
        if key not in self._texts:
            sql = self._sql
            if rows > 1:
                head, row = sql.rsplit("VALUES ", 1)
                sql = f"{head}VALUES {', '.join([row] * rows)}"
            sql += self._after
            self._texts[key] = sql if connection.dialect.name == "sqlite" else sql.replace("?", "%s")
        return self._texts[key]

    def fetch(self, connection: Wire, *values: Any) -> Sequence[Any]:
        """The rows it finds, as tuples. Raises Clash."""
        rows: Sequence[Any] = self._execute(connection, 1, values).fetchall()
        return rows

    def fetch_outside_tx(self, engine: Engine, *values: Any) -> Sequence[Any]:
        """The rows it finds by itself, in no transaction, as plain tuples: for what every page asks first.

        SQLAlchemy lends its connection here and does nothing else, which would cost more than the select.
        """
        lent = engine.raw_connection()
        try:
            cursor = lent.cursor()
            cursor.execute(self._text(engine, 1), values)
            return cursor.fetchall()
        finally:
            lent.close()

    def run(self, connection: Wire, *values: Any) -> int:
        """How many rows it changed. Raises Clash."""
        return int(self._execute(connection, 1, values).rowcount)

    def write(self, connection: Wire, rows: Sequence[Iterable[Any]]) -> int:
        """Write many rows by one statement; none without rows. How many were written. Raises Clash."""
        if not rows:
            return 0
        values = tuple(value for row in rows for value in row)
        return int(self._execute(connection, len(rows), values).rowcount)

    def write_back(self, connection: Wire, rows: Sequence[Iterable[Any]]) -> Sequence[Any]:
        """As `write`, for one that gives something back for each row: that, as tuples. Raises Clash."""
        values = tuple(value for row in rows for value in row)
        found: Sequence[Any] = self._execute(connection, len(rows), values).fetchall() if rows else ()
        return found

    def _execute(self, connection: Wire, rows: int, values: Sequence[Any]) -> Any:
        text = self._text(connection, rows)
        if statements.watch is not None:
            statements.watch(text)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(text, values)
        except connection.dialect.loaded_dbapi.IntegrityError as error:
            raise Clash(str(error)) from error
        return cursor


def stored(connection: Wire, moment: datetime) -> Any:
    """A moment as the driver writes it. SQLite keeps text, in UTC, that sorts as time does."""
    if connection.dialect.name != "sqlite":
        return moment
    return moment.astimezone(UTC).isoformat(" ", "microseconds").removesuffix("+00:00")


def moment(value: Any) -> datetime:
    """A moment as the driver read it, aware and in UTC."""
    if isinstance(value, str):
        return datetime.fromisoformat(value + "+00:00")
    assert isinstance(value, datetime)
    return value.astimezone(UTC)


def moment_or_none(value: Any) -> datetime | None:
    """As `moment`, where there may be none."""
    return None if value is None else moment(value)
