"""Moments on SQLite: numbers of microseconds since 1970. As text they would take three times the room."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def number_of(moment: datetime) -> int:
    """The number of an aware moment."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(number: int) -> datetime:
    """The moment of a number, in UTC."""
    return _EPOCH + timedelta(microseconds=number)
