"""SQL statements: values bound by name, rows returned as records. The one way to the data.

A statement is written once, as a constant of its module, with `:name` for each value. It goes straight to the
driver of either database: SQLAlchemy's results cost as much as the database itself. What the two databases
read or write differently (marks for values, moments, booleans, JSON) is decided here and nowhere else.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from sqlalchemy import Engine

from app.store.connection import Connection, RawConnection
from app.store.moments import moment_of, number_of

watch: Callable[[str], None] | None = None
"""Called with the text of every statement, for counting them."""

Row = TypeVar("Row")

_NAME = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")
_VALUES = re.compile(r"VALUES (\([^()]*\))")
_AS_IS = (str, int, float, bytes, NoneType)
"""Types that both drivers write as they are; bool is an int."""
_PLAIN = frozenset((*_AS_IS, bool))


class Clash(Exception):  # noqa: N818 - a fact
    """The row breaks a constraint: usually an equal one is there already."""


class Statement:
    """A statement with a name for each of its values, and its texts for both drivers."""

    def __init__(self, sql: str) -> None:
        self.sql = " ".join(sql.split())
        self._texts: dict[tuple[str, int], str] = {}
        found = _VALUES.search(self.sql)
        self._row = (found.start(1), found.end(1)) if found else (0, 0)
        head, row, tail = self._parts()
        self._before, self._in_row, self._after = (_NAME.findall(part) for part in (head, row, tail))
        self._order = (*self._before, *self._in_row, *self._after)
        self.names = frozenset(self._order)
        """Of its values."""

    def _parts(self) -> tuple[str, str, str]:
        begins, ends = self._row
        return self.sql[:begins], self.sql[begins:ends], self.sql[ends:]

    def text(self, dialect: str, rows: int = 1) -> str:
        """The text for the driver of a dialect. `rows`: how often `VALUES (…)` has its parentheses."""
        key = (dialect, rows)
        if key not in self._texts:
            head, row, tail = self._parts()
            sql = f"{head}{', '.join([row] * rows)}{tail}" if row else self.sql
            mark = "?"
            if dialect != "sqlite":
                mark, sql = "%s", sql.replace("%", "%%")
            self._texts[key] = _NAME.sub(mark, sql)
        return self._texts[key]

    def _values(self, dialect: str, records: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        """The values of one row, in the order of the marks. Raises TypeError for a name it does not have."""
        if not self.names.issuperset(named):
            raise TypeError(f"no such value: {', '.join(sorted(named.keys() - self.names))} in {self.sql}")
        written = _WRITERS[dialect]
        if records:
            values = [_found(name, records, named) for name in self._order]
        else:
            values = [named[name] for name in self._order]
        return [one if type(one) in _PLAIN else written(one) for one in values]

    def _many(self, dialect: str, rows: Sequence[Any], shared: dict[str, Any]) -> list[Any]:
        """The values of many rows. Each value is shared by all rows or an attribute of each."""
        assert self._in_row, f"without VALUES: {self.sql}"
        written = _WRITERS[dialect]
        common = {name: written(value) for name, value in shared.items()}
        values = [common[name] for name in self._before]
        for row in rows:
            values += [
                common[name] if name in common else written(getattr(row, name)) for name in self._in_row
            ]
        return values + [common[name] for name in self._after]

    def _execute(self, connection: Connection, rows: int, values: Sequence[Any]) -> Any:
        text = self.text(connection.dialect.name, rows)
        if watch is not None:
            watch(text)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(text, values)
        except connection.dialect.loaded_dbapi.IntegrityError as error:
            raise Clash(str(error)) from error
        return cursor


class Command(Statement):
    """A statement that changes rows and returns how many."""

    def run(self, connection: Connection, *records: Any, **named: Any) -> int:
        """Execute it with these values; those not named are attributes of the records. Raises Clash."""
        values = self._values(connection.dialect.name, records, named)
        return int(self._execute(connection, 1, values).rowcount)

    def write(self, connection: Connection, rows: Sequence[Any], **shared: Any) -> int:
        """Insert many rows by one statement, from attributes of each row and values shared by all.

        Nothing is executed without rows. Raises Clash.
        """
        if not rows:
            return 0
        values = self._many(connection.dialect.name, rows, shared)
        return int(self._execute(connection, len(rows), values).rowcount)


class Query(Statement, Generic[Row]):
    """A statement that returns rows, each as a record whose fields are its columns, in the same order.

    A row of one column may be a plain value: `Query(int, "SELECT id …")`. Fields of type datetime come back
    aware and in UTC, bool as bool; a field of any other composite type is decoded from JSON.
    """

    def __init__(self, row: type[Row], sql: str) -> None:
        super().__init__(sql)
        self.row = row
        self._readers: dict[str, Callable[[Sequence[Any]], Row]] = {}

    def all(self, connection: Connection, *records: Any, **named: Any) -> list[Row]:
        """All rows. Raises Clash where it is an INSERT … RETURNING."""
        values = self._values(connection.dialect.name, records, named)
        return self._read(connection.dialect.name, self._execute(connection, 1, values))

    def first(self, connection: Connection, *records: Any, **named: Any) -> Row | None:
        """The first row, or None."""
        return next(iter(self.all(connection, *records, **named)), None)

    def one(self, connection: Connection, *records: Any, **named: Any) -> Row:
        """The first row. Raises LookupError where there is none."""
        return self.all(connection, *records, **named)[0]

    def write(self, connection: Connection, rows: Sequence[Any], **shared: Any) -> list[Row]:
        """As `Command.write`, for INSERT … RETURNING: a record for each row written. Raises Clash."""
        if not rows:
            return []
        values = self._many(connection.dialect.name, rows, shared)
        return self._read(connection.dialect.name, self._execute(connection, len(rows), values))

    def fetch_outside_tx(self, engine: Engine, **named: Any) -> list[Row]:
        """All rows, read in no transaction: for what every page asks first.

        It borrows the driver's connection and nothing else, because SQLAlchemy's costs more than the select.
        """
        dialect = engine.dialect.name
        values = self._values(dialect, (), named)
        lent = RawConnection(engine, reads=True)
        try:
            cursor = lent.connection.cursor()
            cursor.execute(self.text(dialect), values)
            return self._read(dialect, cursor)
        finally:
            lent.close()

    def _read(self, dialect: str, cursor: Any) -> list[Row]:
        reader = self._readers.get(dialect)
        if reader is None:
            columns = tuple(column[0] for column in cursor.description)
            reader = self._readers[dialect] = _reader(self.row, columns, dialect)
        return [reader(row) for row in cursor.fetchall()]


class Lock(Statement):
    """SQL of PostgreSQL that waits for other writers and keeps later ones waiting until the commit.

    On SQLite it does nothing: a transaction that writes is alone there from its beginning.
    """

    def take(self, connection: Connection, **named: Any) -> None:
        """Wait for the lock."""
        dialect = connection.dialect.name
        if dialect != "sqlite":
            self._execute(connection, 1, self._values(dialect, (), named))


def is_key(number: int) -> bool:
    """Whether a number from outside can be the key of a row at all."""
    return 0 < number < 2**31


def columns_of(row: type[Any]) -> tuple[str, ...] | None:
    """The columns of a row's type, in order; None: one column of any name."""
    return tuple(row.__struct_fields__) if _is_record(row) else None


