"""The vocabulary of Survive: the state and the moves. What is told and what is seen stands in `tidings`."""

from app.engine.game import Move, Record, Seat


class Variant(Record, frozen=True, tag="Variant"):
    """The options of a match (rules, section 6)."""

    setup: str = "orders"
    two: bool = False
    """Two colours each."""
    rulebook: bool = False
    """Own values are hidden after the set-up."""
    overpopulated: bool = False
    to_the_last: bool = False
    all_equal: bool = False
    submerged: bool = False
    hunters: bool = False
    isles: bool = False
    """A point for each different isle."""


class Wish(Record, frozen=True, tag="Wish"):
    """One explorer of a placing list: where it would stand, best first."""

    value: int
    tiles: tuple[str, ...]
    colour: str = ""
    """Only where a player has two."""


class Orders(Move, frozen=True, tag="Orders"):
    """A whole placing list, explorers in the order in which they are placed."""

    wishes: tuple[Wish, ...] = ()
    ships: tuple[str, ...] = ()
    """Sea spaces, best first."""
    random: bool = False
    """Leaves everything to chance."""


class Place(Move, frozen=True, tag="Place"):
    """Puts the next explorer of a colour on a tile."""

    value: int
    at: str
    colour: str = ""
    """Only where a player has two."""


class PutShip(Move, frozen=True, tag="PutShip"):
    """Puts the next ship on a sea space."""

    at: str


class PlaceRandom(Move, frozen=True, tag="PlaceRandom"):
    """Leaves one placing to chance: an explorer, or a ship."""

    ship: bool = False


class Dolphin(Move, frozen=True, tag="Dolphin"):
    """A swimmer is carried by a dolphin."""

    who: str
    to: str
    path: tuple[str, ...] = ()
    """The spaces entered, where given."""


class Wind(Move, frozen=True, tag="Wind"):
    """The winds carry a ship."""

    ship: str
    to: str
    path: tuple[str, ...] = ()
    """The spaces entered, where given."""


class Lure(Move, frozen=True, tag="Lure"):
    """A creature is put on a vacant sea space, by the tile that moves its kind."""

    creature: str
    to: str


class Go(Move, frozen=True, tag="Go"):
    """An explorer goes to the next space, on land or into the water."""

    who: str
    to: str


class Climb(Move, frozen=True, tag="Climb"):
    """An explorer boards a ship."""

    who: str
    ship: str


class Jump(Move, frozen=True, tag="Jump"):
    """An explorer jumps from its ship into the water; `at` is where that is."""

    who: str
    at: str


class Land(Move, frozen=True, tag="Land"):
    """An explorer goes ashore on a safe isle."""

    who: str
    isle: str


class Sail(Move, frozen=True, tag="Sail"):
    """A ship goes to the next sea space."""

    ship: str
    to: str


class Sink(Move, frozen=True, tag="Sink"):
    """Removes a terrain tile."""

    at: str


class Done(Move, frozen=True, tag="Done"):
    """Ends the movement where there is nothing to sink."""


class Board(Move, frozen=True, tag="Board"):
    """Names the three swimmers that a new ship takes up."""

    who: tuple[str, ...]


class Hunt(Move, frozen=True, tag="Hunt"):
    """Moves a creature of the kind that the die shows."""

    creature: str
    to: str
    path: tuple[str, ...] = ()
    """The spaces entered, where given."""


class Pass(Move, frozen=True, tag="Pass"):
    """Moves no creature."""


class Defend(Move, frozen=True, tag="Defend"):
    """Plays the defence tile."""


class Allow(Move, frozen=True, tag="Allow"):
    """Lets the attack have its way."""


MOVE_TYPES: tuple[type[Move], ...] = (
    *(Orders, Place, PutShip, PlaceRandom),
    *(Dolphin, Wind, Lure),
    *(Go, Climb, Jump, Land, Sail),
    *(Sink, Done, Board, Hunt, Pass, Defend, Allow),
)


class State(Record, frozen=True, tag="State"):
    """A game at one moment. Pieces are numbers, as in `board`; seats are their place in the turn order."""

    seats: tuple[Seat, ...]
    variant: Variant
    tiles: tuple[int, ...]
    """For each space of the island: 0 where it has sunk, else `tile(terrain, back)`."""
    where: tuple[int, ...]
    """For each explorer: a space, ON_SHIP or ON_ISLE and a number, LOST or UNPLACED."""
    worth: tuple[int, ...]
    """For each explorer its value; 0 as long as it has none."""
    ships: tuple[int, ...]
    """The space of each ship, or -1."""
    creatures: tuple[int, ...]
    """The space of each creature, or -1."""
    appeared: tuple[int, int, int]
    """The highest number of a shark, a whale and a ship so far."""
    hands: tuple[tuple[str, ...], ...]
    """For each seat its tiles, in the order of `board.BACKS`."""
    kills: tuple[int, ...]
    """For each seat the others' explorers that died by what it did."""
    number: int = 1
    """Turns begun."""
    active: int = 0
    step: str = "move"
    points: int = 0
    water: int = 0
    """The explorers that have made their water move in this turn, as bits."""
    die: str = ""
    attacker: int = -1
    """The creature whose harm waits for a defender, else -1."""
    asked: int = -1
    """The seat that may defend, else -1."""
    boarding: int = -1
    """The new ship that cannot take all swimmers, else -1."""
    orders: tuple[Orders | None, ...] = ()
    """For each seat its sealed placing list, until all are in."""
    stirred: bool = False
    """An explorer has moved in this turn."""
    idle: int = 0
    """Turns in a row without land in which no explorer moved."""
    dry: int = 0
    """Turns begun without land."""
    ending: str = ""
    """Why the game is over, else empty."""
