"""The map, the tiles and the numbers of Survive, as data.

A space has a number: its row times `WIDTH` plus its axial column, so that the six neighbours are fixed
distances away and a set of spaces is the bits of one integer (`near`). Numbers follow board order, A3 first.
"""

from collections import Counter
from typing import Final

WIDTH: Final = 14
"""Distance between rows: thirteen columns and an empty one, so that no step wraps around."""
SIZE: Final = 13 * WIDTH

_ROWS: Final = "ABCDEFGHIJKLM"
_COLUMNS: Final = (
    *((3, 9), (2, 11), (1, 11), (2, 11), (1, 11), (1, 12), (1, 11)),
    *((1, 12), (1, 11), (2, 11), (1, 11), (2, 11), (3, 9)),
)
_ISLAND: Final = {"D": (5, 8), "E": (4, 8), "F": (3, 10), "G": (3, 9), "H": (3, 10), "I": (4, 8), "J": (5, 8)}
HOLE: Final = "G6"


def _axial(row: int, column: int) -> tuple[int, int]:
    return column - 1 - (row + (row & 1)) // 2 - 2, row - 6


AXIAL: Final[dict[str, tuple[int, int]]] = {
    f"{letter}{column}": _axial(row, column)
    for row, (letter, (first, last)) in enumerate(zip(_ROWS, _COLUMNS, strict=True))
    for column in range(first, last + 1)
}
"""Axial coordinates (q, r) of every space; the middle, G6, is (0, 0); r grows southward, q eastward."""

ID: Final = {name: (r + 6) * WIDTH + q + 6 for name, (q, r) in AXIAL.items()}
NAME: Final[tuple[str, ...]] = tuple({n: name for name, n in ID.items()}.get(n, "") for n in range(SIZE))
SPACES: Final = tuple(AXIAL)
"""The names of the 133 spaces in board order."""
ISLAND: Final = tuple(
    name
    for name in SPACES
    if name != HOLE and _ISLAND.get(name[0], (0, 0))[0] <= int(name[1:]) <= _ISLAND.get(name[0], (0, 0))[1]
)
"""The names of the 40 spaces with terrain at the start, in board order."""

STEPS: Final = (-WIDTH, 1 - WIDTH, -1, 1, WIDTH - 1, WIDTH)
EVERYWHERE: Final = sum(1 << n for n in ID.values())
NEXT: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(n + step for step in STEPS if n + step >= 0 and EVERYWHERE >> n + step & 1) if NAME[n] else ()
    for n in range(SIZE)
)
"""The neighbours of each space, in board order."""
NEAR: Final[tuple[int, ...]] = tuple(sum(1 << n for n in around) for around in NEXT)
"""The same as bits."""
NEIGHBOURS: Final = {name: tuple(NAME[n] for n in NEXT[ID[name]]) for name in SPACES}

ISLES: Final = {"NW": ("B2", "C1"), "NE": ("B11", "C11"), "SW": ("K1", "L2"), "SE": ("K11", "L11")}
"""Each safe isle and the two sea spaces from which it is reached."""
ISLE_NAMES: Final = tuple(ISLES)
ISLE_OF: Final = {ID[name]: number for number, two in enumerate(ISLES.values()) for name in two}
"""The number of the isle that is reached from a space."""

TERRAINS: Final = ("beach", "forest", "mountain")
TERRAIN_COUNT: Final = {"beach": 16, "forest": 16, "mountain": 8}
_BACKS: Final = {
    "shark": (3, 2, 1),
    "whale": (3, 2, 0),
    "ship": (1, 3, 0),
    "whirlpool": (0, 2, 4),
    "volcano": (0, 0, 1),
    "dolphin": (3, 1, 0),
    "wind": (2, 0, 0),
    "move-serpent": (1, 1, 0),
    "move-shark": (1, 1, 0),
    "move-whale": (1, 1, 0),
    "shark-defence": (1, 1, 1),
    "whale-defence": (0, 2, 1),
}
BACKS: Final = tuple(_BACKS)
BACK_COUNT: Final = {
    terrain: Counter({back: counts[column] for back, counts in _BACKS.items()})
    for column, terrain in enumerate(TERRAINS)
}
"""How often each back occurs below each terrain."""
IMMEDIATE: Final = frozenset(BACKS[:5])
OWN_TURN: Final = frozenset(BACKS[5:10])
DEFENCES: Final = {"shark": "shark-defence", "whale": "whale-defence"}

COLOURS: Final = ("red", "yellow", "green", "blue")
TEAMS: Final = {"red": ("red", "green"), "yellow": ("yellow", "blue")}
"""The colours of each seat with `colours: two`."""
VALUES: Final = (1, 1, 1, 2, 2, 3, 3, 4, 5, 6)
EACH: Final = len(VALUES)
"""Explorers per colour."""
EXPLORERS: Final = tuple(f"{colour}{n}" for colour in COLOURS for n in range(1, EACH + 1))
EXPLORER_ID: Final = {name: n for n, name in enumerate(EXPLORERS)}

SHIPS: Final = tuple(f"ship{n}" for n in range(1, 13))
SHIP_ID: Final = {name: n for n, name in enumerate(SHIPS)}
SHIPS_EACH: Final = 2
"""Ships placed per colour in the set-up."""
ABOARD: Final = 3
"""Places on a ship."""

KINDS: Final = ("serpent", "shark", "whale")
DIE_FACES: Final = KINDS
"""The die has two faces of each kind, so each comes up as often as the others."""
FIRST_OF: Final = {"serpent": 0, "shark": 5, "whale": 11}
SUPPLY: Final = {"serpent": 5, "shark": 6, "whale": 5, "ship": 12}
RANGE: Final = {"serpent": 1, "shark": 2, "whale": 3}
"""How many sea spaces a creature can move by the die."""
CREATURES: Final = tuple(f"{kind}{n}" for kind in KINDS for n in range(1, SUPPLY[kind] + 1))
CREATURE_ID: Final = {name: n for n, name in enumerate(CREATURES)}
KIND_OF: Final = tuple(name.rstrip("0123456789") for name in CREATURES)
SERPENTS_AT: Final = ("B2", "C11", "K1", "L11", HOLE)

POINTS: Final = 3
"""Movement points of a turn."""
FAR: Final = 3
"""How many sea spaces a dolphin or the winds carry."""

# The place of an explorer is one number: a space (below SIZE), or one of these.
ON_SHIP: Final = 200
ON_ISLE: Final = 220
LOST: Final = -1
UNPLACED: Final = -2


def near(spaces: int) -> int:
    """The neighbours of a set of spaces, as bits. Includes spaces outside the board, to be masked out."""
    return (
        spaces << 1
        | spaces >> 1
        | spaces << WIDTH
        | spaces >> WIDTH
        | spaces << (WIDTH - 1)
        | spaces >> (WIDTH - 1)
    )
