"""Fields of a position, checked one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.errors import BadPosition
from app.games.atlandice.board import HOME, KIND_INDEX, KINDS


def mapping(given: Any, key: str, known: Sequence[str]) -> Mapping[str, Any]:
    """The field as a map with known keys only; None gives an empty one. Raises BadPosition."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadPosition("bad_value", key=key, value=str(given), known=tuple(known))
    for name in given:
        if name not in known:
            raise BadPosition("bad_key", key=f"{key}.{name}", known=tuple(known))
    return given


def items(given: Any, key: str) -> Sequence[Any]:
    """The field as a list; None gives an empty one. Raises BadPosition."""
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise BadPosition("bad_value", key=key, value=str(given), known=())
    return given


def number(given: Any, key: str, most: int | None = None) -> int:
    """The field as a number from 0 to `most`. Raises BadPosition."""
    if (
        isinstance(given, bool)
        or not isinstance(given, int)
        or given < 0
        or (most is not None and given > most)
    ):
        raise BadPosition("bad_number", key=key, value=str(given), most=most)
    return given


def tile_name(given: Any, key: str) -> str:
    """The field as the name of a tile. Raises BadPosition."""
    if not isinstance(given, str) or given not in HOME:
        raise BadPosition("bad_value", key=key, value=str(given or ""), known=tuple(HOME))
    return given


def kind_name(given: Any, key: str) -> str:
    """The field as the name of a kind. Raises BadPosition."""
    if not isinstance(given, str) or given not in KIND_INDEX:
        raise BadPosition("bad_value", key=key, value=str(given), known=KINDS)
    return given
