"""On SQLite a moment is a number of microseconds since 1970; as text it took three times the room."""

from collections.abc import Iterator

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

NUMBER = """CAST(strftime('%s', substr({0}, 1, 19)) AS INTEGER) * 1000000
            + CAST(substr({0} || '000000', 21, 6) AS INTEGER)"""
TEXT = "strftime('%Y-%m-%d %H:%M:%S', {0} / 1000000, 'unixepoch') || printf('.%06d', {0} % 1000000)"


def upgrade() -> None:
    _rewrite(NUMBER, written_as="text")


def downgrade() -> None:
    _rewrite(TEXT, written_as="integer")


def _rewrite(how: str, written_as: str) -> None:
    """Write each moment of each table anew. Other databases have a type for moments."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '% DATETIME%'"
    for (table,) in connection.exec_driver_sql(tables).all():
        changes = ", ".join(
            f"{column} = CASE WHEN typeof({column}) = '{written_as}' THEN {how.format(column)}"
            f" ELSE {column} END"
            for column in _moments(table)
        )
        connection.exec_driver_sql(f'UPDATE "{table}" SET {changes}')  # noqa: S608 - names of columns


def _moments(table: str) -> Iterator[str]:
    """The columns of a table that hold moments, without those that are computed."""
    for _, name, kind, *_ in op.get_bind().exec_driver_sql(f'PRAGMA table_info("{table}")').all():
        if kind == "DATETIME":
            yield name
