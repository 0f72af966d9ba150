"""The effects of the tiles (section 3): what is rolled at once, and what a choice then does."""

from app.engine.chance import Chance
from app.engine.game import Move
from app.games.atlandice.board import AREAS, DIE, HITS, INDEX, KIND_INDEX, MARKET
from app.games.atlandice.rules.choices import effect_choices
from app.games.atlandice.state import Effect, area_of
from app.games.atlandice.table import Table
from app.games.atlandice.words import (
    Die,
    DieTurned,
    Fetch,
    Gained,
    Lapsed,
    Led,
    Moved,
    Put,
    Rolled,
    Submarine,
    SubmarineMoved,
    Swap,
    Swapped,
    Take,
)


def begin_effect(table: Table, area: int, owner: int, chance: Chance) -> bool:
    """Carry out the area's effect as far as no choice is needed. False: it waits for one."""
    while area != MARKET:
        tile = table.piles[area][0]
        if tile in HITS:
            table.reveals = True
            value = chance.pick(DIE)
            hit = value in HITS[tile]
            table.tell(Rolled(table.seat, tile, value, hit))
            if not hit:
                return True
            if tile == "I1":
                table.move_hand(1)
                return True
            if tile == "J3":
                value = chance.pick(DIE)
                area = area_of(value, table.piles)
                table.tell(Led(table.seat, value, AREAS[area]))
        elif tile == "L3" and table.taken[table.turn] != 2:
            return True
        effect = Effect(tile, area, owner, table.before)
        if effect_choices(table, effect):
            table.effect = effect
            table.step = "effect"
            return False
        table.tell(Lapsed(table.seat, tile))
        if tile != "J3":
            return True
    return True


def carry_out(table: Table, move: Move, effect: Effect, chance: Chance) -> bool:
    """Do what the player chose. False: a further effect waits for a choice."""
    seat = table.seat
    owner = table.owners[effect.owner]
    if isinstance(move, Take):
        table.gain(effect.owner, INDEX[move.area], (KIND_INDEX[kind] for kind in move.kinds))
        table.tell(Gained(seat, move.area, move.kinds, owner))
        if effect.tile == "J3":
            return begin_effect(table, effect.area, effect.owner, chance)
    elif isinstance(move, Fetch):
        table.gain(effect.owner, INDEX[move.area], (KIND_INDEX[move.kind],))
        table.tell(Gained(seat, move.area, (move.kind,), owner))
    elif isinstance(move, Swap):
        _carry(table, move.kind, INDEX["jewelers"], INDEX[move.area])
        _carry(table, move.other, INDEX[move.area], INDEX["jewelers"])
        table.tell(Swapped(seat, move.kind, move.other, move.area))
    elif isinstance(move, Put):
        _carry(table, move.kind, INDEX[move.origin], INDEX[move.to])
        table.tell(Moved(seat, move.kind, move.origin, move.to))
    elif isinstance(move, Die):
        to = area_of(move.value, table.piles)
        table.dice[INDEX[move.area]] -= 1
        table.dice[to] += 1
        table.tell(DieTurned(seat, move.area, move.value, AREAS[to]))
    elif isinstance(move, Submarine):
        table.submarine = INDEX[move.area]
        table.tell(SubmarineMoved(seat, move.area))
    return True


def _carry(table: Table, kind: str, origin: int, to: int) -> None:
    at = KIND_INDEX[kind]
    table.stock[origin][at] -= 1
    table.stock[to][at] += 1
