"""Reasons why a move is illegal, with moves that would do. A move that passes is legal."""

from collections import Counter
from collections.abc import Sequence

from app.engine.errors import IllegalMove
from app.engine.game import Move
from app.games.atlandice.board import AREAS, DIE, INDEX, KIND_INDEX, KINDS, MARKET
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
from app.games.atlandice.notation.format import text_of
from app.games.atlandice.rules.legal import alive, donors, due_at, effect_choices, must_serve, targets
from app.games.atlandice.state import Effect, State, area_of

REASONS: tuple[str, ...] = (
    # a move
    "over",
    "not_asked",
    "not_now",
    "no_area",
    "gone",
    "no_kind",
    "no_die",
    "not_there",
    "too_few",
    "too_many",
    "no_neutral",
    "neutral_served",
    "wrong_source",
    "wrong_target",
    "no_value",
    "same_area",
    "submarine_there",
    "odd_gift",
    "not_owned",
    # a table
    "bad_seats",
    "bad_option",
    "bad_choice",
    # a position
    "bad_key",
    "bad_value",
    "bad_number",
    "tile_twice",
    "no_tile_left",
    "too_many_resources",
    "too_many_dice",
    "on_gone",
    "nothing_asked",
)
"""All reasons of IllegalMove, BadOptions and BadPosition."""

SHOWN = 6
"""How many legal answers a refusal names."""

FITTING: dict[str, type[Move]] = {
    "more": Take,
    "market": Take,
    "led": Take,
    "swap": Swap,
    "fetch": Fetch,
    "to_market": Put,
    "from_market": Put,
    "away": Put,
    "die": Die,
    "submarine": Submarine,
}
"""The kind of move that answers each question about an effect."""


def check_visit(state: State, move: Visit) -> None:
    """Raise IllegalMove if the active player cannot make this visit."""
    area = _area(state, move.area)
    if not state.dice[area]:
        having = tuple(name for name, dice in zip(AREAS, state.dice, strict=True) if dice)
        raise IllegalMove("no_die", area=move.area, areas=having)
    if move.neutral and not state.served:
        raise IllegalMove("no_neutral", players=len(state.seats))
    if move.neutral and state.served[state.turn]:
        raise IllegalMove("neutral_served", seat=state.seats[state.turn])
    _check_kinds(state, area, move.kinds)


def serves(state: State, move: Visit) -> bool:
    """Whether the visit is for the neutral player, by choice or by rule."""
    return move.neutral or must_serve(state)


def check_effect(state: State, effect: Effect, move: Move) -> None:
    """Raise IllegalMove if the move does not carry out the effect."""
    asks = EFFECT_ASKS[effect.tile]
    if not isinstance(move, FITTING[asks]):
        raise IllegalMove("not_now", **_due(state))
    home = AREAS[effect.area]
    if isinstance(move, Take):
        source = AREAS[MARKET] if effect.tile == "B3" else home
        if move.area != source:
            raise IllegalMove("wrong_source", area=move.area, tile=effect.tile, areas=(source,))
        area = INDEX[source]
        _check_kinds(state, area, move.kinds, None if effect.tile == "J3" else 1)
    elif isinstance(move, Fetch):
        _check_source(state, effect, move.area)
        _check_lying(state, INDEX[move.area], (move.kind,))
    elif isinstance(move, Swap):
        _check_source(state, effect, move.area)
        _check_lying(state, INDEX[home], (move.kind,))
        _check_lying(state, INDEX[move.area], (move.other,))
    elif isinstance(move, Put):
        source = AREAS[MARKET] if effect.tile == "I2" else home
        if move.origin != source:
            raise IllegalMove("wrong_source", area=move.origin, tile=effect.tile, areas=(source,))
        _check_lying(state, INDEX[source], (move.kind,))
        _area(state, move.to)
        allowed = targets(state, effect.tile)
        if move.to not in allowed:
            raise IllegalMove("wrong_target", area=move.to, tile=effect.tile, areas=allowed)
    elif isinstance(move, Die):
        _check_die(state, move)
    elif isinstance(move, Submarine) and _area(state, move.area) == state.submarine:
        others = tuple(AREAS[area] for area in alive(state) if area != state.submarine)
        raise IllegalMove("submarine_there", area=move.area, areas=others)


