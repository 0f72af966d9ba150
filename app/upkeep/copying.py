"""All rows of one database in another, whichever kind the two are."""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine, Table, func, insert, select, text
from sqlmodel import SQLModel

from app.store import session
from app.store import tables as _tables  # noqa: F401 - the metadata must know them
from app.store.moments import by_columns

ROWS = 500
"""Rows read and written at a time; below SQLite's limit of values in the widest table."""
REMADE = frozenset({"picture"})
"""Tables whose rows are made again when they are wanted."""
GUARDED = ("player", "match", "invitation", "letter", "incoming")
"""Tables without a row where nobody has played yet."""


class Differs(Exception):  # noqa: N818 - told to who typed the command
    """A table has more rows, or fewer, in one of the two databases."""


def connect(url: str) -> Engine:
    """An engine on a database to copy from or to."""
    return by_columns(session.connect(url))


def tables() -> list[Table]:
    """Every table that is copied, each behind those that it refers to."""
    return [table for table in SQLModel.metadata.sorted_tables if table.name not in REMADE]


def leave_out(connection: Connection) -> None:
    """Delete the rows that are made again when they are wanted."""
    for name in REMADE:
        connection.execute(SQLModel.metadata.tables[name].delete())


def is_unused(connection: Connection) -> bool:
    """Whether nothing has happened here since the tables were made."""
    found = SQLModel.metadata.tables
    return not any(
        connection.execute(select(func.count()).select_from(found[one])).scalar() for one in GUARDED
    )


def counts(connection: Connection) -> dict[str, int]:
    """How many rows each copied table has."""
    return {
        table.name: int(connection.execute(select(func.count()).select_from(table)).scalar_one())
        for table in tables()
    }


def copy(source: Connection, target: Connection) -> dict[str, int]:
    """Write the rows of the source into the target, in whose tables nothing has happened yet; count them.

    Both have tables of the same, newest form. The caller's transactions decide what is seen and what stays.
    Raises Differs where the target has not the same number of rows in the end.
    """
    for table in reversed(tables()):
        target.execute(table.delete())
    for table in tables():
        for rows in _rows(source, table):
            target.execute(insert(table), rows)
        _count_on(target, table)
    wanted, found = counts(source), counts(target)
    if wanted != found:
        wrong = [
            f"{name}: {wanted[name]} and {found[name]}" for name in wanted if wanted[name] != found[name]
        ]
        raise Differs(f"not every row was copied ({'; '.join(wrong)})")
    return found


def _rows(source: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    # In the order of the key, so that a row that refers to an earlier one of its table finds it.
    written = (column for column in table.columns if column.computed is None)
    chosen = select(*written).order_by(*table.primary_key.columns)
    result = source.execute(chosen, execution_options={"yield_per": ROWS})
    for rows in result.mappings().partitions():
        yield [dict(row) for row in rows]


def _count_on(target: Connection, table: Table) -> None:
    """Let PostgreSQL's next number of the table be above those of the copied rows."""
    if target.dialect.name != "postgresql":
        return
    name = target.dialect.identifier_preparer.format_table(table)
    for column in table.primary_key.columns:
        sequence = target.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"), {"table": name, "column": column.name}
        ).scalar()
        if sequence is not None:
            last = target.execute(select(func.max(column))).scalar()
            target.execute(
                text("SELECT setval(CAST(:sequence AS regclass), :last, :used)"),
                {"sequence": sequence, "last": last or 1, "used": last is not None},
            )
