"""The board in numbers: areas, tiles, dice and resources (sections 1 and 3). The clock is in `clock`."""

KINDS = ("gem", "book", "provision", "tool", "weapon")
"""The kinds of resources, in the number order of the districts that they come from."""

AREAS = ("jewelers", "library", "inn", "works", "smith", "market")
"""The areas in the order of their die values 1 to 6. An area's index is its value less one."""

DISTRICTS = AREAS[:5]
MARKET = 5
"""The index of the market: the area without a tile."""

INDEX = {name: at for at, name in enumerate(AREAS)}
KIND_INDEX = {kind: at for at, kind in enumerate(KINDS)}

TILES = (
    ("J1", "J2", "J3"),
    ("L1", "L2", "L3"),
    ("I1", "I2", "I3"),
    ("E1", "E2", "E3"),
    ("B1", "B2", "B3"),
)
"""The tiles of each district."""

HOME = {tile: at for at, tiles in enumerate(TILES) for tile in tiles}
"""The district of each tile."""

DIE = (1, 2, 3, 4, 5, 6)

HITS = {
    "J1": (1, 3, 5),
    "J3": (6,),
    "L1": (5, 6),
    "I1": (1, 2, 3, 4),
    "B1": (2, 4, 6),
    "B3": (6,),
}
"""The tiles that roll, and the values on which their effect happens."""

SOURCE = {"J1": 0, "L3": 1, "B1": 4, "B3": MARKET}
"""The tiles that give one more resource, and the area that it comes from."""

IN_BOX = 12
"""Resources of each kind in the box."""
ON_MARKET = 3
"""Resources of each kind on the market at the start, and to which it is filled up later."""

FIRST_POINTS = 3
SECOND_POINTS = 1
TILE_POINTS = 3
SURVEY_POINTS = 1
GIFT_POINTS = 1

NEUTRAL = "neutral"
"""The third owner in a game of two."""


def on_district(seats: int) -> int:
    """Resources of its own kind on each district at the start."""
    return 9 if seats == 4 else 7


def dice_each(seats: int) -> int:
    """Dice that each player takes in a round; one of two players' three is the neutral player's."""
    return 3 if seats == 2 else 2


def dice_of(seats: int) -> int:
    """Dice in play: those that are taken, and one more."""
    return seats * dice_each(seats) + 1
