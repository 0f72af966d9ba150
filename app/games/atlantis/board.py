"""The components and the layout of the path, as data: another printing changes only this module.

Printed: 84 tiles in two halves, six of each item in each; 105 cards; the layout of the path. No source
counts the printed values, so they are a ruling: in each half an item has each value from 1 to 7 once, except
for one.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from app.engine.game import Seat

Item: TypeAlias = Literal["flag", "olive", "helmet", "pot", "ring", "crown", "statue"]
ITEMS: tuple[Item, ...] = get_args(Item)

FigureName: TypeAlias = Literal["A", "B", "C"]
FIGURES: tuple[FigureName, ...] = get_args(FigureName)

COLOURS: tuple[Seat, ...] = ("red", "blue", "white", "black")

Tile: TypeAlias = str
"""An item and its value: `flag3`."""

Piece: TypeAlias = str
"""Something to pay with: a tile, or a card written `card:flag`."""
CARD = "card:"

Cards: TypeAlias = tuple[int, ...]
"""The number of cards of each item, in the order of ITEMS."""

VALUES = range(1, 8)
MISSING: Mapping[str, Mapping[Item, int]] = {
    "A": {"flag": 7, "olive": 6, "helmet": 4, "pot": 1, "ring": 2, "crown": 5, "statue": 3},
    "B": {"flag": 1, "olive": 7, "helmet": 3, "pot": 6, "ring": 4, "crown": 2, "statue": 5},
}
"""The value that each item lacks in each half."""

HALVES: Mapping[str, tuple[Tile, ...]] = {
    half: tuple(f"{item}{value}" for item in ITEMS for value in VALUES if value != missing[item])
    for half, missing in MISSING.items()
}
"""The 42 tiles with each back."""

LAYOUT: tuple[tuple[str, int, int], ...] = (
    ("A", 10, 2),
    ("A", 10, 1),
    ("A", 6, 2),
    ("", 1, 0),
    ("B", 6, 2),
    ("B", 10, 1),
    ("B", 10, 2),
)
"""From Atlantis: the back, the number of spaces, and the number of tiles on each. No back: water."""

SPACES = sum(spaces for _, spaces, _ in LAYOUT)
ATLANTIS = 0
MAINLAND = SPACES + 1

CARDS_PER_ITEM = 15
FIRST_HAND = 4
"""Cards of the first seat. Each later seat gets one more."""

RANK: Mapping[Tile, int] = {
    f"{item}{value}": place * len(VALUES) + value for place, item in enumerate(ITEMS) for value in VALUES
}
"""The order of tiles: by item, then by value."""

ITEM: Mapping[Tile, Item] = {f"{item}{value}": item for item in ITEMS for value in VALUES}
VALUE: Mapping[Tile, int] = {f"{item}{value}": value for item in ITEMS for value in VALUES}
TILES_PER_ITEM = 12
"""In both halves together."""


def half_of(space: int) -> str:
    """The back of the tiles that the set-up puts on a space. Empty for the water."""
    for back, spaces, _ in LAYOUT:
        if space <= spaces:
            return back
        space -= spaces
    return ""
