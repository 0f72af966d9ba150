"""How much the events of Atlantis weigh in a report, and where on the board they took place."""

from app.engine.game import Count, Event, Telling
from app.games.atlantis import events as e
from app.games.atlantis.board import ATLANTIS, MAINLAND

SHORES = {ATLANTIS: "shore:atlantis", MAINLAND: "shore:mainland"}
GAINS_AND_LOSSES = (e.Gained, e.Bought, e.Crossed)


def telling(event: Event) -> Telling:
    """The event's weight, and its course along the path."""
    if isinstance(event, e.Laid):
        return Telling(0)
    course: tuple[int, ...] = ()
    if isinstance(event, e.Moved):
        course = (event.start, *event.stops)
    elif isinstance(event, e.Bridged):
        course = (event.first, event.last)
    elif isinstance(event, e.Gained):
        course = (event.space,)
    elif isinstance(event, e.Slid):
        course = event.spaces[:1]
    weight = 2 if isinstance(event, GAINS_AND_LOSSES) else 1
    return Telling(weight, tuple(SHORES.get(one, f"space:{one}") for one in course))


FIGURES = ("draws", "gains")


def counts(event: Event) -> tuple[Count, ...]:
    """The cards drawn and the tiles gained, by item."""
    if isinstance(event, e.DrewCards):
        return tuple(Count("draws", event.seat, item) for item in event.cards)
    if isinstance(event, e.Gained):
        return (Count("gains", event.seat, event.tile[:-1]),)
    return ()
