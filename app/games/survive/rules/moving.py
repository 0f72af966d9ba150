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
from app.games.survive.moves import CLIMB, GO, GO_ROUND, JUMP, LAND, SAIL, SAIL_ROUND
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import ground, spaces_of, teams
from app.games.survive.tidings import Boarded, Jumped, Sailed, Saved, Swam, Walked
from app.games.survive.words import Climb, Go, Jump, Land, Sail, State

LANDING_IS_A_WATER_MOVE = True
"""Ruling: a swimmer that goes ashore on an isle makes its water move of the turn."""


def steers(state: State, seat: int) -> list[int]:
    """The ships that a seat may move: empty ones, and those where nobody has more aboard."""
    crews = crews_of(state)
    return [
        ship
        for ship, at in enumerate(state.ships)
        if at >= 0 and (ship not in crews or crews[ship][seat] == max(crews[ship]))
    ]


def crews_of(state: State | Course) -> dict[int, list[int]]:
    """For each loaded ship how many explorers of each seat are aboard."""
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
    """Append every step that the active player may take for one point."""
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
            into += GO_ROUND[explorer][at]
            boardable = open_ships & NEAR[at]
        elif water >> explorer & 1:
            if at in ISLE_OF and not LANDING_IS_A_WATER_MOVE:
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


def can_move(course: Course) -> bool:
    """Whether the active player has a step for a point: whether `add_moves` would append anything."""
    if not course.points:
        return False
    here = course.ground
    for explorer in course.teams.members[course.active]:
        at = course.where[explorer]
        if 0 <= at < SIZE and here.land >> at & 1:
            return True  # every tile of the island has six neighbours, and all can be entered
    moves: list[Move] = []
    add_moves(course.state(), moves)
    return bool(moves)


def go(course: Course, move: Go) -> None:
    """An explorer walks, or goes into the water next to it."""
    explorer, to = EXPLORER_ID[move.who], ID[move.to]
    start = course.where[explorer]
    land = course.ground.land
    course.where[explorer] = to
    course.stirred = True
    if land >> to & 1:
        course.tell(Walked(course.mover, move.who, NAME[start], move.to))
        return
    course.water |= 1 << explorer
    course.tell(Swam(course.mover, move.who, NAME[start], (move.to,), from_land=bool(land >> start & 1)))
    course.drown(to)


def jump(course: Course, move: Jump) -> None:
    """An explorer jumps into the water where its ship is."""
    explorer = EXPLORER_ID[move.who]
    ship = course.where[explorer] - ON_SHIP
    space = course.ships[ship]
    course.where[explorer] = space
    course.water |= 1 << explorer
    course.stirred = True
    course.tell(Jumped(course.mover, move.who, SHIPS[ship], NAME[space]))
    course.drown(space)


def climb(course: Course, move: Climb) -> None:
    """An explorer boards a ship: from land, from the water, or from another ship.

    Ruling: boarding a ship that stands with a serpent or whale wakes that creature, as sailing there would.
    """
    explorer, ship = EXPLORER_ID[move.who], SHIP_ID[move.ship]
    start = course.where[explorer]
    from_ship = ""
    if start >= ON_SHIP:
        from_ship = SHIPS[start - ON_SHIP]
        start = course.ships[start - ON_SHIP]
    elif not course.ground.land >> start & 1:
        course.water |= 1 << explorer
    course.where[explorer] = ON_SHIP + ship
    course.stirred = True
    course.tell(
        Boarded(course.mover, move.who, move.ship, NAME[start], NAME[course.ships[ship]], from_ship),
    )
    course.ship_meets_creatures(ship)


def land(course: Course, move: Land) -> None:
    """An explorer goes ashore on a safe isle, from the water or from its ship."""
    explorer = EXPLORER_ID[move.who]
    start = course.where[explorer]
    from_ship = ""
    if start >= ON_SHIP:
        from_ship = SHIPS[start - ON_SHIP]
        start = course.ships[start - ON_SHIP]
    elif LANDING_IS_A_WATER_MOVE:
        course.water |= 1 << explorer
    course.where[explorer] = ON_ISLE + ISLE_NAMES.index(move.isle)
    course.stirred = True
    course.tell(Saved(course.mover, move.who, move.isle, NAME[start], from_ship))


def sail(course: Course, move: Sail) -> None:
    """A ship goes to the next sea space."""
    carry(course, SHIP_ID[move.ship], (ID[move.to],), wind=False)


def carry(course: Course, ship: int, path: tuple[int, ...], *, wind: bool) -> None:
    """A ship goes along a path; a loaded one that meets a serpent or whale at its end is lost."""
    start = course.ships[ship]
    course.ships[ship] = path[-1]
    if course.aboard(ship):
        course.stirred = True
    names = tuple(NAME[n] for n in path)
    course.tell(Sailed(course.mover, SHIPS[ship], NAME[start], names, wind))
    course.ship_meets_creatures(ship)
