"""One move carried out (sections 2, 3 and 5)."""

from app.engine.chance import Chance
from app.engine.game import Move, Seat, Step
from app.games.atlandice.board import INDEX, KIND_INDEX
from app.games.atlandice.events import Visited
from app.games.atlandice.moves import Donate, Visit
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.effects import begin_effect, carry_out
from app.games.atlandice.rules.refuse import (
    check_effect,
    check_gifts,
    check_visit,
    refuse,
    refuse_move,
    serves,
)
from app.games.atlandice.rules.rounds import end_visit, take_gift
from app.games.atlandice.state import State


def apply(state: State, seat: Seat, move: Move, chance: Chance) -> Step:
    """The state after the move. Raises IllegalMove."""
    refuse(state, seat)
    draft = Draft(state)
    if state.step == "visit" and isinstance(move, Visit):
        check_visit(state, move)
        _visit(draft, move, serves(state, move), chance)
    elif state.step == "effect" and state.effect:
        check_effect(state, state.effect, move)
        draft.effect = None
        if carry_out(draft, move, state.effect, chance):
            end_visit(draft, chance)
    elif state.step == "donate" and isinstance(move, Donate):
        at = state.seats.index(seat)
        check_gifts(state, at, move)
        take_gift(draft, at, move.pairs, chance)
    else:
        refuse_move(state)
    return draft.freeze()


def _visit(draft: Draft, move: Visit, serving: bool, chance: Chance) -> None:
    """Take the die and what lies there, and begin the area's effect."""
    area = INDEX[move.area]
    owner = len(draft.seats) if serving else draft.turn
    draft.before = draft.holding()
    draft.dice[area] -= 1
    draft.taken[draft.turn] += 1
    if serving:
        draft.served[draft.turn] = True
    draft.gain(owner, area, (KIND_INDEX[kind] for kind in move.kinds))
    draft.tell(Visited(draft.seat, move.area, move.kinds, draft.owners[owner]))
    if begin_effect(draft, area, owner, chance):
        end_visit(draft, chance)
