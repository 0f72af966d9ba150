"""What happened: the log of a match in the reader's words."""

from functools import cache
from typing import Any

from markupsafe import Markup

from app import draw, narrate
from app.engine.game import Event
from app.play.records import Heard, Sight
from app.web.house import house
from app.web.rendering import environment

LATELY = 8
"""So much of the log stands open for those who have not moved themselves."""


def story(sight: Sight, language: str) -> tuple[list[Markup], list[Markup]]:
    """What the reader knows already, and what he may not: all since the end of his last turn.

    The steps that he has taken in the turn at hand stand at the end of the second.
    """
    cut = len(sight.heard)
    if sight.seat is None:
        cut = max(0, cut - LATELY)
    else:
        while cut and sight.heard[cut - 1].seat == sight.seat:
            cut -= 1
        while cut and sight.heard[cut - 1].seat != sight.seat:
            cut -= 1
    told = [_entry(sight, one, language) for one in sight.heard]
    return [one for one in told[:cut] if one], [one for one in told[cut:] if one]


def _entry(sight: Sight, one: Heard, language: str) -> Markup:
    """The move in words; empty where there is nothing to say of it."""
    names = tuple((sitting.seat, sitting.name) for sitting in sight.sittings)
    key = (sight.match_id, sight.commitment, one.ply, one.move, sight.seat, sight.status, language, names)
    made = house().entries.get(key)
    if made is None:
        sentences = " ".join(narrate.sentences(sight.game, language, one.events, sight.name))
        said = sentences or one.what != "move"
        name = sight.name(one.seat) if one.seat else ""
        words = _macros().entry(sight.match_id, one, name, sentences) if said else ""
        made = house().entries.put(key, Markup(words))  # noqa: S704 - the template's own
    return made


@cache
def _macros() -> Any:
    return environment().get_template("play/entry.html").module


def lately(sight: Sight) -> tuple[str, ...]:
    """The names in what the last to act brought about: the board marks those that stand on it."""
    events: list[Event] = []
    last = sight.heard[-1].seat if sight.heard else None
    for one in reversed(sight.heard):
        if one.seat != last or one.what != "move":
            break
        events += one.events
    return draw.named(events)
