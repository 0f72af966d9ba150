"""Rows in bulk: copies of real rows with other keys, made by the database itself."""

# ruff: noqa: S608 - names of columns come from the tables, numbers from the bench

from typing import Any

from sqlmodel import SQLModel

from app.store.connection import Connection

SERIES = "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {many})"


def copies(connection: Any, table: str, where: str, many: int, **changed: str) -> None:
    """Insert so many copies of each row that `where` finds in `t`.

    `changed` has an SQL expression for each column that differs; `n` in it is the number of the copy, from 1.
    """
    columns = [one.name for one in SQLModel.metadata.tables[table].columns if one.computed is None]
    unknown = changed.keys() - set(columns)
    if unknown:
        raise LookupError(f"{table} has no {', '.join(unknown)}")
    kept = [name for name in columns if name != "id" or "id" in changed]
    values = ", ".join(changed.get(name, f"t.{name}") for name in kept)
    names = ", ".join(kept)
    connection.exec_driver_sql(
        f'INSERT INTO "{table}" ({names}) {SERIES.format(many=many)} '
        f'SELECT {values} FROM "{table}" t, series WHERE {where}'
    )


def largest(connection: Connection, table: str, column: str = "id") -> int:
    """The largest key of a table, 0 if it is empty."""
    cursor = connection.connection.cursor()
    cursor.execute(f'SELECT COALESCE(MAX({column}), 0) FROM "{table}"')
    return int(cursor.fetchall()[0][0])
