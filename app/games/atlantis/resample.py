"""Redealing everything that a seat doesn't know."""

import msgspec

from app.engine.chance import Chance
from app.engine.game import Seat
from app.games.atlantis.board import SPACES, half_of
from app.games.atlantis.state import State, counted, listed


def resample(state: State, seat: Seat | None, chance: Chance) -> State:
    """The state with the hands of others, the draw pile and all lower tiles dealt anew.

    Of all states that the seat can't tell apart, equal chance makes the same one.
    """
    own = state.seats.index(seat) if seat in state.seats else None
    others = [place for place in range(len(state.seats)) if place != own]
    unseen = [*state.draw, *(card for at in others for card in listed(state.hands[at]))]
    cards = list(chance.shuffled(sorted(unseen)))
    hands = list(state.hands)
    for place in others:
        size = sum(hands[place])
        hands[place] = counted(cards[:size])
        del cards[:size]
    path = list(state.path)
    for half in ("A", "B", ""):
        spaces = [n for n in range(1, SPACES + 1) if half_of(n) == half and len(path[n - 1]) > 1]
        lower = chance.shuffled(sorted(path[n - 1][1] for n in spaces))
        for n, tile in zip(spaces, lower, strict=True):
            path[n - 1] = (path[n - 1][0], tile)
    return msgspec.structs.replace(state, path=tuple(path), hands=tuple(hands), draw=tuple(cards))
