"""A simple player: weighs gains against costs, and saves its bridge for expensive gaps."""

from collections.abc import Sequence
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
    """The legal move of the highest estimate, drawn at random among equals. Never buys.

    If only a bridge makes a move possible, the default move.
    """
    moves: dict[str, Any] = {text_of(move): move for move in decision.options}  # type: ignore[arg-type]
    estimates = {one.text: _estimate(one, view.offers) for one in view.offers if one.kind != "buy"}
    stuck = all(offer.kind in ("bridge", "buy") for offer in view.offers)
    best = max(estimates.values())
    choice = [text for text, estimate in estimates.items() if estimate == best]
    chosen: AtlantisMove = decision.default if stuck else moves[chance.pick(choice)]  # type: ignore[assignment]
    return chosen


def _estimate(offer: Offer, offers: Sequence[Offer]) -> float:
    if offer.kind == "bridge":
        return max((_with_bridge(offer, go) for go in offers if go.stops), default=-BRIDGE_IS_WORTH)
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


def _with_bridge(bridge: Offer, go: Offer) -> float:
    """The estimate of a move after laying a bridge before it."""
    gap = bridge.bridge or 0
    saved = min(bridge.cost, go.cost) if go.start < gap < go.stops[-1] else 0
    return _estimate(go, ()) + saved - BRIDGE_IS_WORTH
