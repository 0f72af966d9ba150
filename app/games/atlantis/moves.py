"""The decisions of a player."""

from typing import TypeAlias

from app.engine.game import Move
from app.games.atlantis.board import FigureName, Item, Piece, Tile


class Buy(Move, frozen=True, tag="Buy"):
    """Return a collected tile to the box for cards."""

    tile: Tile


class Go(Move, frozen=True, tag="Go"):
    """Move a figure by playing cards in order."""

    figure: FigureName
    cards: tuple[Item, ...]
    bridge: int | None = None
    """A space of the gap to bridge. Canonical moves name its first space."""
    pay: tuple[Piece, ...] | None = None
    """None: the server chooses the payment that loses least."""


class Bridge(Move, frozen=True, tag="Bridge"):
    """Lay the bridge before moving. Only with the option `bridges: any`."""

    space: int
    """A space of the gap to bridge. Canonical moves name its first space."""


class Show(Move, frozen=True, tag="Show"):
    """Show a hand that allows no move."""


AtlantisMove: TypeAlias = Buy | Bridge | Go | Show
MOVES: tuple[type[Move], ...] = (Buy, Bridge, Go, Show)
