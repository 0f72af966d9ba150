"""Every statement is prepared on both databases against the migrated tables: its text, columns and types."""

import sqlite3
from datetime import datetime
from typing import get_args

import msgspec
import psycopg
import pytest

from app.store.sql import Command, Lock, Query, columns_of
from tests.store.statements import statements

STATEMENTS = statements()
NUMBERS = {"int2", "int4", "int8"}
TYPES = {
    bool: {"bool"},
    int: NUMBERS,
    float: {"float4", "float8", "numeric"},
    str: {"text", "varchar"},
    bytes: {"bytea"},
    datetime: {"timestamptz"},
}


@pytest.fixture
def raw(store):
    """The driver's own connection, which is rolled back."""
    lent = store.engine.raw_connection()
    yield lent.cursor()
    lent.rollback()
    lent.close()


def prepared(cursor, statement):
    """The columns that the database says the statement returns; on PostgreSQL each with its type."""
    if isinstance(cursor, psycopg.Cursor):
        text = statement.text("postgresql").replace("%%", "%")
        for n in range(text.count("%s")):
            text = text.replace("%s", f"${n + 1}", 1)
        pgconn = cursor.connection.pgconn
        made = pgconn.prepare(b"", text.encode())
        assert made.status == psycopg.pq.ExecStatus.COMMAND_OK, made.error_message.decode()
        found = pgconn.describe_prepared(b"")
        names = psycopg.adapters.types
        return [
            (found.fname(n).decode(), names[found.ftype(n)].name if names.get(found.ftype(n)) else "")
            for n in range(found.nfields)
        ]
    text = statement.text("sqlite")
    cursor.execute(f"EXPLAIN {text}", [None] * text.count("?"))
    if not isinstance(statement, Query):
        return []
    cursor.execute("BEGIN")
    cursor.execute("PRAGMA defer_foreign_keys = ON")
    cursor.execute(text, [1] * text.count("?"))
    columns = [(column[0], "") for column in cursor.description]
    cursor.execute("ROLLBACK")
    return columns


def type_of(hint):
    """The type of a field without None."""
    kinds = [one for one in get_args(hint) if one is not type(None)]
    return kinds[0] if kinds and type(None) in get_args(hint) else hint


def faults(cursor, statement):
    """What is wrong with the columns that a statement returns."""
    if isinstance(statement, Lock) and not isinstance(cursor, psycopg.Cursor):
        return  # SQL of PostgreSQL alone
    columns = prepared(cursor, statement)
    if not isinstance(statement, Query):
        if "RETURNING" in statement.sql:
            yield "a command returns rows that nobody reads"
        return
    fields = columns_of(statement.row)
    names = tuple(name for name, _ in columns)
    if len(names) != 1 if fields is None else names != fields:
        yield f"{fields} is not {names}"
        return
    hints = [statement.row] if fields is None else [one.type for one in msgspec.structs.fields(statement.row)]
    for hint, (name, kind) in zip(hints, columns, strict=True):
        if kind and kind not in TYPES.get(type_of(hint), {"text", "varchar"}):  # SQLite does not say
            yield f"{name} is {kind}, not {hint}"


def test_each_is_prepared_and_returns_the_fields_of_its_row(raw):
    found = [f"{name}: {fault}" for name, one in STATEMENTS.items() for fault in faults(raw, one)]
    assert not found, "\n".join(found)


def test_there_are_statements_of_every_room_with_data():
    assert {"people", "play", "store"} <= {name.split(".")[1] for name in STATEMENTS}


class Wrong(msgspec.Struct):
    id: str
    at: datetime


@pytest.mark.parametrize(
    "wrong",
    [
        Query(Wrong, "SELECT at, name AS id FROM heartbeat"),
        Query(Wrong, "SELECT name, at FROM heartbeat"),
        Query(str, "SELECT name, at FROM heartbeat"),
        Command("UPDATE heartbeat SET at = :at RETURNING name"),
    ],
    ids=["order", "names", "number", "returning"],
)
def test_what_is_wrong_is_found(raw, wrong):
    assert list(faults(raw, wrong))


def test_a_column_that_is_not_there_is_found(raw):
    with pytest.raises((AssertionError, sqlite3.OperationalError), match="nothing"):
        prepared(raw, Query(str, "SELECT nothing FROM heartbeat"))
