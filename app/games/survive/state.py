"""The state of a match: options, board, hands and step."""

from typing import Final

from app.engine.game import Record, Seat
from app.games.survive.moves import Orders

SETUP_STEPS: Final = ("explorers", "ships", "orders")
STEPS: Final = (*SETUP_STEPS, "play", "move", "sink", "board", "creature", "defend", "over")
ENDINGS: Final = ("volcano", "nobody_left", "submerged", "nobody_moved", "twelve_rounds")


class Variant(Record, frozen=True, tag="Variant"):
    """The options of a match as flags (rules, section 6)."""

    setup: str = "orders"
    two: bool = False
    """Two colours each."""
    rulebook: bool = False
    """Players don't see their own values after the set-up."""
    overpopulated: bool = False
    to_the_last: bool = False
    all_equal: bool = False
    submerged: bool = False
    hunters: bool = False
    isles: bool = False
    """A point for each different isle."""
    edition: int = 1
    """The edition of the rules that the match began with. The first edition was stored without it."""
    small_fleet: bool = False
    """With two colours each player places two ships, not four."""
    free_landing: bool = False
    """Going ashore on an isle is no water move."""

    @property
    def numbers_follow_spaces(self) -> bool:
        """Explorers placed from lists are numbered by their spaces, so that no number tells a value."""
        return self.edition > 1

    @property
    def values_in_drawn_order(self) -> bool:
        """Values to place are offered in a drawn order. The order is part of a question that was asked."""
        return self.edition > 1

    @property
    def winds_move_empty_ships(self) -> bool:
        """The winds may carry any empty ship, as they could in the first edition."""
        return self.edition == 1


class State(Record, frozen=True, tag="State"):
    """A state. Pieces are numbers, as in `board`; seats are numbers in turn order."""

    seats: tuple[Seat, ...]
    variant: Variant
    tiles: tuple[int, ...]
    """For each space of the island: 0 where it has sunk, else `tile(terrain, back)`."""
    where: tuple[int, ...]
    """For each explorer: a space, ON_SHIP or ON_ISLE and a number, LOST or UNPLACED."""
    worth: tuple[int, ...]
    """For each explorer its value, or 0 before it has one."""
    ships: tuple[int, ...]
    """The space of each ship, or -1."""
    creatures: tuple[int, ...]
    """The space of each creature, or -1."""
    appeared: tuple[int, int, int]
    """The highest number of a shark, a whale and a ship so far."""
    hands: tuple[tuple[str, ...], ...]
    """For each seat its tiles, in the order of `board.BACKS`."""
    kills: tuple[int, ...]
    """For each seat the number of opponents' explorers that it killed."""
    number: int = 1
    """Turns begun."""
    active: int = 0
    step: str = "move"
    points: int = 0
    water: int = 0
    """The explorers that have made their water move this turn, as bits."""
    die: str = ""
    attacker: int = -1
    """The creature whose attack waits for an answer, else -1."""
    asked: int = -1
    """The seat that may defend, else -1."""
    boarding: int = -1
    """The new ship that cannot take all swimmers, else -1."""
    orders: tuple[Orders | None, ...] = ()
    """For each seat its sealed placing list, until all are in."""
    stirred: bool = False
    """An explorer has moved this turn."""
    idle: int = 0
    """Turns in a row without land in which no explorer moved."""
    dry: int = 0
    """Turns begun without land."""
    ending: str = ""
    """Why the game is over, else empty."""
