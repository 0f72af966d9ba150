"""The report of a match: what happened, grouped by player and turn, in the reader's language and zone."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from flask import request
from markupsafe import Markup

from app import draw, narrate
from app.engine.game import Event
from app.play.match.records import LogEntry, Notice, PlayerView
from app.web.core.context import site
from app.web.core.rendering import environment
from app.web.match.clock_view import TimeFormat

RECENT_PLIES = 8
"""Plies shown unfolded to onlookers and to players who have not moved yet."""
MOST_TRAILS = 60
"""Trails on a board. More would hide it; they are the trails of many turns ago."""
SETUP, STEP, FIRST = 0, 1, 2
"""The weights of `Telling`."""
_PLAYED = re.compile(r"([0-9]{1,9})\.([1-9][0-9]{0,2})")


class LogCard(msgspec.Struct, frozen=True):
    """The report, split at the end of the reader's last turn. Each item is a turn, or a notice."""

    earlier: list[Markup]
    recent: list[Markup]
    more: bool
    """There are plies before those loaded."""


def log_card(view: PlayerView, time_format: TimeFormat) -> LogCard:
    """The report with notices sorted in. The steps of the reader's current turn end the recent part."""
    known, heard, notices = known_until(view), view.heard, view.notices
    earlier = ([one for one in heard if one.ply <= known], [one for one in notices if one.ply < known])
    recent = ([one for one in heard if one.ply > known], [one for one in notices if one.ply >= known])
    return LogCard(
        earlier=list(_items(view, *earlier, time_format)),
        recent=list(_items(view, *recent, time_format)),
        more=view.ply >= len(view.heard),
    )


def log_items(view: PlayerView, time_format: TimeFormat) -> list[Markup]:
    """All turns and notices of the view."""
    return list(_items(view, view.heard, view.notices, time_format))


def known_until(view: PlayerView) -> int:
    """The last ply that the reader knows; -1: none. At an earlier position, only its last turn is news."""
    heard = view.heard
    cut = len(heard)
    if view.ply < view.last_ply:
        while cut and heard[cut - 1].seat == heard[-1].seat:
            cut -= 1
    elif view.seat is None:
        cut = max(0, cut - RECENT_PLIES)
    else:
        while cut and _by_reader(view, heard[cut - 1]):
            cut -= 1
        while cut and not _by_reader(view, heard[cut - 1]):
            cut -= 1
    return heard[cut - 1].ply if cut else -1


def just_played(view: PlayerView) -> tuple[LogEntry, ...]:
    """The reader's own plies that the query names: `played=ply.count`, the last ply and how many."""
    found = _PLAYED.fullmatch(request.args.get("played", ""))
    if found is None or view.seat is None:
        return ()
    own = [one for one in view.heard if one.ply <= int(found[1]) and _by_reader(view, one)]
    return tuple(own[-int(found[2]) :]) if own and own[-1].ply == int(found[1]) else ()


def news(view: PlayerView) -> tuple[LogEntry, ...]:
    """The moves since the reader's last turn that were not taken back."""
    known = known_until(view)
    standing: list[LogEntry] = []
    for one in view.heard:
        if one.what == "undo" and standing:
            standing.pop()
        elif one.what == "move":
            standing.append(one)
    return tuple(one for one in standing if one.ply > known)


def trails(view: PlayerView) -> tuple[draw.Trail, ...]:
    """Where on the board these moves took place, each with the seat that made it."""
    found = [
        draw.Trail(one.ply, one.seat, told.course)
        for one in news(view)
        for told in map(view.game.telling, one.events)
        if told.course and told.weight != SETUP
    ]
    return tuple(found[-MOST_TRAILS:])


def marked(view: PlayerView) -> Iterator[str]:
    """The names of all places in the report, which the page's script marks when a step is pointed at."""
    for one in view.heard:
        for event in one.events:
            yield from view.game.telling(event).course


def last_changed(view: PlayerView) -> tuple[str, ...]:
    """The names in the events since the reader's last turn, for boards that say nothing of their places."""
    return draw.named(event for one in news(view) for event in one.events)


