"""How it ends (rule sheet, section 4)."""

from app.engine.game import Addressed, Outcome, Seat
from app.games.atlantis import purse
from app.games.atlantis.board import MAINLAND
from app.games.atlantis.state import State, out
from app.games.atlantis.way import way_of
from app.games.atlantis.words import FIGURES, Crossed, Ended

HOME = (MAINLAND,) * len(FIGURES)
ENDINGS = ("arrival", "standstill")


def finish(state: State, by: Seat | None, told: list[Addressed]) -> State:
    """The end: everybody brings his figures home on the path as it is, each for one sum."""
    told.append(Addressed(Ended(by)))
    way = way_of(state)
    hands, won, discard, short = list(state.hands), list(state.won), state.discard, [0] * len(state.seats)
    for place, seat in enumerate(state.seats):
        figures = out(state.figures[place])
        if not figures:
            continue
        cost = sum(way.cost(start, MAINLAND) for start in state.figures[place])
        pieces = purse.cheapest(cost, won[place], hands[place])
        if pieces is None:
            short[place] = cost - state.means(place)
            pieces = purse.everything(won[place], hands[place])
        won[place], hands[place], discard = purse.spent(pieces, won[place], hands[place], discard)
        told.append(Addressed(Crossed(seat, figures, cost, pieces, short[place])))
    return State(
        seats=state.seats,
        path=state.path,
        figures=(HOME,) * len(state.seats),
        bridges=state.bridges,
        hands=tuple(hands),
        won=tuple(won),
        draw=state.draw,
        discard=discard,
        turn=state.turn,
        step="over",
        idle=max(state.idle, 0),
        short=tuple(short),
    )


def outcome(state: State) -> Outcome | None:
    """Tiles kept, one point a card, less what could not be paid; equal scores share a place."""
    if state.step != "over":
        return None
    points = [state.means(place) - state.short[place] for place in range(len(state.seats))]
    return Outcome(
        places={
            seat: 1 + sum(other > own for other in points)
            for seat, own in zip(state.seats, points, strict=True)
        },
        scores=dict(zip(state.seats, points, strict=True)),
        reason="standstill" if state.idle >= len(state.seats) else "arrival",
    )
