"""The standing defence (rules, section 4.5), which answers attacks at once."""

from app.engine.game import Decision, Move, Policy
from app.games.survive.rules.legal import ALLOW, DEFEND
from app.games.survive.view import SurviveView

POLICIES = (Policy("defend", "defend", ("ask", "always", "at least N", "never")),)


def apply_policy(view: SurviveView, decision: Decision, text: str) -> Move | None:
    """The answer to an attack: `defend` if wanted and the tile is held, else `allow`.

    None: ask the player. Whether it is None never depends on the hand.
    """
    if decision.asks != "defend" or view.attack is None or text == "ask":
        return None
    hit = view.attack.hit.get(decision.seat, 0)
    wanted = text == "always" or (text.startswith("at least ") and hit >= int(text.rpartition(" ")[2]))
    return DEFEND if wanted and DEFEND in decision.options else ALLOW
