"""Why a move cannot be made, and what would do: facts for the player who wrote it."""

from app.engine.errors import IllegalMove
from app.games.atlantis.board import MAINLAND, VALUE
from app.games.atlantis.rules.options import buyable, journeys
from app.games.atlantis.spelling import text_of
from app.games.atlantis.state import HELD, SPENT, State, listed, out
from app.games.atlantis.way import Gap, Way
from app.games.atlantis.words import FIGURES, ITEMS, Buy, FigureName, Go, Item

MOST_NAMED = 4
"""So many moves are named as what would do."""


def _would(state: State, figure: FigureName | None = None, cards: tuple[Item, ...] = ()) -> tuple[str, ...]:
    """Legal moves near to what was written: of the figure, and beginning with the cards."""
    found = journeys(state, state.turn)
    near = [
        journey
        for journey in found
        if figure in (None, journey.go.figure) and journey.go.cards[: len(cards)] == cards
    ]
    return tuple(text_of(journey.go) for journey in near[:MOST_NAMED])


def unfit_buy(state: State, move: Buy) -> None:
    """Raises IllegalMove where the tile cannot be given for cards now."""
    if state.step == "go":
        raise IllegalMove("bought_already", would=_would(state) or ("show",))
    held = state.won[state.turn]
    if move.tile not in held:
        raise IllegalMove("tile_not_yours", tile=move.tile, held=held)
    if VALUE[move.tile] < 2:
        raise IllegalMove("tile_worthless", tile=move.tile, others=buyable(state, state.turn))


def unfit_show(state: State) -> None:
    """Raises IllegalMove where the hand allows a move."""
    would = _would(state)
    if would:
        raise IllegalMove("must_move", would=would)


def unfit_walk(state: State, way: Way, move: Go) -> tuple[int, ...]:
    """Where each card lands. Raises IllegalMove where the figure cannot go by these cards."""
    start = state.figures[state.turn][FIGURES.index(move.figure)]
    if start == MAINLAND:
        raise IllegalMove("figure_home", figure=move.figure, out=out(state.figures[state.turn]))
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
        at = way.next(card, stops[-1] if stops else start)
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
            tile=way.tops[stops[-1]],
            seat=seat,
            by=name,
            would=_would(state, move.figure, move.cards),
        )
    return tuple(stops)


def unfit_bridge(state: State, way: Way, move: Go, end: int) -> Gap:
    """The gap to be bridged. Raises IllegalMove where the bridge cannot be laid there."""
    space = move.bridge or 0
    lies = state.bridges[state.turn]
    if lies != HELD:
        raise IllegalMove("bridge_used", space=None if lies == SPENT else lies)
    start = state.figures[state.turn][FIGURES.index(move.figure)]
    crossed = way.crossed(start, end)
    could = tuple((gap.first, gap.last, gap.cost) for gap in crossed if not gap.bridged)
    gap = way.gap_at(space)
    if gap is None:
        raise IllegalMove("bridge_no_gap", space=space, could=could)
    if gap not in crossed:
        raise IllegalMove("bridge_not_crossed", space=space, could=could)
    if gap.bridged:
        raise IllegalMove("bridge_there", space=space, could=could)
    return gap


def too_dear(state: State, move: Go, cost: int, gaps: tuple[Gap, ...]) -> IllegalMove:
    """The refusal of a move that costs more than the player has after playing its cards."""
    means = state.means(state.turn) - len(move.cards)
    can_bridge = state.bridges[state.turn] == HELD and move.bridge is None
    return IllegalMove(
        "cannot_pay",
        cost=cost,
        means=means,
        gaps=tuple((gap.first, gap.last, gap.toll) for gap in gaps if gap.toll),
        bridging=tuple(
            (gap.first, gap.last, cost - gap.cost)
            for gap in gaps
            if can_bridge and not gap.bridged and cost - gap.cost <= means
        ),
        would=_would(state) or ("show",),
    )
