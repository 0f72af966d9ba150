"""Placing explorers and ships one by one or at random (rules, section 3)."""

import hashlib
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
from app.games.survive.events import ExplorerPlaced, ShipPlaced, ValuesDealt
from app.games.survive.moves import Place, PlaceRandom, PutShip, Wish
from app.games.survive.rules import turns
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import ISLAND_ID, ground, spaces_of, teams, terrain_of
from app.games.survive.state import State

LUCK = "placing"
"""Random placing has its own draws, so that it takes nothing from a scenario's script."""


def next_explorer(state: State | Draft, colour: str) -> int:
    """The next explorer of a colour to be placed, or -1."""
    first = COLOURS.index(colour) * EACH
    return next((n for n in range(first, first + EACH) if state.where[n] == UNPLACED), -1)


def values_left(state: State | Draft, colour: str) -> Counter[int]:
    """The values that a colour still has to place."""
    first = COLOURS.index(colour) * EACH
    left = Counter(VALUES)
    left.subtract(
        state.worth[n] for n in range(first, first + EACH) if state.where[n] != UNPLACED and state.worth[n]
    )
    return +left


def colours_left(state: State | Draft, seat: int) -> list[str]:
    """The colours of a seat that have explorers to place."""
    own = teams(state.seats, state.variant.two).colours[seat]
    return [colour for colour in own if next_explorer(state, colour) >= 0]


def free_tiles(state: State | Draft) -> list[int]:
    """The tiles on which an explorer may be placed. With `overpopulated`, two may share an inland tile."""
    here = ground(state.tiles)
    crowd = Counter(state.where)
    deep = 2 if state.variant.overpopulated else 1
    return [
        space
        for space in ISLAND_ID
        if here.land >> space & 1 and crowd[space] < (1 if NEAR[space] & here.sea else deep)
    ]


def free_coast(state: State | Draft) -> list[int]:
    """The sea spaces on which a ship may be placed."""
    here = ground(state.tiles)
    taken = (*state.ships, *state.creatures[: FIRST_OF["shark"]])
    return [space for space in spaces_of(near(here.land) & here.sea) if space not in taken]


def add_placings(state: State, into: list[Move]) -> None:
    """Append all placings of the active player's next explorer, and a random one.

    Values and tiles come in a drawn order, so that taking the first ones offered tells nothing.
    """
    tiles = [NAME[space] for space in free_tiles(state)]
    island = [terrain_of(code) for code in state.tiles if code]
    for colour in colours_left(state, state.active):
        named = colour if state.variant.two else ""
        left = sorted(values_left(state, colour).elements())
        seen = f"{state.seats[state.active]} {colour} {left} {tiles} {island}"
        values: Sequence[int] = sorted(set(left))
        places: Sequence[str] = tiles
        if state.variant.values_in_drawn_order:
            drawn = Chance(hashlib.sha256(seen.encode()).digest(), 0)
            values, places = drawn.shuffled(values), drawn.shuffled(tiles)
        for number, value in enumerate(values):
            # Each value begins with a tile of its own; shuffling anew for each would cost more than the rest.
            turn = number * len(places) // len(values) if state.variant.values_in_drawn_order else 0
            into += [Place(value, at, named) for at in (*places[turn:], *places[:turn])]
    into.append(PlaceRandom())


def add_launchings(state: State, into: list[Move]) -> None:
    """Append all placings of the active player's next ship, and a random one."""
    into += [PutShip(NAME[space]) for space in free_coast(state)]
    into.append(PlaceRandom(ship=True))


def place(draft: Draft, move: Place) -> None:
    """Put the active player's next explorer on a tile."""
    colour = move.colour or draft.teams.colours[draft.active][0]
    tell_placed(draft, put(draft, colour, move.value, ID[move.at]))
    go_on(draft, after=draft.active)


def put_ship(draft: Draft, move: PutShip) -> None:
    """Put the active player's next ship on the sea."""
    launch(draft, draft.active, ID[move.at])
    go_on(draft, after=draft.active)


