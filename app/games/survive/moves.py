"""The moves of Survive."""

from app.engine.game import Move, Record


class Wish(Record, frozen=True, tag="Wish"):
    """One explorer of a placing list: where it would stand, best first."""

    value: int
    tiles: tuple[str, ...]
    colour: str = ""
    """Empty unless a player has two colours."""


class Orders(Move, frozen=True, tag="Orders"):
    """A complete placing list, explorers in the order of placing."""

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
    """Empty unless a player has two colours."""


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
    """The spaces entered. Empty: the server finds a path."""


class Wind(Move, frozen=True, tag="Wind"):
    """The winds carry a ship."""

    ship: str
    to: str
    path: tuple[str, ...] = ()
    """The spaces entered. Empty: the server finds a path."""


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
    """An explorer jumps from its ship into the water at `at`."""

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
    """The spaces entered. Empty: the server finds a path."""


class Pass(Move, frozen=True, tag="Pass"):
    """Moves no creature."""


class Defend(Move, frozen=True, tag="Defend"):
    """Plays the defence tile."""


class Allow(Move, frozen=True, tag="Allow"):
    """Lets the attack happen."""


MOVE_TYPES: tuple[type[Move], ...] = (
    *(Orders, Place, PutShip, PlaceRandom),
    *(Dolphin, Wind, Lure),
    *(Go, Climb, Jump, Land, Sail),
    *(Sink, Done, Board, Hunt, Pass, Defend, Allow),
)
WALKS: tuple[type[Move], ...] = (Go, Climb, Jump, Land, Sail)
"""Moves of one piece by one space, for a point each."""
