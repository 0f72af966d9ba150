"""The set-up: explorers and ships are placed one by one, from lists, or by chance (rules, section 3)."""

from collections import Counter
from collections.abc import Sequence

from app.engine.chance import Chance
from app.engine.game import Move
from app.games.survive.board import (
    COLOURS,
    EACH,
    EXPLORERS,
    FIRST_OF,
    ID,
    LOST,
    NAME,
    NEAR,
    SHIPS,
    SHIPS_EACH,
    UNPLACED,
    VALUES,
    near,
)
from app.games.survive.rules import turns
from app.games.survive.rules.course import Course
from app.games.survive.rules.ground import ISLAND_ID, ground, spaces_of, teams
from app.games.survive.tidings import ExplorerPlaced, OrdersGiven, ShipPlaced, ValuesDealt
from app.games.survive.words import Orders, Place, PlaceRandom, PutShip, State, Wish

LUCK = "placing"
"""Random placing draws beside play, so that a scenario's script is left alone."""


def next_explorer(state: State | Course, colour: str) -> int:
    """The explorer of a colour that is placed next, or -1."""
    first = COLOURS.index(colour) * EACH
    return next((n for n in range(first, first + EACH) if state.where[n] == UNPLACED), -1)


def values_left(state: State | Course, colour: str) -> Counter[int]:
    """How many explorers of each value a colour has still to place."""
    first = COLOURS.index(colour) * EACH
    left = Counter(VALUES)
    left.subtract(
        state.worth[n] for n in range(first, first + EACH) if state.where[n] != UNPLACED and state.worth[n]
    )
    return +left


def colours_left(state: State | Course, seat: int) -> list[str]:
    """The colours of a seat that have explorers to place."""
    own = teams(state.seats, state.variant.two).colours[seat]
    return [colour for colour in own if next_explorer(state, colour) >= 0]


def free_tiles(state: State | Course) -> list[int]:
    """The tiles on which an explorer may be placed; two may stand inland in an overpopulated set-up."""
    here = ground(state.tiles)
    crowd = Counter(state.where)
    deep = 2 if state.variant.overpopulated else 1
    return [
        space
        for space in ISLAND_ID
        if here.land >> space & 1 and crowd[space] < (1 if NEAR[space] & here.sea else deep)
    ]


def free_coast(state: State | Course) -> list[int]:
    """The sea spaces on which a ship may be placed."""
    here = ground(state.tiles)
    taken = (*state.ships, *state.creatures[: FIRST_OF["shark"]])
    return [space for space in spaces_of(near(here.land) & here.sea) if space not in taken]


def add_placings(state: State, into: list[Move]) -> None:
    """Append every placing of the active player's next explorer, and leaving it to chance."""
    tiles = [NAME[space] for space in free_tiles(state)]
    for colour in colours_left(state, state.active):
        named = colour if state.variant.two else ""
        for value in sorted(values_left(state, colour)):
            into += [Place(value, at, named) for at in tiles]
    into.append(PlaceRandom())


def add_launchings(state: State, into: list[Move]) -> None:
    """Append every placing of the active player's next ship, and leaving it to chance."""
    into += [PutShip(NAME[space]) for space in free_coast(state)]
    into.append(PlaceRandom(ship=True))


def place(course: Course, move: Place) -> None:
    """The active player's next explorer is put on a tile."""
    colour = move.colour or course.teams.colours[course.active][0]
    put(course, course.active, colour, move.value, ID[move.at])
    go_on(course, after=course.active)


def put_ship(course: Course, move: PutShip) -> None:
    """The active player's next ship is put on the sea."""
    launch(course, course.active, ID[move.at])
    go_on(course, after=course.active)


def place_random(course: Course, move: PlaceRandom, chance: Chance) -> None:
    """Chance puts the active player's next explorer or ship; he is told the value."""
    luck = chance.apart(LUCK)
    seat = course.active
    if move.ship:
        launch(course, seat, luck.pick(free_coast(course)))
    else:
        explorer = put_by_wish(course, seat, None, luck)
        course.tell(ValuesDealt(course.seats[seat], {EXPLORERS[explorer]: course.worth[explorer]}), only=seat)
    course.reveals = True
    go_on(course, after=seat)


