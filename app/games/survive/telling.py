"""How much the events of Survive weigh in a report, and where on the board they took place."""

from app.engine.game import Count, Event, Telling
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


FIGURES = ("victims", "deaths", "rolls")


def counts(event: Event) -> tuple[Count, ...]:
    """The explorers that died, by killer and by cause, and the creature die."""
    if isinstance(event, e.Rolled):
        return (Count("rolls", event.seat, event.die),)
    if not isinstance(event, e.Died):
        return ()
    colours = [name.rstrip("0123456789") for name in event.explorers]
    killed = [] if event.cause == "volcano" else [Count("victims", event.seat, colour) for colour in colours]
    return (*killed, *(Count("deaths", colour, event.cause) for colour in colours))
