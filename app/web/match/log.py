"""What happened: the log of a match in the reader's words."""

from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from app import draw, narrate
from app.engine.game import Event
from app.play.match.records import LogEntry, Notice, PlayerView
from app.web.core.context import site
from app.web.core.rendering import environment
from app.web.match.clock_view import Times

LATELY = 8
"""So much of the log stands open for those who have not moved themselves."""


def story(sight: PlayerView, times: Times) -> tuple[list[Markup], list[Markup]]:
    """What the reader knows already, and what he may not: all since the end of his last turn.

    The steps that he has taken in the turn at hand stand at the end of the second. What the house told the
    table stands between the moves.
    """
    heard = sight.heard
    cut = len(heard)
    if sight.seat is None:
        cut = max(0, cut - LATELY)
    else:
        while cut and _own(sight, heard[cut - 1]):
            cut -= 1
        while cut and not _own(sight, heard[cut - 1]):
            cut -= 1
    known = heard[cut - 1].ply if cut else -1
    told = [(one.ply, 0, _entry(sight, one, times)) for one in heard]
    told += [(one.ply, 1, _notice(sight, one, times)) for one in sight.notices]
    told.sort(key=lambda one: one[:2])
    then = [words for ply, later, words in told if words and (ply, later) <= (known, 0)]
    since = [words for ply, later, words in told if words and (ply, later) > (known, 0)]
    return then, since


def _own(sight: PlayerView, one: LogEntry) -> bool:
    """The reader made the move himself: he need not be told of it."""
    return one.seat == sight.seat and not one.by_clock and not one.by_orders


def _notice(sight: PlayerView, one: Notice, times: Times) -> Markup:
    """What the house told the table, in the reader's words and time."""
    zone = ZoneInfo(times.zone or "UTC")
    name = sight.names_then(one.at)
    sentence = narrate.notice(times.language, one, name, lambda moment: moment.astimezone(zone))
    return Markup(_macros().notice(one, sentence, times.dated(one.at)))  # noqa: S704 - the template's own


def _entry(sight: PlayerView, one: LogEntry, times: Times) -> Markup:
    """The move in words; empty where there is nothing to say of it."""
    names = {sitting.seat: sight.name_then(sitting.seat, one.at) for sitting in sight.sittings}
    known = tuple(names.items())
    key = (sight.match_id, sight.commitment, one.ply, one.move, sight.seat, sight.status, times, known)
    made = site().entries.get(key)
    if made is None:
        name_of = sight.names_then(one.at)
        sentences = " ".join(narrate.sentences(sight.game, times.language, one.events, name_of))
        said = sentences or one.what != "move"
        name = names[one.seat] if one.seat else ""
        at = times.dated(one.at)
        words = _macros().entry(sight.match_id, one, name, sentences, at) if said else ""
        made = site().entries.put(key, Markup(words))  # noqa: S704 - the template's own
    return made


@cache
def _macros() -> Any:
    return environment().get_template("play/entry.html").module


def lately(sight: PlayerView) -> tuple[str, ...]:
    """The names in what the last to act brought about: the board marks those that stand on it."""
    events: list[Event] = []
    last = sight.heard[-1].seat if sight.heard else None
    for one in reversed(sight.heard):
        if one.seat != last or one.what != "move":
            break
        events += one.events
    return draw.named(events)
