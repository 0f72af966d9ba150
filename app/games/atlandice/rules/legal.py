"""The open questions with all legal answers and defaults (sections 2, 3 and 9)."""

from collections.abc import Sequence
from functools import lru_cache

from app.engine.game import Asking, Decision, Move
from app.games.atlandice.board import AREAS, DIE, DISTRICTS, HOME, INDEX, KINDS, MARKET, SOURCE, dice_each
from app.games.atlandice.moves import (
    EFFECT_ASKS,
    Die,
    Donate,
    Fetch,
    Kinds,
    Put,
    Submarine,
    Swap,
    Take,
    Visit,
)
from app.games.atlandice.rules.draft import Draft
from app.games.atlandice.state import Effect, State, area_of

INN = INDEX["inn"]


@lru_cache(maxsize=4096)
def takings(row: tuple[int, ...], due: int) -> tuple[Kinds, ...]:
    """All ways to take this many resources, in the order of the kinds."""
    if not due:
        return ((),)
    return tuple(
        (KINDS[kind], *rest)
        for kind, count in enumerate(row)
        if count
        for rest in takings((*(0,) * kind, count - 1, *row[kind + 1 :]), due - 1)
    )


def due_at(at: State | Draft, area: int) -> int:
    """How many resources a visit takes there: one, two with the submarine, or fewer if fewer lie there."""
    return min(sum(at.stock[area]), 2 if at.submarine == area else 1)


def must_serve(state: State | Draft) -> bool:
    """Whether the active player's next die must go to the neutral player."""
    return bool(state.served) and not state.served[state.turn] and state.taken[state.turn] == _last_die(state)


def may_serve(state: State | Draft) -> bool:
    """Whether the active player's next die may go to the neutral player."""
    return bool(state.served) and not state.served[state.turn]


def _last_die(state: State | Draft) -> int:
    return dice_each(len(state.seats)) - 1


def visits(state: State) -> tuple[Visit, ...]:
    """Every visit that the active player can make."""
    owners = (True,) if must_serve(state) else (False, True) if may_serve(state) else (False,)
    return tuple(
        Visit(AREAS[area], kinds, neutral)
        for neutral in owners
        for area, dice in enumerate(state.dice)
        if dice
        for kinds in takings(state.stock[area], due_at(state, area))
    )


def default_visit(state: State) -> Visit:
    """The default: the area with most dice, the first kinds there; the third die is the neutral player's."""
    area = max(range(len(AREAS)), key=lambda at: (state.dice[at], -at))
    kinds = takings(state.stock[area], due_at(state, area))[0]
    return Visit(AREAS[area], kinds, must_serve(state))


def _lying(row: Sequence[int]) -> list[str]:
    """The kinds present in a row of counts."""
    return [KINDS[kind] for kind, count in enumerate(row) if count]


def alive(at: State | Draft) -> list[int]:
    """The areas still in the game, in number order."""
    return [area for area in range(len(AREAS)) if area == MARKET or at.piles[area]]


def effect_choices(at: State | Draft, effect: Effect) -> list[Move]:
    """Every way to carry out the effect, the default first. Empty: the effect lapses."""
    tile, stock = effect.tile, at.stock
    if tile in SOURCE:
        source = SOURCE[tile]
        return [Take((kind,), AREAS[source]) for kind in _lying(stock[source])]
    if tile == "J3":
        ways = takings(tuple(stock[effect.area]), due_at(at, effect.area))
        return [Take(kinds, AREAS[effect.area]) for kinds in ways if kinds]
    home = HOME[tile]
    others = [area for area in alive(at) if area != home]
    if tile == "J2":
        return [
            Swap(kind, other, AREAS[area])
            for kind in _lying(stock[home])
            for other, area in _by_kind(stock, others)
        ]
    if tile == "L1":
        return [Fetch(kind, AREAS[area]) for kind, area in _by_kind(stock, others)]
    if tile == "L2":
        return [Put(kind, AREAS[home], AREAS[MARKET]) for kind in _lying(stock[home])]
    if tile == "I2":
        targets = [area for area in others if area != MARKET]
        return [Put(kind, AREAS[MARKET], AREAS[to]) for kind in _lying(stock[MARKET]) for to in targets]
    if tile == "B2":
        return [Put(kind, AREAS[home], AREAS[to]) for kind in _lying(stock[home]) for to in others]
    if tile == "I3":
        return [
            Die(AREAS[area], value)
            for area, dice in enumerate(at.dice)
            if dice
            for value in _values_up(area)
            if area_of(value, at.piles) != area
        ]
    if tile in {"E1", "E2", "E3"} and at.submarine is not None:
        return [Submarine(AREAS[area]) for area in alive(at) if area != at.submarine]
    return []


def _by_kind(stock: Sequence[Sequence[int]], areas: Sequence[int]) -> list[tuple[str, int]]:
    """The resources at these areas as (kind, area), in the order of kinds, then of areas."""
    return [(name, area) for kind, name in enumerate(KINDS) for area in areas if stock[area][kind]]


def _values_up(area: int) -> tuple[int, ...]:
    """The other values of a die, from the next one up."""
    return (*DIE[area + 1 :], *DIE[:area])


def gifts(state: State, seat: int) -> list[Move]:
    """Nothing, and each single pair. Several pairs at once are legal but not listed."""
    return [Donate(), *(Donate((pair,)) for pair in pairs_of(state.owned[seat]))]


@lru_cache(maxsize=4096)
def pairs_of(row: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """Every pair that these resources can make."""
    return tuple((kinds[0], kinds[1]) for kinds in takings(row, 2)) if sum(row) > 1 else ()


def donors(state: State) -> tuple[int, ...]:
    """The seats that are asked for a gift now. In turn: one with at least two resources."""
    if state.donations == "in_turn":
        return (state.turn,) if sum(state.owned[state.turn]) > 1 else ()
    return tuple(at for at, gift in enumerate(state.gifts) if gift is None)


def targets(at: State | Draft, tile: str) -> tuple[str, ...]:
    """The areas to which the tile's effect can move a resource, or from which it can take one."""
    home = HOME[tile]
    if tile == "L2":
        return (AREAS[MARKET],)
    if tile == "I2":
        return tuple(name for area, name in enumerate(DISTRICTS) if at.piles[area] and area != INN)
    return tuple(AREAS[area] for area in alive(at) if area != home)


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
            Decision(state.seats[at], "donate", str(state.clock), tuple(gifts(state, at)), Donate())
            for at in donors(state)
        )
    return ()


def asking(state: State) -> tuple[Asking, ...]:
    """The questions of `decisions` without their answers, which take long to list."""
    seat, effect = state.seats[state.turn], state.effect
    if state.step == "visit":
        return (Asking(seat, "visit", f"{state.clock}.{sum(state.taken)}"),)
    if state.step == "effect" and effect:
        return (Asking(seat, EFFECT_ASKS[effect.tile], _about(state)),)
    if state.step == "donate":
        return tuple(Asking(state.seats[at], "donate", str(state.clock)) for at in donors(state))
    return ()


def _about(state: State) -> str:
    """Distinguishes an effect from all others: hand, dice taken, tile, owner and the owner's wealth."""
    effect = state.effect
    assert effect is not None
    owner = effect.owner
    wealth = sum(state.owned[owner])
    return f"{state.clock}.{sum(state.taken)}.{effect.tile}.{state.owners[owner]}.{wealth}"
