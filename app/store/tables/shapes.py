"""Column and table arguments for both databases."""

from sqlalchemy import Index, false, text

KEY_IS_PLACE = {"sqlite_with_rowid": False}
"""SQLite keeps the rows in the order of their key: one page less to write at every move."""

ZERO = {"server_default": text("0")}
ONE = {"server_default": text("1")}
EMPTY = {"server_default": ""}
OFF = {"server_default": false()}
"""Defaults of columns, so that an INSERT may leave them out."""


def some(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of those rows only for which the condition holds."""
    rows = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)
