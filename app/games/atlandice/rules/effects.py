"""The effects of the tiles (section 3): what is rolled at once, and what a choice then does."""

from app.engine.chance import Chance
from app.engine.game import Move
from app.games.atlandice.board import AREAS, DIE, HITS, INDEX, KIND_INDEX, MARKET
from app.games.atlandice.events import DieTurned, Gained, Lapsed, Led, Moved, Rolled, SubmarineMoved, Swapped
from app.games.atlandice.moves import Die, Fetch, Put, Submarine, Swap, Take
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.rules.legal import effect_choices
from app.games.atlandice.state import Effect, area_of


def begin_effect(draft: Draft, area: int, owner: int, chance: Chance) -> bool:
    """Carry out the area's effect as far as no choice is needed. False: it waits for one."""
    while area != MARKET:
        tile = draft.piles[area][0]
        if tile in HITS:
            draft.reveals = True
            value = chance.pick(DIE)
            hit = value in HITS[tile]
            draft.tell(Rolled(draft.seat, tile, value, hit))
            if not hit:
                return True
            if tile == "I1":
                draft.move_hand(1)
                return True
            if tile == "J3":
                value = chance.pick(DIE)
                area = area_of(value, draft.piles)
                draft.tell(Led(draft.seat, value, AREAS[area]))
        elif tile == "L3" and draft.taken[draft.turn] != 2:
            return True
        effect = Effect(tile, area, owner, draft.before)
        if effect_choices(draft, effect):
            draft.effect = effect
            draft.step = "effect"
            return False
        draft.tell(Lapsed(draft.seat, tile))
        if tile != "J3":
            return True
    return True


def carry_out(draft: Draft, move: Move, effect: Effect, chance: Chance) -> bool:
    """Do what the player chose. False: a further effect waits for a choice."""
    seat = draft.seat
    owner = draft.owners[effect.owner]
    if isinstance(move, Take):
        draft.gain(effect.owner, INDEX[move.area], (KIND_INDEX[kind] for kind in move.kinds))
        draft.tell(Gained(seat, move.area, move.kinds, owner))
        if effect.tile == "J3":
            return begin_effect(draft, effect.area, effect.owner, chance)
    elif isinstance(move, Fetch):
        draft.gain(effect.owner, INDEX[move.area], (KIND_INDEX[move.kind],))
        draft.tell(Gained(seat, move.area, (move.kind,), owner))
    elif isinstance(move, Swap):
        _carry(draft, move.kind, INDEX["jewelers"], INDEX[move.area])
        _carry(draft, move.other, INDEX[move.area], INDEX["jewelers"])
        draft.tell(Swapped(seat, move.kind, move.other, move.area))
    elif isinstance(move, Put):
        _carry(draft, move.kind, INDEX[move.origin], INDEX[move.to])
        draft.tell(Moved(seat, move.kind, move.origin, move.to))
    elif isinstance(move, Die):
        to = area_of(move.value, draft.piles)
        draft.dice[INDEX[move.area]] -= 1
        draft.dice[to] += 1
        draft.tell(DieTurned(seat, move.area, move.value, AREAS[to]))
    elif isinstance(move, Submarine):
        draft.submarine = INDEX[move.area]
        draft.tell(SubmarineMoved(seat, move.area))
    return True


def _carry(draft: Draft, kind: str, origin: int, to: int) -> None:
    at = KIND_INDEX[kind]
    draft.stock[origin][at] -= 1
    draft.stock[to][at] += 1
