"""Letters in the order of their writing, on SQLite: each of their indexes held the whole id of each row."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

BY_KEY = "WITHOUT ROWID"


def upgrade() -> None:
    _make_again(by_key=False)


def downgrade() -> None:
    _make_again(by_key=True)


def _make_again(*, by_key: bool) -> None:
    """Copy the table to one of the same columns, with its indexes. Other databases keep it as it is."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    table = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'letter'"
    made = str(connection.exec_driver_sql(table).scalar_one()).strip().removesuffix(BY_KEY)
    indexes = "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'letter' AND sql IS NOT NULL"
    again = [str(index) for (index,) in connection.exec_driver_sql(indexes)]
    columns = made[made.index("(") :]
    connection.exec_driver_sql(f"CREATE TABLE letter_again {columns} {BY_KEY if by_key else ''}")
    connection.exec_driver_sql("INSERT INTO letter_again SELECT * FROM letter ORDER BY created_at")
    connection.exec_driver_sql("DROP TABLE letter")
    connection.exec_driver_sql("ALTER TABLE letter_again RENAME TO letter")
    for index in again:
        connection.exec_driver_sql(index)
