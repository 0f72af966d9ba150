"""A simple player: weighs gains against costs, and saves its bridge for expensive gaps."""

from typing import Any

from app.engine.chance import Chance
from app.engine.game import Decision
from app.games.atlantis import payment
from app.games.atlantis.board import MAINLAND, VALUE
from app.games.atlantis.moves import AtlantisMove
from app.games.atlantis.notation.format import text_of
from app.games.atlantis.offers import Offer
from app.games.atlantis.view import AtlantisView

BRIDGE_IS_WORTH = 4
HOME_IS_WORTH = 2
STEPS_PER_POINT = 20
"""The number of spaces that count as much as a point."""


def answer(view: AtlantisView, decision: Decision, chance: Chance) -> AtlantisMove:
    """The legal move of the highest estimate, drawn at random among equals. Never buys."""
    moves: dict[str, Any] = {text_of(move): move for move in decision.options}  # type: ignore[arg-type]
    offers = [offer for offer in view.offers if offer.text in moves and offer.kind != "buy"]
    best = max(map(_estimate, offers))
    chosen: AtlantisMove = moves[chance.pick([offer.text for offer in offers if _estimate(offer) == best])]
    return chosen


def _estimate(offer: Offer) -> float:
    if not offer.stops:
        return 0
    end = offer.stops[-1]
    return (
        (VALUE[offer.gains] if offer.gains else 0)
        + offer.draws
        - sum(map(payment.worth, offer.pays))
        - len(offer.stops)
        - (BRIDGE_IS_WORTH if offer.bridge else 0)
        + (HOME_IS_WORTH if end == MAINLAND else 0)
        + (min(end, MAINLAND) - offer.start) / STEPS_PER_POINT * (offer.start > 0)
    )
