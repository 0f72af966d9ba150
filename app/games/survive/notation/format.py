"""Canonical text of moves, and the clicks on the board that make them."""

from collections.abc import Callable
from typing import Any, Final

from app.engine.game import Move
from app.games.survive.board import CREATURE_ID, KIND_OF
from app.games.survive.moves import (
    Allow,
    Board,
    Climb,
    Defend,
    Dolphin,
    Done,
    Go,
    Hunt,
    Jump,
    Land,
    Lure,
    Orders,
    Pass,
    Place,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    Wind,
)


def _path(path: tuple[str, ...], to: str) -> str:
    return "-".join(path) if path else to


def list_of(move: Orders) -> str:
    """A placing list without its keyword, as in positions."""
    if move.random:
        return "random"
    wishes = "; ".join(" ".join((*_named(wish.colour), str(wish.value), *wish.tiles)) for wish in move.wishes)
    return " ".join(filter(None, (wishes, "ships" if move.ships else "", *move.ships)))


def _named(colour: str) -> tuple[str, ...]:
    return (colour,) if colour else ()


def tile_word(creature: str) -> str:
    """The tile that moves a creature of this kind."""
    return f"move-{KIND_OF[CREATURE_ID[creature]]}"


_TEXT: Final[dict[type[Move], Callable[[Any], str]]] = {
    Orders: lambda m: f"orders {list_of(m)}",
    Place: lambda m: " ".join(("place", *_named(m.colour), str(m.value), m.at)),
    PutShip: lambda m: f"ship {m.at}",
    PlaceRandom: lambda m: "ship random" if m.ship else "place random",
    Dolphin: lambda m: f"play dolphin {m.who} {_path(m.path, m.to)}",
    Wind: lambda m: f"play wind {m.ship} {_path(m.path, m.to)}",
    Lure: lambda m: f"play {tile_word(m.creature)} {m.creature} {m.to}",
    Go: lambda m: f"move {m.who}>{m.to}",
    Climb: lambda m: f"move {m.who}>{m.ship}",
    Jump: lambda m: f"move {m.who}>sea",
    Land: lambda m: f"move {m.who}>isle",
    Sail: lambda m: f"move {m.ship}>{m.to}",
    Sink: lambda m: f"sink {m.at}",
    Done: lambda _: "done",
    Board: lambda m: f"board {' '.join(m.who)}",
    Hunt: lambda m: f"creature {m.creature}>{_path(m.path, m.to)}",
    Pass: lambda _: "creature pass",
    Defend: lambda _: "defend",
    Allow: lambda _: "allow",
}

_CLICKS: Final[dict[type[Move], Callable[[Any], tuple[str, ...]]]] = {
    Place: lambda m: (m.at,),
    PutShip: lambda m: (m.at,),
    Dolphin: lambda m: ("own:dolphin", m.who, m.to),
    Wind: lambda m: ("own:wind", m.ship, m.to),
    Lure: lambda m: (f"own:{tile_word(m.creature)}", m.creature, m.to),
    Go: lambda m: (m.who, m.to),
    Climb: lambda m: (m.who, m.ship),
    Jump: lambda m: (m.who, m.at),
    Land: lambda m: (m.who, f"isle:{m.isle}"),
    Sail: lambda m: (m.ship, m.to),
    Sink: lambda m: (m.at,),
    Board: lambda m: m.who,
    Hunt: lambda m: (m.creature, m.to),
}


def written(move: Move) -> str:
    """The canonical text of a move."""
    return _TEXT[type(move)](move)


def click_path(move: Move) -> tuple[str, ...]:
    """The names to click, in order: pieces, spaces, `isle:NW`, hand tiles as `own:wind`.

    Values aren't among them, because clicks appear in addresses. Empty: a plain button.
    """
    clicks = _CLICKS.get(type(move))
    return clicks(move) if clicks else ()
