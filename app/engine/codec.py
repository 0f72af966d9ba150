"""States, events and views as JSON text, and back."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Union

import msgspec

from app.engine.game import Addressed, Event, Game, Record

_encoder = msgspec.json.Encoder(order="deterministic")


@cache
def _state_decoder(state_type: type[Record]) -> msgspec.json.Decoder[Record]:
    return msgspec.json.Decoder(state_type)


@cache
def _told_decoder(event_types: tuple[type[Event], ...]) -> msgspec.json.Decoder[Any]:
    union: Any = Union[event_types]  # noqa: UP007 - the members are known at run time only
    return msgspec.json.Decoder(tuple[tuple[union, tuple[str, ...] | None], ...])


def dumps(record: Any) -> str:
    """The JSON text of a record. Equal records give equal text."""
    return _encoder.encode(record).decode()


def load_state(game: Game, text: str) -> Record:
    """The state from the text that `dumps` gave."""
    state_type: type[Record] = game.state_type
    return _state_decoder(state_type).decode(text)


def dump_told(told: Iterable[Addressed]) -> str:
    """The JSON text of events and their audiences."""
    return _encoder.encode([[one.event, one.to] for one in told]).decode()


def load_told(event_types: tuple[type[Event], ...], text: str) -> tuple[Addressed, ...]:
    """The events from the text that `dump_told` gave."""
    return tuple(Addressed(event, to) for event, to in _told_decoder(event_types).decode(text))
