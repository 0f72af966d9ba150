"""Statements of PostgreSQL that a connection has planned once: planning them each time took most of a move.

psycopg names the type of each value, and takes the smallest that holds an integer: the same statement was
another one for each size of a number and for each NULL, and was planned again for most of them. Here every
integer is a large one, and the types of other values are left open, as those of text are: PostgreSQL takes
them from the statement.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # ten megabytes, which a server on SQLite needs not read
    import psycopg

AFTER = 1
"""Times a connection executes a statement before it keeps its plan."""
MOST = 250
"""Statements that a connection keeps planned; the ones used longest ago go."""


def prepare(connection: "psycopg.Connection[Any]") -> None:
    """Let a connection keep the plans of its statements.

    PostgreSQL plans each five times for the values at hand, and goes on doing so where that is better.
    """
    for kind, dumper in _dumpers():
        connection.adapters.register_dumper(kind, dumper)
    connection.prepare_threshold, connection.prepared_max = AFTER, MOST


@cache
def _dumpers() -> tuple[tuple[type, type], ...]:
    """For each type of Python how its values are written.

    An integer has its type, or a number from outside that no column can hold would be an error, not a number
    that is not found.
    """
    from datetime import datetime

    from psycopg.types.bool import BoolDumper
    from psycopg.types.datetime import DatetimeDumper
    from psycopg.types.numeric import FloatDumper, Int8Dumper
    from psycopg.types.string import BytesBinaryDumper

    found: tuple[tuple[type, Any], ...] = (
        (bool, BoolDumper),
        (float, FloatDumper),
        (bytes, BytesBinaryDumper),
        (datetime, DatetimeDumper),
    )
    untyped = ((kind, type(f"Untyped{written.__name__}", (written,), {"oid": 0})) for kind, written in found)
    return ((int, Int8Dumper), *untyped)
