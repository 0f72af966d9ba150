"""Positions: a state in the words of the rules, section 10."""

from app.engine.chance import Chance
from app.engine.game import Options, Position, Seat
from app.games.survive.board import (
    CREATURES,
    EXPLORERS,
    ISLAND,
    ISLE_NAMES,
    LOST,
    NAME,
    ON_ISLE,
    ON_SHIP,
    SHIPS,
)
from app.games.survive.notation.format import list_of
from app.games.survive.position_loader import Loader
from app.games.survive.rules.ground import TILE_AT, back_of, teams, terrain_of
from app.games.survive.state import SETUP_STEPS, State


def dump(state: State) -> Position:
    """The complete position of a state: `load` gives an equal state."""
    playing = teams(state.seats, state.variant.two).owner
    setup = state.step in SETUP_STEPS
    position: Position = {
        "terrain": {
            name: f"{terrain_of(code)}/{back_of(code)}"
            for name, code in zip(ISLAND, state.tiles, strict=True)
            if code
        },
        "explorers": {
            EXPLORERS[n]: {"at": place_text(state, at), "value": state.worth[n]}
            for n, at in enumerate(state.where)
            if at >= 0
        },
        "lost": {
            EXPLORERS[n]: state.worth[n]
            for n, at in enumerate(state.where)
            if at == LOST and playing[n] >= 0 and (setup or state.worth[n])
        },
        "ships": {name: NAME[at] for name, at in zip(SHIPS, state.ships, strict=True) if at >= 0},
        "creatures": {name: NAME[at] for name, at in zip(CREATURES, state.creatures, strict=True) if at >= 0},
        "hands": {seat: list(hand) for seat, hand in zip(state.seats, state.hands, strict=True)},
        "kills": dict(zip(state.seats, state.kills, strict=True)),
        "appeared": dict(zip(("shark", "whale", "ship"), state.appeared, strict=True)),
        "idle": state.idle // len(state.seats),
        "idle_turns": state.idle,
        "dry": state.dry,
        "turn": {
            "seat": state.seats[state.active],
            "step": state.step,
            "points": state.points,
            "water_moved": [name for n, name in enumerate(EXPLORERS) if state.water >> n & 1],
            "die": state.die or None,
            "number": state.number,
            "stirred": state.stirred,
        },
    }
    if state.attacker >= 0:
        position["attack"] = {
            "creature": CREATURES[state.attacker],
            "at": NAME[state.creatures[state.attacker]],
            "asked": state.seats[state.asked],
        }
    if state.boarding >= 0:
        position["boarding"] = {"at": NAME[state.ships[state.boarding]], "ship": SHIPS[state.boarding]}
    if state.orders:
        sealed = zip(state.seats, state.orders, strict=True)
        position["orders"] = {seat: list_of(given) for seat, given in sealed if given}
    if state.ending:
        position["ending"] = state.ending
    return position


def place_text(state: State, at: int) -> str:
    """A place in the words of a position."""
    if at >= ON_ISLE:
        return f"isle:{ISLE_NAMES[at - ON_ISLE]}"
    if at >= ON_SHIP:
        return SHIPS[at - ON_SHIP]
    land = at in TILE_AT and state.tiles[TILE_AT[at]]
    return NAME[at] if land else f"sea:{NAME[at]}"


def load(
    position: Position, seats: tuple[Seat, ...], options: Options, chance: Chance, edition: int
) -> State:
    """The state of a position. What is left out is drawn. Raises BadPosition, BadOptions."""
    return Loader(position, seats, options, chance.apart("position"), edition).state()
