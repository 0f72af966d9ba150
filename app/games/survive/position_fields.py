"""Typed reading of the fields of a position. Each reader raises the error that fits."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.engine.errors import BadPosition


def one_of(value: Any, known: Iterable[str], key: str) -> str:
    """A known name. Raises BadPosition."""
    if not isinstance(value, str) or value not in known:
        raise BadPosition("unknown_name", key=key, name=str(value))
    return value


def number(value: Any, key: str, most: int = 10_000) -> int:
    """A whole number from 0 on. Raises BadPosition."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise BadPosition("bad_value", key=key, value=str(value))
    return value


def mapping(value: Any, key: str, known: Iterable[str] | None = None) -> dict[str, Any]:
    """A map with known keys. None is read as an empty one. Raises BadPosition."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadPosition("bad_value", key=key, value=str(value))
    for name in value:
        if known is not None and name not in known:
            raise BadPosition("unknown_key", key=f"{key}.{name}" if key else str(name))
    return {str(name): inner for name, inner in value.items()}


def listing(value: Any, key: str) -> tuple[Any, ...]:
    """A list. None is read as an empty one, a word as a list of one. Raises BadPosition."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise BadPosition("bad_value", key=key, value=str(value))
    return tuple(value)


def given_in(values: Mapping[str, Any], key: str, default: Any) -> Any:
    """The value of a key, or the default if it is None or missing."""
    value = values.get(key)
    return default if value is None else value
