"""A game of Atlandice at one moment. Areas, kinds and owners are kept by index."""

from app.engine.game import Record
from app.games.atlandice.board import MARKET, NEUTRAL
from app.games.atlandice.clock import CLOCKS, OLDEST, Clock
from app.games.atlandice.moves import Pair

Counts = tuple[int, ...]


class Effect(Record, frozen=True, tag="Effect"):
    """An effect that waits for the player's choice."""

    tile: str
    area: int
    """The area where it is carried out; with J3 the area that the roll led to."""
    owner: int
    """The owner that gains: the active seat or the neutral player."""
    before: tuple[int, ...]
    """The districts that held something before the visit."""


class State(Record, frozen=True, tag="State"):
    """The whole state. An owner is a seat or, with two seats, the neutral player after them."""

    seats: tuple[str, ...]
    piles: tuple[tuple[str, ...], ...]
    """Each district's tiles, top first; none: the district is gone."""
    stock: tuple[Counts, ...]
    """For each area the number of each kind."""
    owned: tuple[Counts, ...]
    """For each owner the number of each kind."""
    tiles: tuple[tuple[str, ...], ...]
    """For each owner, sorted."""
    points: Counts
    dice: Counts
    """Dice that lie at each area."""
    taken: Counts
    """Dice that each seat took this round."""
    served: tuple[bool, ...]
    """Two players: whether the seat gave the neutral player a die this round."""
    submarine: int | None
    """Its area; None: it is not in the game."""
    clock: int
    first: int
    turn: int
    step: str
    """visit, effect, donate or over"""
    effect: Effect | None = None
    gifts: tuple[tuple[Pair, ...] | None, ...] = ()
    """Step donate, if gifts are sealed: each seat's answer, None until it has answered."""
    donations: str = "sealed"
    """sealed or in_turn."""
    track: Clock = CLOCKS[OLDEST]
    """The clock that the match began with."""

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of all owners."""
        return owners_of(self.seats)


def owners_of(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The seats, and the neutral player where there are two."""
    return (*seats, NEUTRAL) if len(seats) == 2 else seats


def area_of(value: int, piles: tuple[tuple[str, ...], ...] | list[tuple[str, ...]]) -> int:
    """The area where a die of that value lies: the market if the district is gone."""
    at = value - 1
    return at if at < MARKET and piles[at] else MARKET