def check_gifts(state: State, seat: int, move: Donate) -> None:
    """Raise IllegalMove if the seat lacks the resources it gives."""
    given = Counter(kind for pair in move.pairs for kind in pair)
    for pair in move.pairs:
        if len(pair) != 2:
            raise IllegalMove("odd_gift", given=sum(given.values()))
    for kind in given:
        if kind not in KIND_INDEX:
            raise IllegalMove("no_kind", kind=kind, kinds=KINDS)
    for kind, count in given.items():
        have = state.owned[seat][KIND_INDEX[kind]]
        if count > have:
            raise IllegalMove(
                "not_owned", kind=kind, wanted=count, have=have, owned=_counts(state.owned[seat])
            )


def refuse(state: State, seat: str) -> None:
    """Raise IllegalMove if the seat is not asked anything now."""
    if state.step == "over":
        raise IllegalMove("over")
    if state.step == "donate":
        owing = tuple(state.seats[at] for at in donors(state))
    else:
        owing = (state.seats[state.turn],)
    if seat not in owing:
        raise IllegalMove("not_asked", seat=seat, asked=owing)


def refuse_move(state: State) -> None:
    """Raise IllegalMove: the move doesn't answer the current question."""
    raise IllegalMove("not_now", **_due(state))


def _due(state: State) -> dict[str, object]:
    """Facts for a refusal: the current question and some answers that would do."""
    effect = state.effect
    if state.step == "effect" and effect:
        would_do = tuple(text_of(move) for move in effect_choices(state, effect)[:SHOWN])
        return {"step": "effect", "tile": effect.tile, "would_do": would_do}
    if state.step == "donate":
        return {"step": "donate", "tile": "", "would_do": (text_of(Donate()),)}
    dice = tuple(name for name, count in zip(AREAS, state.dice, strict=True) if count)
    return {"step": "visit", "tile": "", "would_do": tuple(f"visit {name}" for name in dice)}


def _area(state: State, name: str) -> int:
    """The index of an area. Raises IllegalMove if it is unknown or gone."""
    if name not in INDEX:
        raise IllegalMove("no_area", area=name, areas=AREAS)
    area = INDEX[name]
    if area != MARKET and not state.piles[area]:
        raise IllegalMove("gone", area=name, areas=tuple(AREAS[at] for at in alive(state)))
    return area


def _check_source(state: State, effect: Effect, name: str) -> None:
    _area(state, name)
    allowed = targets(state, effect.tile)
    if name not in allowed:
        raise IllegalMove("wrong_source", area=name, tile=effect.tile, areas=allowed)


def _check_kinds(state: State, area: int, kinds: Kinds, due: int | None = None) -> None:
    """Check the number and the presence of kinds. `due` None: as many as a visit takes."""
    _check_lying(state, area, kinds)
    if due is None:
        due = due_at(state, area)
    if len(kinds) != due:
        reason = "too_few" if len(kinds) < due else "too_many"
        facts = {"given": len(kinds), "due": due, "submarine": state.submarine == area}
        raise IllegalMove(reason, area=AREAS[area], there=_counts(state.stock[area]), **facts)


def _check_lying(state: State, area: int, kinds: Kinds) -> None:
    for kind, count in Counter(kinds).items():
        if kind not in KIND_INDEX:
            raise IllegalMove("no_kind", kind=kind, kinds=KINDS)
        lying = state.stock[area][KIND_INDEX[kind]]
        if count > lying:
            there = _counts(state.stock[area])
            raise IllegalMove("not_there", kind=kind, wanted=count, area=AREAS[area], there=there)


def _check_die(state: State, move: Die) -> None:
    area = _area(state, move.area)
    if not state.dice[area]:
        having = tuple(name for name, dice in zip(AREAS, state.dice, strict=True) if dice)
        raise IllegalMove("no_die", area=move.area, areas=having)
    if move.value not in DIE:
        raise IllegalMove("no_value", value=move.value, would_do=DIE)
    if area_of(move.value, state.piles) == area:
        values = tuple(value for value in DIE if area_of(value, state.piles) != area)
        raise IllegalMove("same_area", area=move.area, value=move.value, would_do=values)


def _counts(row: Sequence[int]) -> dict[str, int]:
    """The counts that are not zero, by kind."""
    return {kind: count for kind, count in zip(KINDS, row, strict=True) if count}
