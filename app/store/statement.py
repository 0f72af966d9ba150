"""SQL for the hot path: written once with `?`, prepared once, sent straight to the driver of either database.

An ORM session costs several times what the database does; a move and a page use this instead.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection


class Statement:
    """A statement and its texts for the drivers. Where it writes rows, `rows` repeats its last `(?, …)`."""

    def __init__(self, sql: str, after: str = "") -> None:
        self._sql = " ".join(sql.split())
        self._after = f" {after}" if after else ""
        self._texts: dict[tuple[str, int], str] = {}

    def _text(self, connection: Connection, rows: int) -> str:
        key = (connection.dialect.name, rows)
        if key not in self._texts:
            sql = self._sql
            if rows > 1:
                head, row = sql.rsplit("VALUES ", 1)
                sql = f"{head}VALUES {', '.join([row] * rows)}"
            sql += self._after
            self._texts[key] = sql if connection.dialect.name == "sqlite" else sql.replace("?", "%s")
        return self._texts[key]

    def fetch(self, connection: Connection, *values: Any) -> Sequence[Any]:
        """The rows it finds."""
        return connection.exec_driver_sql(self._text(connection, 1), values).fetchall()

    def run(self, connection: Connection, *values: Any) -> int:
        """How many rows it changed."""
        return connection.exec_driver_sql(self._text(connection, 1), values).rowcount

    def write(self, connection: Connection, rows: Sequence[Iterable[Any]]) -> int:
        """Write many rows by one statement; none without rows. How many were written."""
        if not rows:
            return 0
        values = tuple(value for row in rows for value in row)
        return connection.exec_driver_sql(self._text(connection, len(rows)), values).rowcount


def stored(connection: Connection, moment: datetime) -> Any:
    """A moment as the driver writes it. SQLite keeps text, in UTC, that sorts as time does."""
    if connection.dialect.name != "sqlite":
        return moment
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def moment(value: Any) -> datetime:
    """A moment as the driver read it, aware and in UTC."""
    if isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    assert isinstance(value, datetime)
    return value.astimezone(UTC)


def moment_or_none(value: Any) -> datetime | None:
    """As `moment`, where there may be none."""
    return None if value is None else moment(value)
