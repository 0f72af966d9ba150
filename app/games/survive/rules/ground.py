"""Land, sea and teams, derived from the state and cached."""

from functools import lru_cache
from typing import Final

from app.engine.errors import IllegalMove
from app.engine.game import Seat
from app.games.survive.board import (
    BACKS,
    COLOURS,
    EACH,
    EVERYWHERE,
    EXPLORERS,
    ID,
    ISLAND,
    NEAR,
    TEAMS,
    TERRAINS,
    near,
)
from app.games.survive.state import State

ISLAND_ID: Final = tuple(ID[name] for name in ISLAND)
TILE_AT: Final = {space: n for n, space in enumerate(ISLAND_ID)}
"""The index in `State.tiles` of each island space."""


def tile(terrain: str, back: str) -> int:
    """A tile as one number, above 0."""
    return 1 + TERRAINS.index(terrain) * len(BACKS) + BACKS.index(back)


def terrain_of(code: int) -> str:
    """The terrain of a tile's number."""
    return TERRAINS[(code - 1) // len(BACKS)]


def back_of(code: int) -> str:
    """The back of a tile's number."""
    return BACKS[(code - 1) % len(BACKS)]


class Ground:
    """Land and sea as bits, and the tiles that can be sunk, in board order."""

    __slots__ = ("land", "left", "sea", "sinkable")

    def __init__(self, tiles: tuple[int, ...]) -> None:
        self.land = sum(1 << space for space, code in zip(ISLAND_ID, tiles, strict=True) if code)
        self.sea = EVERYWHERE & ~self.land
        kinds = [terrain_of(code) if code else "" for code in tiles]
        self.left = {terrain: kinds.count(terrain) for terrain in TERRAINS}
        current = next((terrain for terrain in TERRAINS if self.left[terrain]), "")
        spaces = [space for space, kind in zip(ISLAND_ID, kinds, strict=True) if current and kind == current]
        self.sinkable = tuple(space for space in spaces if NEAR[space] & self.sea) or tuple(spaces)


@lru_cache(maxsize=256)
def ground(tiles: tuple[int, ...]) -> Ground:
    """The ground of these tiles."""
    return Ground(tiles)


class Teams:
    """The colours and explorers of each seat. Seats are numbers in turn order."""

    __slots__ = ("colours", "members", "owner")

    def __init__(self, seats: tuple[Seat, ...], two: bool) -> None:
        self.colours = tuple(TEAMS[seat] if two else (seat,) for seat in seats)
        """For each seat its colours."""
        colour_owner = {colour: n for n, colours in enumerate(self.colours) for colour in colours}
        self.owner = tuple(colour_owner.get(COLOURS[n // EACH], -1) for n in range(len(EXPLORERS)))
        """For each explorer its seat, or -1."""
        self.members = tuple(
            tuple(n for n, owner in enumerate(self.owner) if owner == seat) for seat in range(len(seats))
        )
        """For each seat its explorers."""


@lru_cache(maxsize=64)
def teams(seats: tuple[Seat, ...], two: bool) -> Teams:
    """The teams of these seats in turn order."""
    return Teams(seats, two)


def seat_number(state: State, seat: Seat) -> int:
    """The seat's number in turn order. Raises IllegalMove for a seat that isn't in the match."""
    if seat not in state.seats:
        raise IllegalMove("not_at_the_table", seat=str(seat), seats=state.seats)
    return state.seats.index(seat)


@lru_cache(maxsize=8192)
def spaces_of(bits: int) -> tuple[int, ...]:
    """The spaces in a set of bits, in board order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


def reach(start: int, through: int, into: int, far: int) -> int:
    """The spaces reached in 1 to `far` steps through some spaces into others, without the start."""
    edge = 1 << start
    found = 0
    for _ in range(far):
        edge = near(edge) & into
        found |= edge
        edge &= through
    return found & ~(1 << start)


def route(start: int, to: int, through: int, far: int) -> tuple[int, ...]:
    """The shortest path, without its start; the first in board order of several. Empty if none."""
    target = 1 << to
    levels = [1 << start]
    while not near(levels[-1]) & target:
        if len(levels) == far:
            return ()
        levels.append(near(levels[-1]) & through)
    path = [to]
    for level in reversed(levels[1:]):
        path.append(spaces_of(level & NEAR[path[-1]])[0])
    return tuple(reversed(path))