def _is_record(row: Any) -> bool:
    return isinstance(row, type) and issubclass(row, msgspec.Struct)


def _found(name: str, records: Iterable[Any], named: dict[str, Any]) -> Any:
    if name in named:
        return named[name]
    for record in records:
        if hasattr(record, name):
            return getattr(record, name)
    raise KeyError(name)


def _written_to_sqlite(value: Any) -> Any:
    """A value for SQLite, where a moment is a number: text would take three times the room."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, datetime):
        return number_of(value)
    return value if isinstance(value, _AS_IS) else msgspec.json.encode(value).decode()


def _written_to_postgresql(value: Any) -> Any:
    """A value for PostgreSQL."""
    if type(value) in _PLAIN or isinstance(value, (datetime, *_AS_IS)):
        return value
    return msgspec.json.encode(value).decode()


_WRITERS = {"sqlite": _written_to_sqlite, "postgresql": _written_to_postgresql}


def _reader(row: type[Row], columns: tuple[str, ...], dialect: str) -> Callable[[Sequence[Any]], Row]:
    """A function from a row of the driver to a record. Raises TypeError if the columns are not its fields."""
    fields = columns_of(row)
    if fields is None:
        if len(columns) != 1:
            raise TypeError(f"one column is wanted for {row}, not {columns}")
        return partial(_value, _converter(row, dialect))
    if fields != columns:
        raise TypeError(f"{row.__name__} has the fields {fields}, the statement the columns {columns}")
    hints = get_type_hints(row)
    found = ((n, _converter(hints[name], dialect)) for n, name in enumerate(fields))
    converters = tuple((n, convert) for n, convert in found if convert is not None)
    return partial(_record, row, converters) if converters else lambda values: row(*values)


def _value(convert: Callable[[Any], Any] | None, values: Sequence[Any]) -> Any:
    return values[0] if convert is None or values[0] is None else convert(values[0])


def _record(
    row: Callable[..., Row], converters: tuple[tuple[int, Callable[[Any], Any]], ...], values: Sequence[Any]
) -> Row:
    whole = list(values)
    for n, convert in converters:
        if whole[n] is not None:
            whole[n] = convert(whole[n])
    return row(*whole)


def _converter(kind: Any, dialect: str) -> Callable[[Any], Any] | None:
    """A function from the driver's value to that of a field; None: they are the same."""
    kind = getattr(kind, "__supertype__", kind)
    if get_origin(kind) in (Union, UnionType):
        kinds = [one for one in get_args(kind) if one is not NoneType]
        kind = kinds[0] if len(kinds) == 1 else Any
    if kind is datetime:
        return moment_of if dialect == "sqlite" else _moment_in_utc
    if kind is bool:
        return bool if dialect == "sqlite" else None
    if kind is Any or kind in _AS_IS:
        return None
    decode = msgspec.json.Decoder(kind).decode
    # An immutable value is decoded once for all rows with the same text.
    shared = get_origin(kind) is tuple or _is_record(kind)
    return lru_cache(maxsize=512)(decode) if shared else decode


def _moment_in_utc(value: datetime) -> datetime:
    return value.astimezone(UTC)
