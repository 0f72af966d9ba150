"""How much the events of Atlantis weigh in a report, and where on the board they took place."""

from app.engine.game import Count, Event, Telling
from app.games.atlantis import events as e
from app.games.atlantis.board import ATLANTIS, MAINLAND
from app.games.atlantis.moves import AtlantisMove, Bridge, Go
from app.games.atlantis.notation.format import click_path
from app.games.atlantis.view import AtlantisView

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


def course(view: AtlantisView, move: AtlantisMove) -> tuple[str, ...]:
    """The way of a legal walk, or the ends of the gap that a bridge would cover; else none."""
    along: tuple[int, ...] = ()
    if isinstance(move, Go):
        offer = next((one for one in view.offers if one.points_at == click_path(move)), None)
        along = (offer.start, *offer.stops) if offer is not None else ()
    elif isinstance(move, Bridge):
        along = next(((one.first, one.last) for one in view.waters if one.first == move.space), ())
    return tuple(SHORES.get(one, f"space:{one}") for one in along)


FIGURES = ("draws", "gains")


def counts(event: Event) -> tuple[Count, ...]:
    """The cards drawn and the tiles gained, by item."""
    if isinstance(event, e.DrewCards):
        return tuple(Count("draws", event.seat, item) for item in event.cards)
    if isinstance(event, e.Gained):
        return (Count("gains", event.seat, event.tile[:-1]),)
    return ()