def place_random(draft: Draft, move: PlaceRandom, chance: Chance) -> None:
    """Place the active player's next explorer or ship at random; the owner is told the value."""
    luck = chance.apart(LUCK)
    seat = draft.active
    if move.ship:
        launch(draft, seat, luck.pick(free_coast(draft)))
    else:
        explorer = put_by_wish(draft, seat, None, luck)
        tell_placed(draft, explorer)
        draft.tell(ValuesDealt(draft.seats[seat], {EXPLORERS[explorer]: draft.worth[explorer]}), only=seat)
    draft.reveals = True
    go_on(draft, after=seat)


def put_by_wish(draft: Draft, seat: int, wish: Wish | None, luck: Chance) -> int:
    """Place a seat's next explorer on the first tile of the wish that is free, else by chance.

    Without a usable wish, colour and value are drawn too.
    """
    colours = colours_left(draft, seat)
    colour = (wish.colour or draft.teams.colours[seat][0]) if wish else ""
    if colour not in colours:
        colour = luck.pick(colours)
    left = sorted(values_left(draft, colour).elements())
    value = wish.value if wish and wish.value in left else luck.pick(left)
    free = free_tiles(draft)
    spaces = [ID[name] for name in wish.tiles] if wish else []
    at = next((space for space in spaces if space in free), None)
    return put(draft, colour, value, luck.pick(free) if at is None else at)


def put(draft: Draft, colour: str, value: int, space: int) -> int:
    """Place the next explorer of a colour on a tile, and return its number. Tells nobody."""
    explorer = next_explorer(draft, colour)
    draft.where[explorer] = space
    draft.worth = (*draft.worth[:explorer], value, *draft.worth[explorer + 1 :])
    return explorer


def tell_placed(draft: Draft, explorer: int) -> None:
    """Tell everybody where an explorer was placed."""
    seat = draft.seats[draft.teams.owner[explorer]]
    draft.tell(ExplorerPlaced(seat, EXPLORERS[explorer], NAME[draft.where[explorer]]))


def launch(draft: Draft, seat: int, space: int) -> None:
    """Place the next ship on the sea."""
    ship = draft.appeared[2]
    draft.appeared = (draft.appeared[0], draft.appeared[1], ship + 1)
    draft.ships[ship] = space
    draft.tell(ShipPlaced(draft.seats[seat], SHIPS[ship], NAME[space]))


def next_to_place(draft: Draft, after: int) -> bool:
    """Activate the next seat that has an explorer to place, or go on to the ships.

    True if there is such a seat, and a tile for its explorer.
    """
    seats = len(draft.seats)
    order = [(after + turn) % seats for turn in range(1, seats + 1)]
    waiting = next((seat for seat in order if colours_left(draft, seat)), None)
    if waiting is not None and free_tiles(draft):
        draft.active = waiting
        return True
    draft.step = "ships"
    draft.active = seats - 1
    return False


def ships_to_place(draft: Draft) -> int:
    """How many ships are placed in all.

    Ruling: with two colours each player places four, as on an island of four, unless `fleet: two` is chosen.
    """
    if draft.variant.small_fleet:
        return SHIPS_EACH * len(draft.seats)
    return SHIPS_EACH * sum(len(colours) for colours in draft.teams.colours)


def next_to_launch(draft: Draft, after: int) -> bool:
    """Activate the next seat. True if a ship is left to place and there is room for it."""
    draft.active = (after + 1) % len(draft.seats)
    return draft.appeared[2] < ships_to_place(draft) and bool(free_coast(draft))


def go_on(draft: Draft, after: int) -> None:
    """Go on after one placing: to the next one, or to the first turn."""
    if draft.step == "explorers" and not next_to_place(draft, after):
        after = draft.active
    if draft.step == "ships" and not next_to_launch(draft, after):
        open_game(draft)


def open_game(draft: Draft) -> None:
    """Begin the first turn. Explorers that a position left unplaced are out of the game."""
    draft.where = [LOST if at == UNPLACED else at for at in draft.where]
    draft.orders = ()
    draft.active = 0
    turns.begin(draft)
