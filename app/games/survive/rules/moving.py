"""Moving explorers and ships for points (rules, section 4.2)."""

from app.engine.game import Move
from app.games.survive.board import (
    ABOARD,
    EXPLORER_ID,
    ID,
    ISLE_NAMES,
    ISLE_OF,
    NAME,
    NEAR,
    ON_ISLE,
    ON_SHIP,
    SHIP_ID,
    SHIPS,
    SIZE,
)
from app.games.survive.events import Boarded, Jumped, Sailed, Saved, Swam, Walked
from app.games.survive.moves import Climb, Go, Jump, Land, Sail
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import ground, spaces_of, teams
from app.games.survive.rules.move_table import CLIMB, GO, GO_ROUND, JUMP, LAND, SAIL, SAIL_ROUND
from app.games.survive.state import State


def steers(state: State, seat: int) -> list[int]:
    """The ships that a seat controls: empty ones, and those where nobody has more aboard."""
    crews = crews_of(state)
    return [
        ship
        for ship, at in enumerate(state.ships)
        if at >= 0 and (ship not in crews or crews[ship][seat] == max(crews[ship]))
    ]


def crews_of(state: State | Draft) -> dict[int, list[int]]:
    """For each loaded ship the number of explorers of each seat aboard."""
    owner = teams(state.seats, state.variant.two).owner
    crews: dict[int, list[int]] = {}
    for explorer, at in enumerate(state.where):
        if ON_SHIP <= at < ON_ISLE:
            crew = crews.get(at - ON_SHIP)
            if crew is None:
                crew = crews[at - ON_SHIP] = [0] * len(state.seats)
            crew[owner[explorer]] += 1
    return crews


def add_moves(state: State, into: list[Move]) -> None:
    """Append all moves of the active player that cost one point."""
    if not state.points:
        return
    here = ground(state.tiles)
    land, sea, water = here.land, here.sea, state.water
    crews = crews_of(state)
    berths: dict[int, int] = {}
    """Ships with a free place, by space."""
    fleet = 0
    for ship, at in enumerate(state.ships):
        if at >= 0:
            fleet |= 1 << at
            if ship not in crews or sum(crews[ship]) < ABOARD:
                berths[at] = ship
    open_ships = sum(1 << at for at in berths)
    present = False
    for explorer in teams(state.seats, state.variant.two).members[state.active]:
        at = state.where[explorer]
        if at < 0 or at >= ON_ISLE:
            continue
        present = True
        if at >= ON_SHIP:
            space = state.ships[at - ON_SHIP]
            if not water >> explorer & 1:
                into.append(JUMP[explorer][space])
            if space in ISLE_OF:
                into.append(LAND[explorer][ISLE_OF[space]])
            boardable = open_ships & NEAR[space]
        elif land >> at & 1:
            if water >> explorer & 1:
                into += [GO[explorer][n] for n in spaces_of(land & NEAR[at])]
            else:
                into += GO_ROUND[explorer][at]
            boardable = open_ships & NEAR[at]
        elif water >> explorer & 1:
            if at in ISLE_OF and state.variant.free_landing:
                into.append(LAND[explorer][ISLE_OF[at]])
            continue
        else:
            round_about = sea & NEAR[at]
            if round_about == NEAR[at]:
                into += GO_ROUND[explorer][at]
            else:
                into += [GO[explorer][n] for n in spaces_of(round_about)]
            if at in ISLE_OF:
                into.append(LAND[explorer][ISLE_OF[at]])
            boardable = open_ships & 1 << at
        if boardable:
            into += [CLIMB[explorer][berths[n]] for n in spaces_of(boardable)]
    if not present:
        return
    for ship, at in enumerate(state.ships):
        if at >= 0 and (ship not in crews or crews[ship][state.active] == max(crews[ship])):
            free = sea & NEAR[at] & ~fleet
            if free == NEAR[at]:
                into += SAIL_ROUND[ship][at]
            elif free:
                into += [SAIL[ship][n] for n in spaces_of(free)]


