"""What happened, as paragraphs: the log of a match in the reader's words."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from app import draw, narrate
from app.engine.game import Event
from app.play.records import Heard, Sight

LATELY = 8
"""So much of the log stands open for those who have not moved themselves."""


class Paragraph(msgspec.Struct, frozen=True):
    """What one move brought about."""

    ply: int
    seat: str | None
    what: str
    sentences: tuple[str, ...]
    at: datetime
    move: str | None


def story(sight: Sight, language: str) -> tuple[tuple[Paragraph, ...], tuple[Paragraph, ...]]:
    """What the reader knows already, and what he may not: all since the end of his last turn.

    The steps that he has taken in the turn at hand stand at the end of the second.
    """
    told = tuple(_paragraphs(sight, sight.heard, language))
    cut = len(told)
    if sight.seat is not None:
        while cut and told[cut - 1].seat == sight.seat:
            cut -= 1
        while cut and told[cut - 1].seat != sight.seat:
            cut -= 1
    else:
        cut = max(0, cut - LATELY)
    return told[:cut], told[cut:]


def _paragraphs(sight: Sight, heard: Iterable[Heard], language: str) -> Iterable[Paragraph]:
    for one in heard:
        sentences = narrate.sentences(sight.game, language, one.events, sight.name)
        if sentences or one.what in ("undo", "resign", "start"):
            yield Paragraph(one.ply, one.seat, one.what, tuple(sentences), one.at, one.move)


def lately(sight: Sight) -> tuple[str, ...]:
    """The names in what the last to act brought about: the board marks those that stand on it."""
    events: list[Event] = []
    last = sight.heard[-1].seat if sight.heard else None
    for one in reversed(sight.heard):
        if one.seat != last or one.what != "move":
            break
        events += one.events
    return draw.named(events)
