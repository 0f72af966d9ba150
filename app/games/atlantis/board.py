"""The pieces and how the path is laid: data, so that another printing is a matter of this module.

Printed: 84 tiles in two halves, six of each item in each; 105 cards; the layout of the path. A ruling,
because no source counts the printed values: in each half an item has each value from 1 to 7 once, but for
one that it lacks.
"""

from collections.abc import Mapping

from app.games.atlantis.words import ITEMS, Item, Tile

VALUES = range(1, 8)
MISSING: Mapping[str, Mapping[Item, int]] = {
    "A": {"flag": 7, "olive": 6, "helmet": 4, "pot": 1, "ring": 2, "crown": 5, "statue": 3},
    "B": {"flag": 1, "olive": 7, "helmet": 3, "pot": 6, "ring": 4, "crown": 2, "statue": 5},
}
"""The value that an item lacks in a half."""

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
"""From Atlantis: the back, how many spaces, how many tiles on each. The one without a back is water."""

SPACES = sum(spaces for _, spaces, _ in LAYOUT)
ATLANTIS = 0
MAINLAND = SPACES + 1

CARDS_PER_ITEM = 15
FIRST_HAND = 4
"""Cards of the first seat; each seat after it gets one more."""

RANK: Mapping[Tile, int] = {
    f"{item}{value}": place * len(VALUES) + value for place, item in enumerate(ITEMS) for value in VALUES
}
"""The order of tiles: by item, then by value."""

ITEM: Mapping[Tile, Item] = {f"{item}{value}": item for item in ITEMS for value in VALUES}
VALUE: Mapping[Tile, int] = {f"{item}{value}": value for item in ITEMS for value in VALUES}
TILES_PER_ITEM = 12
"""In both halves together."""


def half_of(space: int) -> str:
    """The back of the tiles that the set-up lays on a space; empty for the water."""
    for back, spaces, _ in LAYOUT:
        if space <= spaces:
            return back
        space -= spaces
    return ""
