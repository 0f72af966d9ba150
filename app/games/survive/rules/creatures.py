"""The creature that the die shows, and the defence against it (rules, sections 4.4 and 4.5)."""

from app.engine.game import Move
from app.games.survive.board import (
    BACKS,
    CREATURE_ID,
    CREATURES,
    DEFENCES,
    FIRST_OF,
    ID,
    KIND_OF,
    NAME,
    ON_ISLE,
    ON_SHIP,
    RANGE,
    SUPPLY,
)
from app.games.survive.moves import HUNT
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import ground, reach, route, spaces_of
from app.games.survive.tidings import Allowed, CreatureMoved, CreaturePassed, Defended
from app.games.survive.words import Hunt, State


def swimmers(state: State | Course) -> int:
    """The spaces with swimmers, as bits."""
    bits = 0
    for at in state.where:
        if 0 <= at < ON_SHIP:
            bits |= 1 << at
    return bits & ground(state.tiles).sea


def loaded_ships(state: State | Course) -> int:
    """The spaces with loaded ships, as bits."""
    bits = 0
    for at in state.where:
        if ON_SHIP <= at < ON_ISLE:
            bits |= 1 << state.ships[at - ON_SHIP]
    return bits


def passable(state: State | Course, kind: str) -> int:
    """The sea spaces on which a creature of the kind need not stop, as bits."""
    sea = ground(state.tiles).sea
    if kind == "serpent":
        return sea
    return sea & ~(swimmers(state) if kind == "shark" else loaded_ships(state))


def of_kind(kind: str) -> range:
    """The numbers of the creatures of a kind."""
    return range(FIRST_OF[kind], FIRST_OF[kind] + SUPPLY[kind])


def add_hunts(state: State, into: list[Move]) -> None:
    """Append every move that the die allows; each target once, whichever way leads there."""
    through = passable(state, state.die)
    sea = ground(state.tiles).sea
    far = RANGE[state.die]
    for creature in of_kind(state.die):
        at = state.creatures[creature]
        if at >= 0:
            row = HUNT[creature]
            into += [row[n] for n in spaces_of(reach(at, through, sea, far))]


def any_can_move(course: Course) -> bool:
    """Whether a creature of the kind that the die shows can move at all."""
    sea = course.ground.sea
    return any(
        course.creatures[n] >= 0 and reach(course.creatures[n], 0, sea, 1) for n in of_kind(course.die)
    )


def hunt(course: Course, move: Hunt) -> bool:
    """A creature moves and strikes. Whether the game now waits for a defender instead."""
    creature, to = CREATURE_ID[move.creature], ID[move.to]
    start = course.creatures[creature]
    kind = KIND_OF[creature]
    path = tuple(ID[name] for name in move.path) or route(start, to, passable(course, kind), RANGE[kind])
    course.creatures[creature] = to
    course.tell(CreatureMoved(course.mover, move.creature, NAME[start], tuple(NAME[n] for n in path)))
    course.attacker = creature
    return ask_next(course, course.active)


def rest(course: Course) -> None:
    """No creature is moved."""
    course.tell(CreaturePassed(course.mover))


def hit_by(state: State | Course, creature: int, at: int) -> list[int]:
    """The explorers whom a creature on the space threatens and a defence may save. None for a serpent.

    A shark threatens the swimmers, a whale the passengers of the ship.
    """
    kind = KIND_OF[creature]
    if kind == "shark":
        return [n for n, there in enumerate(state.where) if there == at]
    if kind == "whale":
        return [
            n
            for n, there in enumerate(state.where)
            if ON_SHIP <= there < ON_ISLE and state.ships[there - ON_SHIP] == at
        ]
    return []


def ask_next(course: Course, after: int) -> bool:
    """The next clockwise who is hit and holds a tile of any kind is asked; where there is none, harm is done.

    Ruling: possible defenders are asked one after another, clockwise from the active player.
    """
    seats = len(course.seats)
    at = course.creatures[course.attacker]
    hit = {course.teams.owner[n] for n in hit_by(course, course.attacker, at)}
    seat = (after + 1) % seats
    while seat != course.active:
        if seat in hit and course.hands[seat]:
            course.step, course.asked = "defend", seat
            return True
        seat = (seat + 1) % seats
    strike(course)
    return False


def strike(course: Course) -> None:
    """The creature that has arrived does its harm."""
    creature = course.attacker
    at = course.creatures[creature]
    course.attacker = course.asked = -1
    if KIND_OF[creature] != "shark" and loaded_ships(course) >> at & 1:
        course.wreck(course.ships.index(at), creature)
    course.drown(at)


def defence_of(state: State) -> str:
    """The tile that wards off the attacker."""
    return DEFENCES[KIND_OF[state.attacker]]


def defend(course: Course) -> None:
    """The asked player's tile drives the attacker out of the game; nobody is harmed."""
    creature, seat = course.attacker, course.asked
    tile = DEFENCES[KIND_OF[creature]]
    discard(course, seat, tile)
    at = course.creatures[creature]
    course.creatures[creature] = -1
    course.attacker = course.asked = -1
    course.reveals = True
    course.tell(Defended(course.seats[seat], tile, CREATURES[creature], NAME[at]))


def allow(course: Course) -> bool:
    """The asked player lets it happen. Whether another one is asked."""
    creature = course.attacker
    at = NAME[course.creatures[creature]]
    course.tell(Allowed(course.seats[course.asked], CREATURES[creature], at))
    return ask_next(course, course.asked)


def discard(course: Course, seat: int, tile: str) -> None:
    """A tile leaves a hand and the game."""
    hand = list(course.hands[seat])
    hand.remove(tile)
    course.hands = (*course.hands[:seat], tuple(hand), *course.hands[seat + 1 :])


def take(course: Course, seat: int, tile: str) -> None:
    """A tile comes into a hand."""
    hand = tuple(sorted((*course.hands[seat], tile), key=BACKS.index))
    course.hands = (*course.hands[:seat], hand, *course.hands[seat + 1 :])
