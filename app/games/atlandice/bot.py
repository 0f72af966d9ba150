"""A simple player: takes resources that bring the lead closest, and gives away idle ones."""

from app.engine.chance import Chance
from app.engine.game import Decision, Move
from app.games.atlandice.board import NEUTRAL
from app.games.atlandice.moves import Donate, Fetch, Put, Swap, Take, Visit
from app.games.atlandice.view import AtlandiceView

LATE = 0.6
"""From this share of the clock on, a pair of idle resources is worth its point."""


def choose(view: AtlandiceView, decision: Decision, chance: Chance) -> Move:
    """The best-valued option; chance decides between equals."""
    worth = {kind: _worth(view, decision.seat, kind) for kind in view.kinds}
    best: list[Move] = []
    most = float("-inf")
    for option in decision.options:
        value = _value(view, option, worth)
        if value > most:
            best, most = [], value
        if value == most:
            best.append(option)
    return chance.pick(best)


def _worth(view: AtlandiceView, seat: str, kind: str) -> float:
    """The worth of one more of the kind: highest where the lead is close."""
    mine = next(owner.owned[kind] for owner in view.owners if owner.name == seat)
    others = max(owner.owned[kind] for owner in view.owners if owner.name != seat)
    return 4.0 - min(3, abs(others - mine)) - (0.5 if mine < others - 1 else 0.0)


def _value(view: AtlandiceView, option: Move, worth: dict[str, float]) -> float:
    match option:
        case Visit(_, kinds, neutral):
            gain = sum(worth.get(kind, 0) for kind in kinds)
            # The neutral player should get little.
            return 3 - gain if neutral else gain
        case Take(kinds, _):
            gain = sum(worth.get(kind, 0) for kind in kinds)
            return -gain if view.effect and view.effect.owner == NEUTRAL else gain
        case Fetch(kind, _):
            gain = worth.get(kind, 0)
            return -gain if view.effect and view.effect.owner == NEUTRAL else gain
        case Swap(kind, other, _):
            return worth.get(other, 0) - worth.get(kind, 0)
        case Put(kind, _, to):
            return worth.get(kind, 0) * (1 if to == "market" else -1)
        case Donate(pairs):
            return (
                sum(1.5 - worth.get(kind, 0) for pair in pairs for kind in pair)
                if view.clock >= LATE * view.last_space
                else -len(pairs)
            )
    return 0.0
