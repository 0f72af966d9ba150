"""Checks of moves. An IllegalMove carries the reason and moves that are legal instead."""

from app.engine.errors import IllegalMove
from app.games.atlantis.board import FIGURES, ITEMS, MAINLAND, VALUE, FigureName, Item
from app.games.atlantis.moves import Bridge, Buy, Go
from app.games.atlantis.notation.format import text_of
from app.games.atlantis.path import Gap, Path
from app.games.atlantis.rules.legal import bridgeable, bridged, buyable, journeys, opening
from app.games.atlantis.state import HELD, SPENT, State, listed, not_home

MOST_NAMED = 4
"""The number of legal moves that a refusal suggests."""

REASONS = (
    "over",
    "not_your_turn",
    "bought_already",
    "tile_not_yours",
    "tile_worthless",
    "figure_home",
    "card_not_held",
    "no_card",
    "space_taken",
    "card_too_many",
    "cannot_pay",
    "bridge_used",
    "bridge_no_gap",
    "bridge_not_crossed",
    "bridge_there",
    "bridge_while_moving",
    "bridge_before_moving",
    "bridge_at_the_end",
    "pay_nothing_due",
    "pay_not_held",
    "pay_too_little",
    "pay_too_much",
    "must_move",
    "bad_seats",
    "bad_option",
    "bad_choice",
    "bad_position",
)


def _would(state: State, figure: FigureName | None = None, cards: tuple[Item, ...] = ()) -> tuple[str, ...]:
    """Some legal moves of the figure that begin with the cards."""
    found = journeys(state, state.turn)
    near = [
        journey
        for journey in found
        if figure in (None, journey.go.figure) and journey.go.cards[: len(cards)] == cards
    ]
    return tuple(text_of(journey.go) for journey in near[:MOST_NAMED])


def _instead(state: State) -> tuple[str, ...]:
    """The legal moves of a hand that allows no `go`: bridges that change that, or else to show it."""
    opens = opening(state, state.turn)
    return tuple(text_of(Bridge(gap.first)) for gap in opens[:MOST_NAMED]) or ("show",)


def check_buy(state: State, move: Buy) -> None:
    """Raises IllegalMove if the tile can't buy cards now."""
    if state.step == "go":
        raise IllegalMove("bought_already", would=_would(state) or _instead(state))
    held = state.won[state.turn]
    if move.tile not in held:
        raise IllegalMove("tile_not_yours", tile=move.tile, held=held)
    if VALUE[move.tile] < 2:
        raise IllegalMove("tile_worthless", tile=move.tile, others=buyable(state, state.turn))


def check_show(state: State) -> None:
    """Raises IllegalMove if the hand allows a move, perhaps after laying the bridge."""
    would = _would(state) or _instead(state)
    if would != ("show",):
        raise IllegalMove("must_move", would=would)


def check_walk(state: State, path: Path, move: Go) -> tuple[int, ...]:
    """The landing of each card. Raises IllegalMove if the figure can't move by these cards."""
    start = state.figures[state.turn][FIGURES.index(move.figure)]
    if start == MAINLAND:
        raise IllegalMove("figure_home", figure=move.figure, out=not_home(state.figures[state.turn]))
    hand = state.hands[state.turn]
    if not move.cards:
        raise IllegalMove("no_card", figure=move.figure, hand=listed(hand), would=_would(state, move.figure))
    for card in move.cards:
        held = hand[ITEMS.index(card)]
        if move.cards.count(card) > held:
            raise IllegalMove(
                "card_not_held", card=card, wanted=move.cards.count(card), held=held, hand=listed(hand)
            )
    taken = {
        at: (seat, name)
        for seat, places in zip(state.seats, state.figures, strict=True)
        for name, at in zip(FIGURES, places, strict=True)
        if at != MAINLAND
    }
    stops: list[int] = []
    for number, card in enumerate(move.cards, 1):
        at = path.next(card, stops[-1] if stops else start)
        stops.append(at)
        if at not in taken and number < len(move.cards):
            enough = Go(move.figure, move.cards[:number])
            raise IllegalMove("card_too_many", figure=move.figure, space=at, would=(text_of(enough),))
    if stops[-1] in taken:
        seat, name = taken[stops[-1]]
        raise IllegalMove(
            "space_taken",
            figure=move.figure,
            space=stops[-1],
            tile=path.tops[stops[-1]],
            seat=seat,
            by=name,
            would=_would(state, move.figure, move.cards),
        )
    return tuple(stops)


