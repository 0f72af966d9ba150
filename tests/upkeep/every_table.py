"""Two rows in every table, with a value of each kind in every column."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

MOMENT = datetime(2026, 3, 29, 0, 59, 59, 123456, tzinfo=UTC)
TEXT = "café, 亞特蘭蒂斯 · ژرف · 👩‍🚀 'quoted' \\ % :name"


def fill(connection):
    """Write the rows; each refers to the row of the same number in other tables."""
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(table.delete())
    for table in SQLModel.metadata.sorted_tables:
        for number in (1, 2):
            connection.execute(sa.insert(table), _row(table, number))


def _row(table, number):
    return {one.name: _value(one, number) for one in table.columns if one.computed is None}


def _value(column, number):
    if column.foreign_keys:
        return _value(next(iter(column.foreign_keys)).column, number)
    if isinstance(column.type, UTCDateTime | sa.DateTime):
        return MOMENT + timedelta(days=number)
    if isinstance(column.type, sa.Boolean):
        return number == 1
    if isinstance(column.type, sa.LargeBinary):
        return bytes(range(256)) * number
    if isinstance(column.type, sa.Integer):
        return number
    if isinstance(column.type, sa.Float | sa.Numeric):
        return number + 0.125
    return f"{TEXT} {number}"


def contents(connection):
    """Every row of every table, in the order of its key."""
    return {
        table.name: [
            tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key.columns))
        ]
        for table in SQLModel.metadata.sorted_tables
    }
