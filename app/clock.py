"""The only clock."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, aware, in UTC. Tests hold it by replacing this function's module attribute."""
    return datetime.now(UTC)
