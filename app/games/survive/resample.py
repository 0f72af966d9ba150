"""Draws states that a seat can't tell from the real one (rules, section 8)."""

from collections import Counter
from typing import Final

import msgspec

from app.engine.chance import Chance
from app.engine.game import Seat
from app.games.survive.board import BACK_COUNT, BACKS, EACH, EXPLORERS, IMMEDIATE, NAME, TERRAINS, VALUES
from app.games.survive.moves import Orders, Wish
from app.games.survive.rules import placing
from app.games.survive.rules.ground import back_of, ground, seat_number, spaces_of, teams, terrain_of, tile
from app.games.survive.state import State
from app.games.survive.view import sees_values

_KEPT: Final = tuple(back for back in BACKS if back not in IMMEDIATE)
_WISHED: Final = 3
"""Tiles per explorer in an invented list."""


def resample(state: State, seat: Seat | None, chance: Chance) -> State:
    """A state with the same view. Hidden backs, hands, values and placing lists are dealt again.

    Of all states that the seat can't tell apart, equal chance makes the same one.
    """
    if state.step == "over":
        return state
    me = -1 if seat is None else seat_number(state, seat)
    hands, tiles = _tiles_anew(state, me, chance)
    dealt = msgspec.structs.replace(state, tiles=tiles, hands=hands, worth=_values_anew(state, me, chance))
    orders = tuple(
        given if given is None or n == me else _list_anew(dealt, n, chance)
        for n, given in enumerate(state.orders)
    )
    return msgspec.structs.replace(dealt, orders=orders)


def _values_anew(state: State, me: int, chance: Chance) -> tuple[int, ...]:
    """The values, those that the seat can't see drawn again from all of their colour."""
    owners = teams(state.seats, state.variant.two).owner
    worth = list(state.worth)
    for first in range(0, len(EXPLORERS), EACH):
        if owners[first] >= 0 and not sees_values(state, me, owners[first]):
            known = [n for n in range(first, first + EACH) if worth[n]]
            for n, value in zip(known, chance.shuffled(VALUES), strict=False):
                worth[n] = value
    return tuple(worth)


def _list_anew(state: State, seat: int, chance: Chance) -> Orders:
    """A random placing list that the seat could have given."""
    land = [NAME[space] for space in spaces_of(ground(state.tiles).land)]
    wishes = [
        Wish(value, chance.shuffled(land)[:_WISHED], colour if state.variant.two else "")
        for colour in teams(state.seats, state.variant.two).colours[seat]
        for value in placing.values_left(state, colour).elements()
    ]
    coast = chance.shuffled([NAME[space] for space in placing.free_coast(state)])
    return Orders(chance.shuffled(wishes), coast[: 2 * _WISHED])


def _tiles_anew(state: State, me: int, chance: Chance) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Hands and tiles.

    How many backs of each immediate kind still lie below each terrain is known to all: each was seen when its
    tile sank. Which of the others lie there, are in hands, or have left the game is drawn.
    """
    places = {
        terrain: [n for n, code in enumerate(state.tiles) if code and terrain_of(code) == terrain]
        for terrain in TERRAINS
    }
    immediate = {
        terrain: sorted(back for n in places[terrain] if (back := back_of(state.tiles[n])) in IMMEDIATE)
        for terrain in TERRAINS
    }
    wanted = {terrain: len(places[terrain]) - len(immediate[terrain]) for terrain in TERRAINS}
    supply = {
        terrain: [back for back in _KEPT for _ in range(BACK_COUNT[terrain][back])] for terrain in TERRAINS
    }
    own = state.hands[me] if me >= 0 else ()
    for back, terrain in _origins(chance.shuffled(sorted(own)), supply, wanted, chance):
        supply[terrain].remove(back)
    tiles = list(state.tiles)
    gone: list[str] = []
    for terrain in TERRAINS:
        drawn = chance.shuffled(supply[terrain])
        below, above = drawn[: wanted[terrain]], drawn[wanted[terrain] :]
        gone += above
        below += tuple(chance.pick(_KEPT) for _ in range(wanted[terrain] - len(below)))
        for n, back in zip(places[terrain], chance.shuffled([*immediate[terrain], *below]), strict=True):
            tiles[n] = tile(terrain, back)
    held = list(chance.shuffled(sorted(gone)))
    hands = []
    for n, hand in enumerate(state.hands):
        dealt = hand if n == me else tuple(held.pop() if held else chance.pick(_KEPT) for _ in hand)
        hands.append(tuple(sorted(dealt, key=BACKS.index)))
    return tuple(hands), tuple(tiles)


def _origins(
    own: tuple[str, ...], supply: dict[str, list[str]], wanted: dict[str, int], chance: Chance
) -> list[tuple[str, str]]:
    """A terrain from which each tile of the own hand can have come; for some, in a position made up."""
    room = {terrain: len(supply[terrain]) - wanted[terrain] for terrain in TERRAINS}
    left = {terrain: Counter(supply[terrain]) for terrain in TERRAINS}
    best: list[tuple[str, str]] = []
    found: list[tuple[str, str]] = []

    def settle(n: int) -> bool:
        nonlocal best
        if len(found) > len(best):
            best = list(found)
        if n == len(own):
            return True
        for terrain in chance.shuffled(TERRAINS):
            if room[terrain] > 0 and left[terrain][own[n]] > 0:
                room[terrain] -= 1
                left[terrain][own[n]] -= 1
                found.append((own[n], terrain))
                if settle(n + 1):
                    return True
                found.pop()
                room[terrain] += 1
                left[terrain][own[n]] += 1
        return False

    settle(0)
    return best
