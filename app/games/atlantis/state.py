"""The state of a game, and small questions to it."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

from app.engine.game import Record, Seat
from app.games.atlantis.board import MAINLAND, RANK, VALUE
from app.games.atlantis.words import FIGURES, ITEMS, Cards, FigureName, Item, Tile

T = TypeVar("T")
Path: TypeAlias = tuple[tuple[Tile, ...], ...]
"""The stacks of the spaces, the visible tile first."""
Places: TypeAlias = tuple[int, ...]
"""Where a player's A, B and C stand."""

HELD = 0
SPENT = -1


class State(Record, frozen=True, tag="State"):
    """A game. The tuples without a key of their own run in the order of `seats`, which is the turn order."""

    seats: tuple[Seat, ...]
    path: Path
    """The stacks of spaces 1 to 53, the visible tile first. Empty ones before the first and after the
    last tile are gone, those between are water."""
    figures: tuple[Places, ...]
    """The spaces of A, B and C: 0 is Atlantis, 54 the mainland."""
    bridges: tuple[int, ...]
    """HELD, SPENT, or the first space of the gap that it covers."""
    hands: tuple[Cards, ...]
    won: tuple[tuple[Tile, ...], ...]
    """Collected tiles in the order of RANK."""
    draw: tuple[Item, ...]
    """Next card first."""
    discard: Cards
    turn: int
    step: Literal["buy", "go", "over"] = "buy"
    idle: int = 0
    """Turns in a row without a move or a card; -1 within a turn that drew the last card by buying."""
    short: tuple[int, ...] = ()
    """At the end: what each player could not pay."""

    def means(self, seat: int) -> int:
        """What a player could pay with all he has, in points. It is also what he would score."""
        return sum([VALUE[tile] for tile in self.won[seat]]) + sum(self.hands[seat])

    def home(self, seat: int) -> int:
        """How many of a player's figures have reached the mainland."""
        return self.figures[seat].count(MAINLAND)


def put(many: Sequence[T], at: int, one: T) -> tuple[T, ...]:
    """The many with one of them exchanged."""
    return (*many[:at], one, *many[at + 1 :])


def counted(cards: Iterable[str]) -> Cards:
    """How many there are of each item."""
    held = list(cards)
    return tuple(held.count(item) for item in ITEMS)


def listed(cards: Cards) -> tuple[Item, ...]:
    """The cards one by one, in the order of the items."""
    return tuple(item for item, count in zip(ITEMS, cards, strict=True) for _ in range(count))


def plus(cards: Cards, more: Iterable[str]) -> Cards:
    """The cards and more of them."""
    held = list(cards)
    for item in more:
        held[ITEMS.index(item)] += 1
    return tuple(held)


def minus(cards: Cards, fewer: Iterable[str]) -> Cards:
    """The cards without some that are among them."""
    held = list(cards)
    for item in fewer:
        held[ITEMS.index(item)] -= 1
    return tuple(held)


def ranked(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles in their order."""
    return tuple(sorted(tiles, key=RANK.__getitem__))


def out(figures: Places) -> tuple[FigureName, ...]:
    """The names of the figures that are not home."""
    return tuple(name for name, at in zip(FIGURES, figures, strict=True) if at != MAINLAND)
