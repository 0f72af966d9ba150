"""A simple player."""

from app.engine.chance import Chance
from app.engine.game import Decision, Move
from app.games.survive.tidings import SurviveView
from app.games.survive.words import Orders


def choose(view: SurviveView, decision: Decision, chance: Chance) -> Move:
    """An answer that is always legal."""
    del view
    if not decision.options:
        return decision.default or Orders(random=True)
    return chance.pick(decision.options)
