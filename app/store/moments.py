"""Moments on SQLite: numbers of microseconds since 1970. As text they would take three times the room."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import DateTime, Engine
from sqlalchemy.dialects import sqlite

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def number_of(moment: datetime) -> int:
    """The number of an aware moment."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(number: int) -> datetime:
    """The moment of a number, in UTC."""
    return _EPOCH + timedelta(microseconds=number)


def by_columns(engine: Engine) -> Engine:
    """The engine, for statements that SQLAlchemy makes from the columns of the tables of today.

    Statements of `app.store.sql` need nothing of it, and migrations meet tables of before.
    """
    if engine.dialect.name == "sqlite":
        engine.dialect.colspecs = {**engine.dialect.colspecs, DateTime: _MomentOfSQLite}
    return engine


class _MomentOfSQLite(sqlite.DATETIME):
    """SQLAlchemy's moments are naive and in UTC, or aware."""

    cache_ok = True

    def bind_processor(self, _dialect: Any) -> Callable[[datetime | None], int | None]:
        return lambda value: None if value is None else number_of(_aware(value))

    def result_processor(self, _dialect: Any, _kind: Any) -> Callable[[int | None], datetime | None]:
        return lambda value: None if value is None else moment_of(value).replace(tzinfo=None)


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
