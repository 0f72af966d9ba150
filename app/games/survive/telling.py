"""How much the events of Survive weigh in a report, and where on the board they took place."""

from app.engine.game import Event, Telling
from app.games.survive import events as e

SETUP = (e.ExplorerPlaced, e.ShipPlaced, e.OrdersGiven, e.ValuesDealt)
GAINS_AND_LOSSES = (e.Died, e.Saved, e.Rescued, e.Wrecked, e.Swallowed, e.Defended)


def telling(event: Event, usual: Telling) -> Telling:
    """The event's weight, and its course: `usual`, but ashore on an isle, or away from a ship."""
    weight = 0 if isinstance(event, SETUP) else 2 if isinstance(event, GAINS_AND_LOSSES) else usual.weight
    course = usual.course
    if isinstance(event, e.Saved):
        course = (event.start, f"isle:{event.isle}")
    return Telling(weight, course)
