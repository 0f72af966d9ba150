"""The path as a figure sees it: where a card leads, which gaps lie between and what they cost."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

import msgspec

from app.games.atlantis.board import ITEM, MAINLAND, VALUE
from app.games.atlantis.state import HELD, SPENT, Path, State
from app.games.atlantis.words import ITEMS, Cards, Item, Tile


class Gap(msgspec.Struct, frozen=True):
    """A run of water between two tiles, first and last space; `cost` is what crossing it costs unbridged."""

    first: int
    last: int
    cost: int
    bridged: bool

    @property
    def toll(self) -> int:
        """What crossing it costs now."""
        return 0 if self.bridged else self.cost


class Way:
    """One reading of a path and its bridges."""

    def __init__(self, path: Path, bridges: Sequence[int]) -> None:
        tops: list[Tile | None] = [None]
        tolls = [0]
        gaps: list[Gap] = []
        shown: dict[Item, list[int]] = {item: [] for item in ITEMS}
        value, water, total = 0, 0, 0
        for stack in path:
            if stack:
                before, value = value, VALUE[stack[0]]
                if water:
                    bridged = water in bridges
                    gap = Gap(water, len(tops) - 1, min(before, value), bridged)
                    gaps.append(gap)
                    total += 0 if bridged else gap.cost
                    water = 0
                shown[ITEM[stack[0]]].append(len(tops))
                tops.append(stack[0])
            else:
                if value and not water:
                    water = len(tops)
                tops.append(None)
            tolls.append(total)
        tolls.append(total)
        self.tops = tops
        """The visible tile of each space, None for water and what is gone."""
        self.gaps = gaps
        self._tolls = tolls
        self._shown = shown

    def cost(self, start: int, end: int) -> int:
        """What the gaps from one tile (or Atlantis) to a later one (or the mainland) cost now."""
        return self._tolls[end] - self._tolls[start]

    def crossed(self, start: int, end: int) -> tuple[Gap, ...]:
        """The gaps whose tolls `cost` adds up."""
        return tuple(gap for gap in self.gaps if start <= gap.last < end)

    def gap_at(self, space: int) -> Gap | None:
        """The gap that contains a space."""
        return next((gap for gap in self.gaps if gap.first <= space <= gap.last), None)

    def next(self, item: Item, start: int) -> int:
        """The nearest space ahead that shows the item, or the mainland where none does."""
        spaces = self._shown[item]
        ahead = bisect_right(spaces, start)
        return spaces[ahead] if ahead < len(spaces) else MAINLAND

    def free_behind(self, space: int, taken: Sequence[int]) -> int | None:
        """The nearest space behind that has a tile and no figure on it."""
        for behind in range(min(space, MAINLAND) - 1, 0, -1):
            if self.tops[behind] and behind not in taken:
                return behind
        return None

    def chains(
        self, start: int, hand: Cards, taken: Collection[int]
    ) -> list[tuple[tuple[Item, ...], tuple[int, ...]]]:
        """Every run of cards from the hand that ends on no taken space, and where each card lands.

        The mainland, which has room for all, is never taken.
        """
        found: list[tuple[tuple[Item, ...], tuple[int, ...]]] = []
        for place, item in enumerate(ITEMS):
            if hand[place]:
                lands = self.next(item, start)
                if lands not in taken:
                    found.append(((item,), (lands,)))
                else:
                    rest = (*hand[:place], hand[place] - 1, *hand[place + 1 :])
                    further = self.chains(lands, rest, taken)
                    found += [((item, *cards), (lands, *stops)) for cards, stops in further]
        return found


@lru_cache(maxsize=64)
def _read(path: Path, bridges: tuple[int, ...]) -> Way:
    return Way(path, bridges)


def way_of(state: State) -> Way:
    """The path of a state as figures see it; one reading serves the question and its answer."""
    return _read(state.path, state.bridges)


def settled(path: Path, bridges: Sequence[int]) -> tuple[int, ...]:
    """The bridges on a path with a tile less: each at its gap's first space, spent where the gap vanished."""
    lying = [space for space, stack in enumerate(path, 1) if stack]
    moved = []
    for bridge in bridges:
        if bridge in (HELD, SPENT):
            moved.append(bridge)
        elif not lying or not lying[0] < bridge < lying[-1]:
            moved.append(SPENT)
        else:
            moved.append(max(space for space in lying if space < bridge) + 1)
    return tuple(moved)
