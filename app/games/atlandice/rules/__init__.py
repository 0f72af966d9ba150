"""The rules of Atlandice, section by section; here what the contract asks of them."""

from app.engine.chance import Chance
from app.engine.game import Decision, Move, Seat, Step
from app.games.atlandice.board import AREAS, INDEX, KIND_INDEX, KINDS, MARKET, ON_MARKET, TILES, on_district
from app.games.atlandice.rules.checks import (
    check_effect,
    check_gifts,
    check_visit,
    refuse,
    refuse_move,
    serves,
)
from app.games.atlandice.rules.choices import default_visit, effect_choices, gifts, visits
from app.games.atlandice.rules.effects import begin_effect, carry_out
from app.games.atlandice.rules.rounds import begin_round, end_visit, open_gifts
from app.games.atlandice.state import State, owners_of
from app.games.atlandice.table import Table
from app.games.atlandice.words import EFFECT_ASKS, Answered, Donate, Visit, Visited


def setup(seats: tuple[Seat, ...], chance: Chance) -> Step:
    """A new game, its first dice rolled (section 1). The first seat begins."""
    owners = owners_of(seats)
    nothing = (0,) * len(KINDS)
    full = on_district(len(seats))
    piles = tuple(chance.shuffled(tiles) for tiles in TILES)
    stock = [tuple(full * (kind == at) for kind in range(len(KINDS))) for at in range(MARKET)]
    state = State(
        seats=seats,
        piles=piles,
        stock=(*stock, (ON_MARKET,) * len(KINDS)),
        owned=(nothing,) * len(owners),
        tiles=((),) * len(owners),
        points=(0,) * len(owners),
        dice=(0,) * len(AREAS),
        taken=(0,) * len(seats),
        served=(False,) * len(seats) if len(seats) == 2 else (),
        submarine=INDEX["works"],
        clock=0,
        first=0,
        turn=0,
        step="visit",
    )
    table = Table(state)
    begin_round(table, chance)
    return table.freeze()


def decisions(state: State) -> tuple[Decision, ...]:
    """The one question to the active player, or everybody's about gifts."""
    if state.step == "visit":
        seat = state.seats[state.turn]
        about = f"{state.clock}.{sum(state.taken)}"
        return (Decision(seat, "visit", about, visits(state), default_visit(state)),)
    effect = state.effect
    if state.step == "effect" and effect:
        options = tuple(effect_choices(state, effect))
        return (
            Decision(state.seats[state.turn], EFFECT_ASKS[effect.tile], _about(state), options, options[0]),
        )
    if state.step == "donate":
        return tuple(
            Decision(seat, "donate", str(state.clock), tuple(gifts(state, at)), Donate())
            for at, seat in enumerate(state.seats)
            if state.gifts[at] is None
        )
    return ()


def _about(state: State) -> str:
    """The hand, the dice taken, the tile, who gains and how much he has: no two effects agree in all."""
    effect = state.effect
    assert effect is not None
    owner = effect.owner
    wealth = sum(state.owned[owner])
    return f"{state.clock}.{sum(state.taken)}.{effect.tile}.{state.owners[owner]}.{wealth}"


def apply(state: State, seat: Seat, move: Move, chance: Chance) -> Step:
    """The state after the move. Raises IllegalMove."""
    refuse(state, seat)
    table = Table(state)
    if state.step == "visit" and isinstance(move, Visit):
        check_visit(state, move)
        _visit(table, move, serves(state, move), chance)
    elif state.step == "effect" and state.effect:
        check_effect(state, state.effect, move)
        table.effect = None
        if carry_out(table, move, state.effect, chance):
            end_visit(table, chance)
    elif state.step == "donate" and isinstance(move, Donate):
        at = state.seats.index(seat)
        check_gifts(state, at, move)
        table.gifts = (*state.gifts[:at], move.pairs, *state.gifts[at + 1 :])
        table.tell(Answered(seat))
        if None not in table.gifts:
            open_gifts(table, chance)
    else:
        refuse_move(state)
    return table.freeze()


def _visit(table: Table, move: Visit, serving: bool, chance: Chance) -> None:
    """Take the die and what lies there, and begin the area's effect."""
    area = INDEX[move.area]
    owner = len(table.seats) if serving else table.turn
    table.before = table.holding()
    table.dice[area] -= 1
    table.taken[table.turn] += 1
    if serving:
        table.served[table.turn] = True
    table.gain(owner, area, (KIND_INDEX[kind] for kind in move.kinds))
    table.tell(Visited(table.seat, move.area, move.kinds, table.owners[owner]))
    if begin_effect(table, area, owner, chance):
        end_visit(table, chance)