def can_move(draft: Draft) -> bool:
    """Whether `add_moves` would append anything."""
    if not draft.points:
        return False
    here = draft.ground
    for explorer in draft.teams.members[draft.active]:
        at = draft.where[explorer]
        if 0 <= at < SIZE and here.land >> at & 1 and not draft.water >> explorer & 1:
            return True  # every tile of the island has six neighbours, and all can be entered
    moves: list[Move] = []
    add_moves(draft.state(), moves)
    return bool(moves)


def go(draft: Draft, move: Go) -> None:
    """Move an explorer to the next space, on land or in the water."""
    explorer, to = EXPLORER_ID[move.who], ID[move.to]
    start = draft.where[explorer]
    land = draft.ground.land
    draft.where[explorer] = to
    draft.stirred = True
    if land >> to & 1:
        draft.tell(Walked(draft.mover, move.who, NAME[start], move.to))
        return
    draft.water |= 1 << explorer
    draft.tell(Swam(draft.mover, move.who, NAME[start], (move.to,), from_land=bool(land >> start & 1)))
    draft.drown(to)


def jump(draft: Draft, move: Jump) -> None:
    """Move an explorer from its ship into the water."""
    explorer = EXPLORER_ID[move.who]
    ship = draft.where[explorer] - ON_SHIP
    space = draft.ships[ship]
    draft.where[explorer] = space
    draft.water |= 1 << explorer
    draft.stirred = True
    draft.tell(Jumped(draft.mover, move.who, SHIPS[ship], NAME[space]))
    draft.drown(space)


def climb(draft: Draft, move: Climb) -> None:
    """Move an explorer onto a ship from land, from the water, or from another ship.

    Ruling: boarding a ship that shares its space with a serpent or whale triggers that creature.
    """
    explorer, ship = EXPLORER_ID[move.who], SHIP_ID[move.ship]
    start = draft.where[explorer]
    from_ship = ""
    if start >= ON_SHIP:
        from_ship = SHIPS[start - ON_SHIP]
        start = draft.ships[start - ON_SHIP]
    elif not draft.ground.land >> start & 1:
        draft.water |= 1 << explorer
    draft.where[explorer] = ON_SHIP + ship
    draft.stirred = True
    draft.tell(
        Boarded(draft.mover, move.who, move.ship, NAME[start], NAME[draft.ships[ship]], from_ship),
    )
    draft.ship_meets_creatures(ship)


def land(draft: Draft, move: Land) -> None:
    """Move an explorer ashore onto a safe isle.

    Ruling: from the water this is its water move, unless the match has `landing: free`.
    """
    explorer = EXPLORER_ID[move.who]
    start = draft.where[explorer]
    from_ship = ""
    if start >= ON_SHIP:
        from_ship = SHIPS[start - ON_SHIP]
        start = draft.ships[start - ON_SHIP]
    elif not draft.variant.free_landing:
        draft.water |= 1 << explorer
    draft.where[explorer] = ON_ISLE + ISLE_NAMES.index(move.isle)
    draft.stirred = True
    draft.tell(Saved(draft.mover, move.who, move.isle, NAME[start], from_ship))


def sail(draft: Draft, move: Sail) -> None:
    """Move a ship to the next sea space."""
    carry(draft, SHIP_ID[move.ship], (ID[move.to],), wind=False)


def carry(draft: Draft, ship: int, path: tuple[int, ...], *, wind: bool) -> None:
    """Move a ship along a path, and wreck it if a serpent or whale is at the end."""
    start = draft.ships[ship]
    draft.ships[ship] = path[-1]
    if draft.aboard(ship):
        draft.stirred = True
    names = tuple(NAME[n] for n in path)
    draft.tell(Sailed(draft.mover, SHIPS[ship], NAME[start], names, wind))
    draft.ship_meets_creatures(ship)
