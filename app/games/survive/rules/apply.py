"""Applies a move by handing it to its phase."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from app.engine.chance import Chance
from app.engine.game import Decision, Move, Seat, Step
from app.games.survive.moves import (
    Allow,
    Board,
    Climb,
    Defend,
    Dolphin,
    Done,
    Go,
    Hunt,
    Jump,
    Land,
    Lure,
    Orders,
    Pass,
    Place,
    PlaceRandom,
    PutShip,
    Sail,
    Sink,
    Wind,
)
from app.games.survive.rules import creatures, lists, moving, placing, refuse, sinking, tiles, turns
from app.games.survive.rules.draft import Draft
from app.games.survive.state import State

_TILES: Final = (Dolphin, Wind, Lure)
_MOVING: Final[dict[type[Move], Callable[[Draft, Any], None]]] = {
    **dict.fromkeys(_TILES, tiles.play),
    Go: moving.go,
    Climb: moving.climb,
    Jump: moving.jump,
    Land: moving.land,
    Sail: moving.sail,
}


def apply(state: State, seat: Seat, move: Move, asked: Sequence[Decision], chance: Chance) -> Step:
    """The state after the move, and its events. `asked` are the open decisions. Raises IllegalMove."""
    refuse.check(state, seat, move, asked)
    draft = Draft(state)
    act = _MOVING.get(type(move))
    if act is not None:
        if type(move) not in _TILES:
            draft.step = "move"
            draft.points -= 1
        act(draft, move)
        turns.settle(draft)
    else:
        _answer(draft, seat, move, chance)
    return draft.finished()


def _answer(draft: Draft, seat: Seat, move: Move, chance: Chance) -> None:
    match move:
        case Sink():
            _follow(draft, sinking.sink(draft, move), move.at, chance)
        case Done():
            turns.roll(draft, chance)
        case Board():
            sinking.board(draft, move)
            turns.roll(draft, chance)
        case Hunt():
            if not creatures.hunt(draft, move):
                turns.finish(draft)
        case Pass():
            creatures.rest(draft)
            turns.finish(draft)
        case Defend():
            creatures.defend(draft)
            turns.finish(draft)
        case Allow():
            if not creatures.allow(draft):
                turns.finish(draft)
        case Orders():
            lists.seal(draft, draft.seats.index(seat), move, chance)
        case Place():
            placing.place(draft, move)
        case PutShip():
            placing.put_ship(draft, move)
        case PlaceRandom():
            placing.place_random(draft, move, chance)


def _follow(draft: Draft, after: str, at: str, chance: Chance) -> None:
    """Continue the turn after a sunk tile."""
    if after == "volcano":
        turns.erupt(draft, at)
    elif after == "submerged":
        turns.end(draft, "submerged")
    elif after == "board":
        draft.step = "board"
    else:
        turns.roll(draft, chance)
