"""Moves, kinds of questions and reasons of refusal (sections 7 and 9)."""

from app.engine.game import Move

Kinds = tuple[str, ...]
Pair = tuple[str, str]


class Visit(Move, frozen=True, tag="Visit"):
    """Take a die from the area, and what lies there: one resource, two with the submarine, or none."""

    area: str
    kinds: Kinds
    neutral: bool = False
    """Two players: the die is the neutral player's."""


class Take(Move, frozen=True, tag="Take"):
    """Take more from the area that the effect names."""

    kinds: Kinds
    area: str


class Fetch(Move, frozen=True, tag="Fetch"):
    """Take a resource from another area (L1)."""

    kind: str
    area: str


class Swap(Move, frozen=True, tag="Swap"):
    """Swap a resource at the jewelers with another one that lies at the area (J2)."""

    kind: str
    other: str
    area: str


class Put(Move, frozen=True, tag="Put"):
    """Move a resource from one area to another (L2, I2, B2)."""

    kind: str
    origin: str
    to: str


class Die(Move, frozen=True, tag="Die"):
    """Give a die that lies at the area another value (I3)."""

    area: str
    value: int


class Submarine(Move, frozen=True, tag="Submarine"):
    """Move the submarine (E1, E2, E3)."""

    area: str


class Donate(Move, frozen=True, tag="Donate"):
    """Give pairs of resources for a point each, or nothing."""

    pairs: tuple[Pair, ...] = ()


MOVES: tuple[type[Move], ...] = (Visit, Take, Fetch, Swap, Put, Die, Submarine, Donate)

EFFECT_ASKS = {
    "J1": "more",
    "L3": "more",
    "B1": "more",
    "B3": "market",
    "J2": "swap",
    "J3": "led",
    "L1": "fetch",
    "L2": "to_market",
    "I2": "from_market",
    "B2": "away",
    "I3": "die",
    "E1": "submarine",
    "E2": "submarine",
    "E3": "submarine",
}
"""The question of each tile whose effect leaves a choice."""

ASKS: tuple[str, ...] = ("visit", *dict.fromkeys(EFFECT_ASKS.values()), "donate")
