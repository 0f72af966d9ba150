"""Playing a tile at the start of a turn (rules, section 4.1)."""

from app.engine.game import Move
from app.games.survive.board import (
    CREATURE_ID,
    CREATURES,
    EXPLORER_ID,
    FAR,
    FIRST_OF,
    ID,
    KIND_OF,
    NAME,
    ON_SHIP,
    SHIP_ID,
)
from app.games.survive.events import Lured, Swam, TilePlayed
from app.games.survive.moves import Dolphin, Lure, Wind
from app.games.survive.rules.creatures import discard, loaded_ships, of_kind, swimmers
from app.games.survive.rules.draft import Draft
from app.games.survive.rules.ground import ground, reach, route, spaces_of, teams
from app.games.survive.rules.move_table import DOLPHIN, LURE, WIND
from app.games.survive.rules.moving import carry, steers
from app.games.survive.state import State

DOLPHIN_IS_A_WATER_MOVE = False
"""Ruling: a swimmer carried by a dolphin may still make its own water move of the turn."""


def ship_spaces(state: State | Draft) -> int:
    """The spaces with ships, as bits."""
    return sum(1 << at for at in state.ships if at >= 0)


def dolphin_spaces(state: State | Draft) -> tuple[int, int]:
    """The spaces that a dolphin can cross, and those where it can end."""
    sea = ground(state.tiles).sea
    deadly = 0
    for at in state.creatures[: FIRST_OF["whale"]]:
        if at >= 0:
            deadly |= 1 << at
    return sea & ~deadly, sea


def wind_spaces(state: State | Draft, ship: int) -> tuple[int, int]:
    """The spaces that a ship can cross with the winds, and those where it can end."""
    free = ground(state.tiles).sea & ~ship_spaces(state) | 1 << state.ships[ship]
    if not loaded_ships(state) >> state.ships[ship] & 1:
        return free, free
    deadly = 0
    for creature, at in enumerate(state.creatures):
        if at >= 0 and KIND_OF[creature] != "shark":
            deadly |= 1 << at
    return free & ~deadly, free


def carried(state: State) -> list[int]:
    """The ships that the winds may move for the active player. An empty ship has no controller."""
    ships = steers(state, state.active)
    if state.variant.winds_move_empty_ships:
        return ships
    loaded = loaded_ships(state)
    return [ship for ship in ships if loaded >> state.ships[ship] & 1]


def own_swimmers(state: State) -> list[int]:
    """The active player's explorers in the water."""
    sea = ground(state.tiles).sea
    mine = teams(state.seats, state.variant.two).members[state.active]
    return [n for n in mine if 0 <= state.where[n] < ON_SHIP and sea >> state.where[n] & 1]


def vacant(state: State) -> int:
    """The sea spaces without explorer, ship and creature, as bits."""
    bits = ground(state.tiles).sea & ~swimmers(state) & ~ship_spaces(state)
    for at in state.creatures:
        if at >= 0:
            bits &= ~(1 << at)
    return bits


def add_plays(state: State, into: list[Move]) -> None:
    """Append all uses of the tiles in the active player's hand."""
    for tile in dict.fromkeys(state.hands[state.active]):
        if tile == "dolphin":
            through, into_spaces = dolphin_spaces(state)
            for explorer in own_swimmers(state):
                targets = reach(state.where[explorer], through, into_spaces, FAR)
                into += [DOLPHIN[explorer][n] for n in spaces_of(targets)]
        elif tile == "wind":
            for ship in carried(state):
                through, into_spaces = wind_spaces(state, ship)
                targets = reach(state.ships[ship], through, into_spaces, FAR)
                into += [WIND[ship][n] for n in spaces_of(targets)]
        elif tile.startswith("move-"):
            free = spaces_of(vacant(state))
            for creature in of_kind(tile[5:]):
                if state.creatures[creature] >= 0:
                    row = LURE[creature]
                    into += [row[n] for n in free]


def tile_of(move: Dolphin | Wind | Lure) -> str:
    """The kind of tile that a move plays."""
    if isinstance(move, Dolphin):
        return "dolphin"
    return "wind" if isinstance(move, Wind) else f"move-{KIND_OF[CREATURE_ID[move.creature]]}"


def play(draft: Draft, move: Dolphin | Wind | Lure) -> None:
    """Apply a tile and remove it from the game; the step is then `move`."""
    tile = tile_of(move)
    discard(draft, draft.active, tile)
    draft.step = "move"
    draft.tell(TilePlayed(draft.mover, tile))
    if isinstance(move, Lure):
        creature = CREATURE_ID[move.creature]
        start = draft.creatures[creature]
        draft.creatures[creature] = ID[move.to]
        draft.tell(Lured(draft.mover, CREATURES[creature], NAME[start], move.to))
        return
    given = tuple(ID[name] for name in move.path)
    if isinstance(move, Wind):
        ship = SHIP_ID[move.ship]
        through, _ = wind_spaces(draft, ship)
        carry(draft, ship, given or route(draft.ships[ship], ID[move.to], through, FAR), wind=True)
        return
    explorer = EXPLORER_ID[move.who]
    start = draft.where[explorer]
    path = given or route(start, ID[move.to], dolphin_spaces(draft)[0], FAR)
    draft.where[explorer] = path[-1]
    draft.stirred = True
    if DOLPHIN_IS_A_WATER_MOVE:
        draft.water |= 1 << explorer
    draft.tell(Swam(draft.mover, move.who, NAME[start], tuple(NAME[n] for n in path), dolphin=True))
    draft.drown(path[-1])