def _by_reader(view: PlayerView, one: LogEntry) -> bool:
    """Whether the reader made the move in person, neither the clock nor standing orders."""
    return one.seat == view.seat and not one.by_clock and not one.by_orders


def _items(
    view: PlayerView, heard: Sequence[LogEntry], notices: Iterable[Notice], time_format: TimeFormat
) -> Iterator[Markup]:
    """The turns and the notices. A notice that was written within a turn follows it."""
    waiting = deque(notices)
    for _, plies in groupby(heard, lambda one: _is_setup(view, one) or (one.seat,)):
        turn = tuple(plies)
        while waiting and waiting[0].ply < turn[0].ply:
            yield _notice(view, waiting.popleft(), time_format)
        if html := _turn(view, turn, time_format):
            yield html
    for one in waiting:
        yield _notice(view, one, time_format)


def _is_setup(view: PlayerView, one: LogEntry) -> bool:
    """Whether the entry is set-up and nothing else. Such steps of all seats are told together."""
    weights = {view.game.telling(event).weight for event in one.events}
    return one.what == "start" or (one.what == "move" and weights == {SETUP})


def _notice(view: PlayerView, one: Notice, time_format: TimeFormat) -> Markup:
    """A notice as an item of the report."""
    zone = ZoneInfo(time_format.zone or "UTC")
    name = view.names_then(one.at)
    sentence = narrate.notice(time_format.language, one, name, lambda moment: moment.astimezone(zone))
    return Markup(_macros(time_format.language).notice(one, sentence, time_format.dated(one.at)))  # noqa: S704 - escaped by the template


def _turn(view: PlayerView, plies: Sequence[LogEntry], time_format: TimeFormat) -> Markup:
    """The plies of a turn as an item of the report; empty when none has words."""
    lines = [line for one in plies for line in _lines(view, one, time_format.language)]
    if not lines:
        return Markup()
    last = plies[-1]
    setup = _is_setup(view, plies[0])
    return Markup(  # noqa: S704 - escaped by the template
        _macros(time_format.language).turn(
            view.match_id,
            "" if setup else last.seat,
            view.name_then(last.seat, last.at) if last.seat else "",
            last.ply,
            time_format.dated(last.at),
            [html for weight, html in lines if weight == FIRST],
            [html for weight, html in lines if weight == STEP],
            [html for weight, html in lines if weight == SETUP],
        )
    )


def _lines(view: PlayerView, one: LogEntry, language: str) -> tuple[tuple[int, Markup], ...]:
    """A ply as lines of the report, each with its weight; none when it has no words."""
    names = tuple((info.seat, view.name_then(info.seat, one.at)) for info in view.sittings)
    heard = msgspec.json.encode(one)  # readers who heard the same share the lines
    key = (view.match_id, view.commitment, heard, language, names)
    lines = site().entries.get(key)
    return lines if lines is not None else site().entries.put(key, tuple(_worded(view, one, language)))


def _worded(view: PlayerView, one: LogEntry, language: str) -> Iterator[tuple[int, Markup]]:
    name = view.names_then(one.at)
    weighed: dict[int, list[Event]] = {}
    for event in one.events:
        weighed.setdefault(view.game.telling(event).weight, []).append(event)
    spoken = {
        weight: sentences
        for weight, events in weighed.items()
        if (sentences := " ".join(narrate.sentences(view.game, language, events, name)))
    }
    if one.what != "move":
        spoken.setdefault(STEP, "")
    with_text = STEP if STEP in spoken else min(spoken, default=STEP)
    for weight, sentences in spoken.items():
        places = [place for event in weighed.get(weight, ()) for place in view.game.telling(event).course]
        line = _macros(language).step(
            view.match_id, one, sentences, weight == with_text, " ".join(dict.fromkeys(places))
        )
        yield weight, Markup(line)  # noqa: S704 - escaped by the template


@cache
def _macros(language: str) -> Any:
    return environment(language).get_template("play/entry.html").module
