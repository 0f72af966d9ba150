"""Clock tracks: spaces, events, and how far the last die moves the hand (sections 3 and 5)."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from app.engine.game import Record
from app.games.atlandice.board import HOME, KINDS

ALL_KINDS = "all"
DONATION = "donation"
EVENTS = (*KINDS, ALL_KINDS, DONATION)
MARKET_TILE = "market"
"""The key of the market's value; the market has no tile."""


class Clock(Record, frozen=True, tag="Clock"):
    """One track. A match keeps its own, so that a correction changes no match that runs."""

    last: int
    """The space of the flood; the first space is 0."""
    events: tuple[tuple[int, str], ...]
    """Space and event, in the order of spaces: a kind is a survey of it."""
    values: tuple[tuple[str, int], ...]
    """Each tile, and the market, with the spaces that the last die there moves the hand."""

    def event(self, space: int) -> str | None:
        """The event of a space, or None."""
        return next((event for at, event in self.events if at == space), None)

    def value(self, tile: str) -> int:
        """How far the last die at a tile moves the hand; "market" for the market."""
        return next(value for name, value in self.values if name == tile)


def read_clocks(text: str) -> dict[str, Clock]:
    """The tracks of a data file by name, in its order. Raises ValueError that says what is wrong."""
    clocks = {table["name"]: _clock(table) for table in tomllib.loads(text)["clock"]}
    if not clocks:
        raise ValueError("there is no clock")
    return clocks


def _clock(table: Mapping[str, Any]) -> Clock:
    name, last = table["name"], table["last"]
    events = tuple(sorted((int(space), event) for space, event in table["events"].items()))
    for space, event in events:
        if event not in EVENTS:
            raise ValueError(f"clock {name}, space {space}: {event!r} is none of {', '.join(EVENTS)}")
        if not 0 < space < last:
            raise ValueError(f"clock {name}: space {space} is not between 0 and {last}")
    if set(table["values"]) != {*HOME, MARKET_TILE}:
        raise ValueError(f"clock {name}: it needs a value for each tile and the market, and no other")
    return Clock(last, events, tuple(sorted(table["values"].items())))


CLOCKS = read_clocks(resources.files(__package__).joinpath("clocks.toml").read_text(encoding="utf-8"))
OLDEST = tuple(CLOCKS)[-1]
"""The track of matches that began before tracks had names."""
