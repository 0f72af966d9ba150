"""The effects of moves (rule sheet, section 3)."""

from app.engine.chance import Chance
from app.engine.errors import IllegalMove
from app.engine.game import Seat, Step
from app.games.atlantis import payment
from app.games.atlantis.board import FIGURES, MAINLAND, VALUE
from app.games.atlantis.events import Bought, Bridged, Gained, GainedNothing, Moved, Paid, Showed, Slid
from app.games.atlantis.moves import AtlantisMove, Bridge, Buy, Go
from app.games.atlantis.path import Gap, Path, path_of, settle_bridges
from app.games.atlantis.rules import refuse, scoring
from app.games.atlantis.rules.draft import Draft
from app.games.atlantis.state import SPENT, Places, Stacks, State, listed, minus, plus, put, ranked

SHOW_DRAWS = 2


def apply(state: State, seat: Seat, move: AtlantisMove, chance: Chance) -> Step:
    """The result of a move. Raises IllegalMove."""
    if state.step == "over":
        lays = isinstance(move, Bridge) or (isinstance(move, Go) and move.bridge is not None)
        raise IllegalMove("bridge_at_the_end" if lays else "over")
    if seat != state.seats[state.turn]:
        raise IllegalMove("not_your_turn", turn=state.seats[state.turn])
    draft = Draft(state, chance)
    if isinstance(move, Buy):
        return _buy(draft, move)
    if isinstance(move, Go):
        return _go(draft, move)
    if isinstance(move, Bridge):
        return _lay(draft, move)
    return _show(draft)


def _lay(draft: Draft, move: Bridge) -> Step:
    state = draft.state
    gap = refuse.check_lay(state, path_of(state), move)
    draft.tell(Bridged(draft.seat, gap.first, gap.last, f"gap:{gap.first}"))
    return draft.step(draft.result(bridges=put(state.bridges, draft.place, gap.first)))


def _buy(draft: Draft, move: Buy) -> Step:
    refuse.check_buy(draft.state, move)
    draft.won, _, _ = payment.spend((move.tile,), draft.won, draft.hand, draft.discard)
    cards = VALUE[move.tile] // 2
    draft.tell(Bought(draft.seat, move.tile, cards))
    idle = draft.state.idle
    if draft.draw(cards):
        idle = 0 if draft.draw_pile or any(draft.discard) else -1  # so that this turn won't count as idle
    return draft.step(draft.result(step="go", idle=idle))


def _show(draft: Draft) -> Step:
    refuse.check_show(draft.state)
    draft.tell(Showed(draft.seat, listed(draft.hand)))
    draft.reveals = True
    idle = 0 if draft.draw(SHOW_DRAWS) else draft.state.idle + 1
    if idle < len(draft.state.seats):
        return draft.step(draft.next_turn(idle=idle))
    return draft.step(scoring.finish(draft.result(idle=idle), None, draft.told))


def _go(draft: Draft, move: Go) -> Step:
    state = draft.state
    path = path_of(state)
    refuse.check_no_bridge(state, path, move)
    figure = FIGURES.index(move.figure)
    start = state.figures[draft.place][figure]
    stops = refuse.check_walk(state, path, move)
    end = stops[-1]
    draft.hand = minus(draft.hand, move.cards)
    draft.discard = plus(draft.discard, move.cards)
    draft.tell(Moved(draft.seat, move.figure, move.cards, start, stops, f"{draft.seat}:{move.figure}"))
    cost, gaps = path.cost(start, end), path.crossed(start, end)
    bridges = state.bridges
    if move.bridge is not None:
        gap = refuse.check_bridge(state, path, move, end)
        cost -= gap.cost
        gaps = tuple(other for other in gaps if other != gap)
        bridges = put(bridges, draft.place, gap.first)
        draft.tell(Bridged(draft.seat, gap.first, gap.last, f"gap:{gap.first}"))
    _pay(draft, move, cost, gaps)
    figures = put(state.figures, draft.place, put(state.figures[draft.place], figure, end))
    stacks, bridges = _take(draft, path, figures, bridges, end)
    draft.draw(1 + figures[draft.place].count(MAINLAND))
    if figures[draft.place] == scoring.HOME:
        after = draft.result(figures=figures, path=stacks, bridges=bridges, idle=0)
        return draft.step(scoring.finish(after, draft.seat, draft.told))
    return draft.step(draft.next_turn(figures=figures, path=stacks, bridges=bridges, idle=0))


def _pay(draft: Draft, move: Go, cost: int, gaps: tuple[Gap, ...]) -> None:
    pieces = payment.cheapest(cost, draft.won, draft.hand)
    if pieces is None:
        raise refuse.too_dear(draft.state, move, cost, gaps)
    if move.pay is not None:
        payment.check(cost, move.pay, draft.won, draft.hand)
        pieces = move.pay
    if pieces:
        draft.won, draft.hand, draft.discard = payment.spend(pieces, draft.won, draft.hand, draft.discard)
        draft.tell(Paid(draft.seat, cost, pieces))


def _take(
    draft: Draft, path: Path, figures: tuple[Places, ...], bridges: tuple[int, ...], end: int
) -> tuple[Stacks, tuple[int, ...]]:
    """Take the tile behind the figure. Returns the stacks and the bridges after it."""
    stacks = draft.state.path
    space = path.free_behind(end, [at for places in figures for at in places])
    if space is None:
        draft.tell(GainedNothing(draft.seat))
        return stacks, bridges
    tile, *under = stacks[space - 1]
    draft.won = ranked((*draft.won, tile))
    stacks = put(stacks, space - 1, tuple(under))
    if under:
        draft.reveals = True
        draft.tell(Gained(draft.seat, tile, space, under[0], f"space:{space}"))
        return stacks, bridges
    draft.tell(Gained(draft.seat, tile, space, None, f"space:{space}"))
    settled = settle_bridges(stacks, bridges)
    lost = tuple(
        seat
        for seat, old, new in zip(draft.state.seats, bridges, settled, strict=True)
        if old != new == SPENT
    )
    _slide(draft, path, space, lost)
    return stacks, settled


def _slide(draft: Draft, path: Path, space: int, lost: tuple[Seat, ...]) -> None:
    """Tell it if a space without its last tile, now water, touches Atlantis or the mainland and vanishes."""
    lying = [at for at, top in enumerate(path.tops) if top]
    left = [at for at in lying if at != space]
    if space == lying[0]:
        gone = range(space, left[0] if left else space + 1)
        draft.tell(Slid("atlantis", tuple(gone), lost))
    elif space == lying[-1]:
        gone = range(left[-1] + 1, space + 1)
        draft.tell(Slid("mainland", tuple(gone), lost))