def seal(course: Course, seat: int, move: Orders, chance: Chance) -> None:
    """A placing list is given; with the last one everything is placed and the first turn begins."""
    course.orders = (*course.orders[:seat], move, *course.orders[seat + 1 :])
    course.tell(OrdersGiven(course.seats[seat]))
    if None not in course.orders:
        place_all(course, course.orders, chance)


def place_all(course: Course, lists: Sequence[Orders | None], chance: Chance) -> None:
    """Everything is placed in turn order from the lists; where a list does not help, by chance."""
    luck = chance.apart(LUCK)
    wishes = [list(given.wishes) if given else [] for given in lists]
    course.step = "explorers"
    course.active = len(course.seats) - 1
    drawn: list[int] = []
    while next_to_place(course, course.active):
        mine = wishes[course.active]
        wish = mine.pop(0) if mine else None
        explorer = put_by_wish(course, course.active, wish, luck)
        if wish is None or wish.value != course.worth[explorer]:
            drawn.append(explorer)
    while next_to_launch(course, course.active):
        free = free_coast(course)
        wanted = lists[course.active]
        spaces = [ID[name] for name in wanted.ships] if wanted else []
        at = next((space for space in spaces if space in free), None)
        launch(course, course.active, luck.pick(free) if at is None else at)
    course.reveals = True
    for seat, name in enumerate(course.seats):
        dealt = {EXPLORERS[n]: course.worth[n] for n in drawn if course.teams.owner[n] == seat}
        if dealt:
            course.tell(ValuesDealt(name, dealt), only=seat)
    open_game(course)


def put_by_wish(course: Course, seat: int, wish: Wish | None, luck: Chance) -> int:
    """Place a seat's next explorer on the first tile of the wish that is free, else by chance.

    Without a wish, or where it asks for what is no longer there, colour and value are drawn too.
    """
    colours = colours_left(course, seat)
    colour = (wish.colour or course.teams.colours[seat][0]) if wish else ""
    if colour not in colours:
        colour = luck.pick(colours)
    left = sorted(values_left(course, colour).elements())
    value = wish.value if wish and wish.value in left else luck.pick(left)
    free = free_tiles(course)
    spaces = [ID[name] for name in wish.tiles] if wish else []
    at = next((space for space in spaces if space in free), None)
    return put(course, seat, colour, value, luck.pick(free) if at is None else at)


def put(course: Course, seat: int, colour: str, value: int, space: int) -> int:
    """The next explorer of a colour stands on a tile. Its number."""
    explorer = next_explorer(course, colour)
    course.where[explorer] = space
    course.worth = (*course.worth[:explorer], value, *course.worth[explorer + 1 :])
    course.tell(ExplorerPlaced(course.seats[seat], EXPLORERS[explorer], NAME[space]))
    return explorer


def launch(course: Course, seat: int, space: int) -> None:
    """The next ship lies on the sea."""
    ship = course.appeared[2]
    course.appeared = (course.appeared[0], course.appeared[1], ship + 1)
    course.ships[ship] = space
    course.tell(ShipPlaced(course.seats[seat], SHIPS[ship], NAME[space]))


def next_to_place(course: Course, after: int) -> bool:
    """The next seat clockwise that has an explorer to place becomes active, or the ships' turn comes.

    Whether one has, and there is a tile for it.
    """
    seats = len(course.seats)
    order = [(after + turn) % seats for turn in range(1, seats + 1)]
    waiting = next((seat for seat in order if colours_left(course, seat)), None)
    if waiting is not None and free_tiles(course):
        course.active = waiting
        return True
    course.step = "ships"
    course.active = seats - 1
    return False


def next_to_launch(course: Course, after: int) -> bool:
    """The next seat clockwise becomes active if a ship is left to place and there is room. Whether so."""
    course.active = (after + 1) % len(course.seats)
    total = SHIPS_EACH * sum(len(colours) for colours in course.teams.colours)
    return course.appeared[2] < total and bool(free_coast(course))


def go_on(course: Course, after: int) -> None:
    """After one placing: the next one, or the first turn."""
    if course.step == "explorers" and not next_to_place(course, after):
        after = course.active
    if course.step == "ships" and not next_to_launch(course, after):
        open_game(course)


def open_game(course: Course) -> None:
    """The first seat's first turn begins. Whom a position has not placed by now is out of the game."""
    course.where = [LOST if at == UNPLACED else at for at in course.where]
    course.orders = ()
    course.active = 0
    turns.begin(course)