def check_bridge(state: State, path: Path, move: Go, end: int) -> Gap:
    """The gap to bridge. Raises IllegalMove if the bridge can't be laid there."""
    space = move.bridge or 0
    _check_held(state)
    start = state.figures[state.turn][FIGURES.index(move.figure)]
    crossed = path.crossed(start, end)
    could = tuple((gap.first, gap.last, gap.cost) for gap in crossed if not gap.bridged)
    gap = path.gap_at(space)
    if gap is None:
        raise IllegalMove("bridge_no_gap", space=space, could=could, before=False)
    if gap not in crossed:
        raise IllegalMove("bridge_not_crossed", space=space, could=could, before=False)
    if gap.bridged:
        raise IllegalMove("bridge_there", space=space, could=could, before=False)
    return gap


def check_no_bridge(state: State, path: Path, move: Go) -> None:
    """Raises IllegalMove if a `go` has a bridge where bridges are laid before moving."""
    if move.bridge is None or state.bridging == "crossing":
        return
    _check_held(state)
    gap = path.gap_at(move.bridge)
    go = Go(move.figure, move.cards)
    would: tuple[str, ...] = ()
    if gap is not None and not gap.bridged:
        after = journeys(bridged(state, state.turn, gap), state.turn)
        if any(journey.go == go for journey in after):
            would = (f"{text_of(Bridge(gap.first))}, {text_of(go)}",)
    raise IllegalMove("bridge_before_moving", would=would or _would(state, move.figure, move.cards))


def check_lay(state: State, path: Path, move: Bridge) -> Gap:
    """The gap to bridge before moving. Raises IllegalMove if the bridge can't be laid there now."""
    if state.bridging == "crossing":
        gap = path.gap_at(move.space)
        with_bridge = [journey.go for journey in journeys(state, state.turn) if journey.go.bridge is not None]
        would = [go for go in with_bridge if gap is None or go.bridge == gap.first] or with_bridge
        texts = tuple(map(text_of, would[:MOST_NAMED]))
        raise IllegalMove("bridge_while_moving", would=texts, others=() if texts else _would(state))
    _check_held(state)
    could = tuple((gap.first, gap.last, gap.cost) for gap in bridgeable(state, state.turn))
    gap = path.gap_at(move.space)
    if gap is None:
        raise IllegalMove("bridge_no_gap", space=move.space, could=could, before=True)
    if gap.bridged:
        raise IllegalMove("bridge_there", space=move.space, could=could, before=True)
    return gap


def _check_held(state: State) -> None:
    lies = state.bridges[state.turn]
    if lies != HELD:
        raise IllegalMove("bridge_used", space=None if lies == SPENT else lies)


def too_dear(state: State, move: Go, cost: int, gaps: tuple[Gap, ...]) -> IllegalMove:
    """The refusal of a move that costs more than the player's funds after playing its cards."""
    funds = state.funds(state.turn) - len(move.cards)
    can_bridge = state.bridges[state.turn] == HELD and move.bridge is None
    return IllegalMove(
        "cannot_pay",
        cost=cost,
        means=funds,
        gaps=tuple((gap.first, gap.last, gap.toll) for gap in gaps if gap.toll),
        bridging=tuple(
            (gap.first, gap.last, cost - gap.cost)
            for gap in gaps
            if can_bridge and not gap.bridged and cost - gap.cost <= funds
        ),
        before=state.bridging == "any",
        would=_would(state) or _instead(state),
    )
