"""The final crossing and the score (rule sheet, section 4)."""

import msgspec

from app.engine.game import Addressed, Outcome, Seat
from app.games.atlantis import payment
from app.games.atlantis.board import FIGURES, MAINLAND
from app.games.atlantis.events import Crossed, Ended
from app.games.atlantis.path import path_of
from app.games.atlantis.state import State, not_home

HOME = (MAINLAND,) * len(FIGURES)
ENDINGS = ("arrival", "standstill")


def finish(state: State, by: Seat | None, told: list[Addressed]) -> State:
    """The state after the final crossing: each player brings the remaining figures home for one sum."""
    told.append(Addressed(Ended(by)))
    path = path_of(state)
    hands, won, discard, short = list(state.hands), list(state.won), state.discard, [0] * len(state.seats)
    for place, seat in enumerate(state.seats):
        figures = not_home(state.figures[place])
        if not figures:
            continue
        cost = sum(path.cost(start, MAINLAND) for start in state.figures[place])
        pieces = payment.cheapest(cost, won[place], hands[place])
        if pieces is None:
            short[place] = cost - state.funds(place)
            pieces = payment.everything(won[place], hands[place])
        won[place], hands[place], discard = payment.spend(pieces, won[place], hands[place], discard)
        told.append(Addressed(Crossed(seat, figures, cost, pieces, short[place])))
    return msgspec.structs.replace(
        state,
        figures=(HOME,) * len(state.seats),
        hands=tuple(hands),
        won=tuple(won),
        discard=discard,
        step="over",
        idle=max(state.idle, 0),
        short=tuple(short),
    )


def points(state: State) -> dict[Seat, int]:
    """For each seat the value of its tiles and cards, minus what it could not pay."""
    short = state.short or (0,) * len(state.seats)
    return {seat: state.funds(place) - short[place] for place, seat in enumerate(state.seats)}


def outcome(state: State) -> Outcome | None:
    """The result, or None if the game isn't over.

    Each score is the value of the tiles, plus one per card, minus unpaid costs. Equal scores share a place.
    """
    if state.step != "over":
        return None
    scores = points(state)
    return Outcome(
        places={seat: 1 + sum(other > own for other in scores.values()) for seat, own in scores.items()},
        scores=scores,
        reason="standstill" if state.idle >= len(state.seats) else "arrival",
    )
