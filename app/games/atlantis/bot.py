"""A simple player: takes what brings most, counts what it costs, and keeps its bridge for dear water."""

from app.engine.chance import Chance
from app.engine.game import Decision, Move
from app.games.atlantis import purse
from app.games.atlantis.board import MAINLAND, VALUE
from app.games.atlantis.spelling import text_of
from app.games.atlantis.view import AtlantisView, Offer

BRIDGE_IS_WORTH = 4
HOME_IS_WORTH = 2
STEPS_PER_POINT = 20
"""So many spaces of way are worth a point."""


def answer(view: AtlantisView, decision: Decision, chance: Chance) -> Move:
    """The legal move that promises most; equal ones by chance."""
    moves = {text_of(move): move for move in decision.options}  # type: ignore[arg-type]
    offers = [offer for offer in view.offers if offer.text in moves and offer.kind != "buy"]
    best = max(map(_promise, offers))
    return moves[chance.pick([offer.text for offer in offers if _promise(offer) == best])]


def _promise(offer: Offer) -> float:
    if not offer.stops:
        return 0
    end = offer.stops[-1]
    return (
        (VALUE[offer.gains] if offer.gains else 0)
        + offer.draws
        - sum(map(purse.worth, offer.pays))
        - len(offer.stops)
        - (BRIDGE_IS_WORTH if offer.bridge else 0)
        + (HOME_IS_WORTH if end == MAINLAND else 0)
        + (min(end, MAINLAND) - offer.start) / STEPS_PER_POINT * (offer.start > 0)
    )
