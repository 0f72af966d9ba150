"""Sinking tiles, the effects of their backs, and boarding new ships (rules, section 4.3)."""

from itertools import combinations

from app.engine.game import Move
from app.games.survive.board import (
    ABOARD,
    CREATURES,
    EACH,
    EXPLORER_ID,
    EXPLORERS,
    FIRST_OF,
    ID,
    IMMEDIATE,
    NAME,
    NEAR,
    ON_ISLE,
    ON_SHIP,
    SHIPS,
    SUPPLY,
)
from app.games.survive.events import Appeared, Drew, Kept, Rescued, Sank, Swallowed, TurnedUp
from app.games.survive.moves import Board, Done, Sink
from app.games.survive.rules.creatures import take
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import TILE_AT, back_of, ground, teams, terrain_of
from app.games.survive.rules.move_table import SINK
from app.games.survive.state import State

DONE = Done()
MOST_LISTED = 400
"""Boardings are only listed up to this number."""


def add_sinks(state: State, into: list[Move]) -> None:
    """Append the tiles that may be sunk, or `done` if no land is left."""
    sinkable = ground(state.tiles).sinkable
    if sinkable:
        into += [SINK[n] for n in sinkable]
    else:
        into.append(DONE)


def default_sink(state: State) -> Move:
    """The tile with the fewest explorers, the first in board order; `done` if there is none."""
    sinkable = ground(state.tiles).sinkable
    if not sinkable:
        return DONE
    count = state.where.count
    return SINK[min(sinkable, key=count)]


def sink(draft: Draft, move: Sink) -> str:
    """Sink a tile and apply its back. Returns what follows: volcano, board, submerged or roll."""
    space = ID[move.at]
    place = TILE_AT[space]
    code = draft.tiles[place]
    fallen = draft.explorers_on(space)
    draft.tiles = (*draft.tiles[:place], 0, *draft.tiles[place + 1 :])
    draft.stirred = draft.stirred or bool(fallen)
    draft.reveals = True
    draft.tell(Sank(draft.mover, move.at, terrain_of(code), tuple(EXPLORERS[n] for n in fallen)))
    back = back_of(code)
    if back not in IMMEDIATE:
        take(draft, draft.active, back)
        draft.tell(Kept(draft.mover, move.at, len(draft.hands[draft.active])))
        draft.tell(Drew(draft.mover, move.at, back), only=draft.active)
    else:
        draft.tell(TurnedUp(draft.mover, move.at, back))
        if back == "volcano" and not (draft.variant.to_the_last or draft.variant.submerged):
            return "volcano"
        if back in ("whirlpool", "volcano"):
            whirl(draft, space)
        else:
            appear(draft, back, space)
    if draft.variant.submerged and not draft.ground.land:
        if draft.boarding >= 0:
            board(draft, default_boarding(draft))
        return "submerged"
    return "board" if draft.boarding >= 0 else "roll"


def appear(draft: Draft, back: str, space: int) -> None:
    """Put a new shark, whale or ship on the space, unless the supply is exhausted."""
    which = ("shark", "whale", "ship").index(back)
    number = draft.appeared[which]
    if number >= SUPPLY[back]:
        return
    draft.appeared = (*draft.appeared[:which], number + 1, *draft.appeared[which + 1 :])  # type: ignore[assignment]
    if back == "ship":
        draft.ships[number] = space
        draft.tell(Appeared(SHIPS[number], NAME[space]))
        around = draft.explorers_on(space)
        if len(around) > ABOARD:
            draft.boarding = number
        elif around:
            rescue(draft, number, around)
        return
    creature = FIRST_OF[back] + number
    draft.creatures[creature] = space
    draft.tell(Appeared(CREATURES[creature], NAME[space]))
    draft.drown(space)


def rescue(draft: Draft, ship: int, explorers: list[int]) -> None:
    """Put swimmers aboard a new ship for free."""
    for n in explorers:
        draft.where[n] = ON_SHIP + ship
    names = tuple(EXPLORERS[n] for n in explorers)
    draft.tell(Rescued(SHIPS[ship], NAME[draft.ships[ship]], names))


def whirl(draft: Draft, space: int) -> None:
    """Remove everything on the space and on the sea around it."""
    waters = (1 << space | NEAR[space]) & draft.ground.sea
    ships = [n for n, at in enumerate(draft.ships) if at >= 0 and waters >> at & 1]
    creatures = [n for n, at in enumerate(draft.creatures) if at >= 0 and waters >> at & 1]
    lost = [
        n
        for n, at in enumerate(draft.where)
        if (0 <= at < ON_SHIP and waters >> at & 1) or (ON_SHIP <= at < ON_ISLE and at - ON_SHIP in ships)
    ]
    for n in ships:
        draft.ships[n] = -1
    for n in creatures:
        draft.creatures[n] = -1
    draft.tell(Swallowed(NAME[space], tuple(SHIPS[n] for n in ships), tuple(CREATURES[n] for n in creatures)))
    draft.kill(lost, space, "whirlpool")


def boarders(state: State | Draft) -> list[int]:
    """The swimmers around the new ship, in the order of the default move.

    The active player's own first, then the others' clockwise; each by number, then by colour.
    """
    owner = teams(state.seats, state.variant.two).owner
    space = state.ships[state.boarding]
    around = [n for n, at in enumerate(state.where) if at == space]
    seats = len(state.seats)
    return sorted(around, key=lambda n: ((owner[n] - state.active) % seats, n % EACH, n // EACH))


def default_boarding(state: State | Draft) -> Board:
    """The default boarding: the first three of `boarders`."""
    return Board(tuple(EXPLORERS[n] for n in sorted(boarders(state)[:ABOARD])))


def add_boardings(state: State, into: list[Move]) -> None:
    """Append all choices of three swimmers, unless there are too many to list."""
    around = sorted(boarders(state))
    n = len(around)
    if n * (n - 1) * (n - 2) // 6 <= MOST_LISTED:
        into += [Board(tuple(EXPLORERS[e] for e in three)) for three in combinations(around, ABOARD)]


def board(draft: Draft, move: Board) -> None:
    """Put the three named swimmers aboard the new ship."""
    ship = draft.boarding
    draft.boarding = -1
    rescue(draft, ship, [EXPLORER_ID[name] for name in move.who])
