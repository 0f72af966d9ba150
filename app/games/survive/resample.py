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
_SUPPLY: Final = {back: sum(BACK_COUNT[terrain][back] for terrain in TERRAINS) for back in _KEPT}
_WISHED: Final = 3
"""Tiles per explorer in an invented list."""


def resample(state: State, seat: Seat | None, chance: Chance) -> State:
    """A state with the same view. Hidden backs, hands, values and placing lists are dealt again."""
    if state.step == "over":
        return state
    me = -1 if seat is None else seat_number(state, seat)
    hands, tiles = _tiles_anew(state, me, chance)
    return msgspec.structs.replace(
        state,
        tiles=tiles,
        hands=hands,
        worth=_values_anew(state, me, chance),
        orders=tuple(
            given if given is None or n == me else _list_anew(state, n, chance)
            for n, given in enumerate(state.orders)
        ),
    )


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
    """Hands and tiles. Hidden hand tiles are exchanged, and backs shuffled within each terrain.

    A tile of a hand changes places with a back that it could have lain at, or, where there is none, with a
    tile that has left the game.
    """
    tiles = list(state.tiles)
    hands = [list(hand) for hand in state.hands]
    others = [(seat, n) for seat, hand in enumerate(hands) if seat != me for n in range(len(hand))]
    for seat, n in others:
        held = hands[seat][n]
        swaps = [place for place, code in enumerate(tiles) if code and _may_swap(tiles, place, held)]
        if swaps:
            place = chance.pick(swaps)
            terrain = terrain_of(tiles[place])
            hands[seat][n] = back_of(tiles[place])
            tiles[place] = tile(terrain, held)
        elif gone := _gone(tiles, hands):
            hands[seat][n] = chance.pick(gone)
    held_by_others = chance.shuffled([hands[seat][n] for seat, n in others])
    for (seat, n), back in zip(others, held_by_others, strict=True):
        hands[seat][n] = back
    for terrain in TERRAINS:
        places = [n for n, code in enumerate(tiles) if code and terrain_of(code) == terrain]
        for n, code in zip(places, chance.shuffled([tiles[n] for n in places]), strict=True):
            tiles[n] = code
    return tuple(tuple(sorted(hand, key=BACKS.index)) for hand in hands), tuple(tiles)


def _may_swap(tiles: list[int], place: int, held: str) -> bool:
    """Whether a held tile and the back of a tile can change places."""
    terrain, back = terrain_of(tiles[place]), back_of(tiles[place])
    below = sum(code == tile(terrain, held) for code in tiles)
    return back not in IMMEDIATE and back != held and below < BACK_COUNT[terrain][held]


def _gone(tiles: list[int], hands: list[list[str]]) -> list[str]:
    """The hand tiles that have left the game."""
    there = Counter(back for hand in hands for back in hand)
    there.update(back_of(code) for code in tiles if code)
    return [back for back in _KEPT if there[back] < _SUPPLY[back]]
