"""How much the events of Atlandice weigh in a report, and where on the board they took place."""

from app.engine.game import Count, Event, Move, Telling
from app.games.atlandice import events as e
from app.games.atlandice.board import AREAS
from app.games.atlandice.moves import Die, Fetch, Put, Submarine, Swap, Take, Visit
from app.games.atlandice.view import AtlandiceView

GAINS_AND_LOSSES = (e.Emptied, e.Sunk, e.Surveyed, e.Donated, e.Ranked)


def telling(event: Event) -> Telling:
    """The event's weight, and the areas where it took place."""
    course: tuple[str, ...] = ()
    if isinstance(event, e.Moved):
        course = (event.origin, event.to)
    elif isinstance(event, e.DieTurned):
        course = (event.area, event.to)
    elif isinstance(event, e.Swapped):
        course = (event.other, event.area)
    elif area := getattr(event, "area", ""):
        course = (area,)
    return Telling(2 if isinstance(event, GAINS_AND_LOSSES) else 1, course)


def course(view: AtlandiceView, move: Move) -> tuple[str, ...]:
    """The areas from which and to which a legal move would take something; none for a donation."""
    match move:
        case Visit(area) | Take(_, area) | Fetch(_, area):
            return (area,)
        case Swap(_, _, area):
            return (area, "jewelers")
        case Put(_, origin, to):
            return (origin, to)
        case Die(area, value):
            return (area, AREAS[value - 1])
        case Submarine(area):
            return (*(one.name for one in view.areas if one.submarine), area)
    return ()


FIGURES = ("effects", "visits")


def counts(event: Event) -> tuple[Count, ...]:
    """The rolls for effects, and the areas visited."""
    if isinstance(event, e.Rolled):
        return (Count("effects", event.seat, "hit" if event.hit else "miss"),)
    if isinstance(event, e.Visited):
        return (Count("visits", event.owner, event.area),)
    return ()
