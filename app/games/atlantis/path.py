"""The path as figures see it: landings of cards, and gaps with their costs."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

import msgspec

from app.games.atlantis.board import ITEM, ITEMS, MAINLAND, VALUE, Cards, Item, Tile
from app.games.atlantis.state import HELD, SPENT, Stacks, State


class Gap(msgspec.Struct, frozen=True):
    """A run of water between two tiles, from its first to its last space."""

    first: int
    last: int
    cost: int
    """The price of crossing it without a bridge."""
    bridged: bool

    @property
    def toll(self) -> int:
        """The price of crossing it now."""
        return 0 if self.bridged else self.cost


class Path:
    """The stacks of a path and the bridges on it, indexed."""

    def __init__(self, stacks: Stacks, bridges: Sequence[int]) -> None:
        tops: list[Tile | None] = [None]
        tolls = [0]
        gaps: list[Gap] = []
        shown: dict[Item, list[int]] = {item: [] for item in ITEMS}
        value, water, total = 0, 0, 0
        for stack in stacks:
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
        """The visible tile of each space, None for water and vanished spaces."""
        self.gaps = gaps
        self._tolls = tolls
        self._shown = shown

    def cost(self, start: int, end: int) -> int:
        """The tolls between two tiles, Atlantis and the mainland included as ends."""
        return self._tolls[end] - self._tolls[start]

    def crossed(self, start: int, end: int) -> tuple[Gap, ...]:
        """The gaps between two tiles: `cost` is the sum of their tolls."""
        return tuple(gap for gap in self.gaps if start <= gap.last < end)

    def gap_at(self, space: int) -> Gap | None:
        """The gap that contains a space."""
        return next((gap for gap in self.gaps if gap.first <= space <= gap.last), None)

    def next(self, item: Item, start: int) -> int:
        """The nearest space ahead that shows the item, or the mainland."""
        spaces = self._shown[item]
        ahead = bisect_right(spaces, start)
        return spaces[ahead] if ahead < len(spaces) else MAINLAND

    def free_behind(self, space: int, taken: Sequence[int]) -> int | None:
        """The nearest space behind that has a tile and no figure."""
        for behind in range(min(space, MAINLAND) - 1, 0, -1):
            if self.tops[behind] and behind not in taken:
                return behind
        return None

    def chains(
        self, start: int, hand: Cards, taken: Collection[int]
    ) -> list[tuple[tuple[Item, ...], tuple[int, ...]]]:
        """Every legal sequence of cards from the hand, with the landing of each card.

        The last card lands on a free space or the mainland, all others on taken spaces.
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
def _indexed(stacks: Stacks, bridges: tuple[int, ...]) -> Path:
    return Path(stacks, bridges)


def path_of(state: State) -> Path:
    """The path of a state. Cached, because listing moves and applying one both need it."""
    return _indexed(state.path, state.bridges)


def settle_bridges(stacks: Stacks, bridges: Sequence[int]) -> tuple[int, ...]:
    """The bridges after a tile was taken: at the first space of their gap, SPENT if the gap vanished."""
    lying = [space for space, stack in enumerate(stacks, 1) if stack]
    settled = []
    for bridge in bridges:
        if bridge in (HELD, SPENT):
            settled.append(bridge)
        elif not lying or not lying[0] < bridge < lying[-1]:
            settled.append(SPENT)
        else:
            settled.append(max(space for space in lying if space < bridge) + 1)
    return tuple(settled)
