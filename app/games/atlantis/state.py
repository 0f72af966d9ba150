"""The state of a game, and simple functions of its parts."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

from app.engine.game import Record, Seat
from app.games.atlantis.board import FIGURES, ITEMS, MAINLAND, RANK, VALUE, Cards, FigureName, Item, Tile

T = TypeVar("T")
Stacks: TypeAlias = tuple[tuple[Tile, ...], ...]
"""The tiles on each space, from space 1 on, the visible tile first."""
Places: TypeAlias = tuple[int, ...]
"""The spaces of a player's A, B and C."""

Bridging: TypeAlias = Literal["crossing", "any"]
"""Where a bridge may be laid: on a gap crossed by the same move, or on any gap before moving."""

HELD = 0
SPENT = -1


class State(Record, frozen=True, tag="State"):
    """The state of a game. All tuples for the seats are in the order of `seats`, the turn order."""

    seats: tuple[Seat, ...]
    path: Stacks
    """Spaces 1 to 53. Empty ones before the first tile and after the last are gone, others are water."""
    figures: tuple[Places, ...]
    """0 is Atlantis, 54 the mainland."""
    bridges: tuple[int, ...]
    """HELD, SPENT, or the first space of the bridged gap."""
    hands: tuple[Cards, ...]
    won: tuple[tuple[Tile, ...], ...]
    """Collected tiles in the order of RANK."""
    draw: tuple[Item, ...]
    """The next card first."""
    discard: Cards
    turn: int
    step: Literal["buy", "go", "over"] = "buy"
    idle: int = 0
    """Turns in a row without a move or a card. -1 within a turn that drew the last card by buying."""
    short: tuple[int, ...] = ()
    """At the end: the unpaid costs of each player."""
    bridging: Bridging = "crossing"
    """The option `bridges`."""

    def funds(self, seat: int) -> int:
        """The points of all tiles and cards of a player: the most they can pay, and their score."""
        return sum([VALUE[tile] for tile in self.won[seat]]) + sum(self.hands[seat])

    def home(self, seat: int) -> int:
        """The number of a player's figures on the mainland."""
        return self.figures[seat].count(MAINLAND)


def put(items: Sequence[T], index: int, item: T) -> tuple[T, ...]:
    """The items with the one at an index replaced."""
    return (*items[:index], item, *items[index + 1 :])


def counted(cards: Iterable[str]) -> Cards:
    """The number of cards of each item."""
    held = list(cards)
    return tuple(held.count(item) for item in ITEMS)


def listed(cards: Cards) -> tuple[Item, ...]:
    """The cards one by one, in the order of the items."""
    return tuple(item for item, count in zip(ITEMS, cards, strict=True) for _ in range(count))


def plus(cards: Cards, more: Iterable[str]) -> Cards:
    """The cards with more added."""
    held = list(cards)
    for item in more:
        held[ITEMS.index(item)] += 1
    return tuple(held)


def minus(cards: Cards, fewer: Iterable[str]) -> Cards:
    """The cards with some of them removed."""
    held = list(cards)
    for item in fewer:
        held[ITEMS.index(item)] -= 1
    return tuple(held)


def ranked(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles in the order of RANK."""
    return tuple(sorted(tiles, key=RANK.__getitem__))


def not_home(figures: Places) -> tuple[FigureName, ...]:
    """The names of the figures that are not on the mainland."""
    return tuple(name for name, at in zip(FIGURES, figures, strict=True) if at != MAINLAND)
