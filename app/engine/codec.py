"""States, events and views as JSON text, and back."""

from functools import cache
from typing import Any, Union

import msgspec

from app.engine.game import Event, Game, Record, Told

_encoder = msgspec.json.Encoder(order="deterministic")


@cache
def _state_decoder(state_type: type[Record]) -> msgspec.json.Decoder[Record]:
    return msgspec.json.Decoder(state_type)


@cache
def _told_decoder(event_types: tuple[type[Event], ...]) -> msgspec.json.Decoder[Any]:
    union: Any = Union[event_types]  # noqa: UP007 - the members are known at run time only
    return msgspec.json.Decoder(tuple[tuple[union, tuple[str, ...] | None], ...])


def dumps(record: Any) -> str:
    """Any record as JSON text, equal for equal records."""
    return _encoder.encode(record).decode()


def load_state(game: Game, text: str) -> Record:
    """The state that `dumps` wrote."""
    return _state_decoder(game.state_type).decode(text)


def dump_told(told: tuple[Told, ...]) -> str:
    """What was told, as JSON text."""
    return _encoder.encode([[one.event, one.to] for one in told]).decode()


def load_told(game: Game, text: str) -> tuple[Told, ...]:
    """What `dump_told` wrote."""
    return tuple(Told(event, to) for event, to in _told_decoder(game.event_types).decode(text))
