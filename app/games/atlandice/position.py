"""A state as a position in the words of the rule sheet (section 10)."""

from app.engine.game import Position
from app.games.atlandice.board import AREAS, DISTRICTS, KINDS
from app.games.atlandice.state import State

BAGS = frozenset({"tiles", "gifts"})
"""The keys below which the order of a list has no meaning."""


def dump(state: State) -> Position:
    """The whole position of a state."""
    owners = state.owners
    position: Position = {
        "piles": {DISTRICTS[at]: list(pile) for at, pile in enumerate(state.piles) if pile},
        "stock": {AREAS[at]: dict(zip(KINDS, row, strict=True)) for at, row in enumerate(state.stock)},
        "owned": {owners[at]: dict(zip(KINDS, row, strict=True)) for at, row in enumerate(state.owned)},
        "tiles": {owners[at]: list(tiles) for at, tiles in enumerate(state.tiles)},
        "points": dict(zip(owners, state.points, strict=True)),
        "dice": dict(zip(AREAS, state.dice, strict=True)),
        "taken": dict(zip(state.seats, state.taken, strict=True)),
    }
    if state.served:
        position["neutral_given"] = dict(zip(state.seats, state.served, strict=True))
    if state.submarine is not None:
        position["submarine"] = AREAS[state.submarine]
    position["clock"] = state.clock
    position["first"] = state.seats[state.first]
    position["turn"] = {"seat": state.seats[state.turn], "step": state.step}
    if state.effect:
        position["effect"] = {
            "tile": state.effect.tile,
            "area": AREAS[state.effect.area],
            "for": owners[state.effect.owner],
            "before": [DISTRICTS[at] for at in state.effect.before],
        }
    if state.step == "donate":
        position["gifts"] = {
            name: [list(pair) for pair in gift]
            for name, gift in zip(state.seats, state.gifts, strict=False)
            if gift is not None
        }
    return position
