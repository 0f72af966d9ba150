"""Databases of earlier versions: rows in each table as it was then, and what they hold before and after."""

import hashlib
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

FROM = 1001
"""The number of the first row; a database may have others below."""
MOMENT = datetime(2026, 1, 31, 7, 5, 9, 250000, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NUMBERED = "0024"
"""From here on SQLite's moments are numbers."""
ALONE = frozenset({"house", "relay", "alembic_version"})
"""Tables of one row, which is there."""
OCCASIONS = {
    "asked": "3",
    "late": "3 default_move",
    "timed_out": "4 lose",
    "nudge": "3 red",
    "answered": "1001",
    "expired": "1002",
    "seat_offer": "still",
    "reminder": "1001",
    "digest": "2026-03-01T08:00+00:00",
    "away": "1001",
    "address": "new@example.org",
    "address_changed": "old@example.org",
    "reply": "mail 1001",
    "reply_confirm": "mail 1002",
    "over": "",
}
"""Of each kind of letter how it wrote what it was about, before that had columns."""
KINDS = tuple(OCCASIONS)
MOMENTS = frozenset({"DATETIME", "TIMESTAMP"})
"""The types of columns that hold moments, as the two databases call them."""
WRITTEN = {
    "address": "ann{n}@example.org",
    "address_key": "ann{n}@example.org",
    "mailbox": "ann{n}@example.org",
    "to_address": "new{n}@example.org",
    "sent_to": "ann{n}@example.org",
    "name": "Ann {n} · ژرف",
    "language": "en",
    "zone": "Europe/Berlin",
    "game": "survive",
    "what": "extended",
    "facts": '{{"days": {n}}}',
    "purpose": "turn",
    "clock": '{{"kind": "none"}}',
}
LISTS = frozenset({"stops", "away", "told", "results", "lines"})
OBJECTS = frozenset({"options", "words", "state", "barrier_state", "votes"})
STATUSES = {"match": ("over", "called_off"), "invitation": ("accepted", "declined")}


class Tables:
    """The tables of a database as they are now."""

    def __init__(self, connection):
        found = sa.MetaData()
        found.reflect(connection)
        self._sqlite = connection.dialect.name == "sqlite"
        self._tables = [table for table in found.sorted_tables if table.name != "alembic_version"]
        self.shape = {
            table.name: {
                one.name: (str(one.type), not one.nullable and one.server_default is None)
                for one in table.columns
            }
            for table in self._tables
        }
        """Of each table its columns: their types, and whether a row must name them."""

    def fill(self, connection, version):
        """Write rows into each table: two, and of letters one for each kind."""
        for table in self._tables:
            if table.name in ALONE:
                continue
            moments = self._moments(table, sa.BigInteger() if version >= NUMBERED else sa.Text())
            for n in range(FROM, FROM + (len(KINDS) if table.name == "letter" else 2)):
                row = {one.name: _value(table, one, n) for one in table.columns if one.computed is None}
                for name in moments & row.keys():
                    at = MOMENT + timedelta(days=n - FROM)
                    row[name] = _stored(at, version) if self._sqlite else at
                connection.execute(sa.insert(table), row)

    def contents(self, connection):
        """Every row of each table but `question`, by its key, in values that all versions share."""
        found = {}
        for table in self._tables:
            if table.name == "question":
                continue
            moments = self._moments(table, sa.types.NullType())
            rows = connection.execute(sa.select(table)).mappings()
            plain = ({name: _plain(value, name in moments) for name, value in row.items()} for row in rows)
            found[table.name] = {tuple(row[one.name] for one in table.primary_key): row for row in plain}
        return found

    def _moments(self, table, stored):
        """The columns of moments; on SQLite they are read and written as they are stored, as this type."""
        found = {one for one in self.shape[table.name] if self.shape[table.name][one][0] in MOMENTS}
        if self._sqlite:
            for name in found:
                table.columns[name].type = stored
        return found


def _stored(at, version):
    return (at - EPOCH) // timedelta(microseconds=1) if version >= NUMBERED else f"{at:%Y-%m-%d %H:%M:%S.%f}"


def _plain(value, is_moment):
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if is_moment and isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    if is_moment and isinstance(value, int):
        return EPOCH + timedelta(microseconds=value)
    return value


def _value(table, column, n):
    if column.foreign_keys:
        return n if n < FROM + 2 else FROM
    return _of_kind(table.name, column.name, column.type, n)


def _of_kind(table, name, kind, n):
    if isinstance(kind, sa.Boolean):
        return n == FROM
    if isinstance(kind, sa.LargeBinary):
        return hashlib.sha256(f"{table} {name} {n}".encode()).digest()
    if isinstance(kind, sa.Integer):
        return n
    if isinstance(kind, sa.Float | sa.Numeric):
        return n + 0.125
    return _text(table, name, n)


def _text(table, name, n):
    if table == "letter" and name in ("kind", "about"):
        kind = KINDS[n - FROM]
        return kind if name == "kind" else OCCASIONS[kind]
    if name == "status" and table in STATUSES:
        return STATUSES[table][n - FROM]
    if name in ("hash", "token_hash"):
        return hashlib.sha256(f"{table} {n}".encode()).hexdigest()
    if name in LISTS:
        return "[]"
    if name in OBJECTS:
        return "{}"
    return WRITTEN.get(name, f"{name} {{n}}").format(n=n)
