"""The log of a match in the reader's language and time zone."""

import re
from functools import cache
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
_PLAYED = re.compile(r"([0-9]{1,9})\.([1-9][0-9]{0,2})")


class LogCard(msgspec.Struct, frozen=True):
    """The log, split at the end of the reader's last turn."""

    earlier: list[Markup]
    recent: list[Markup]
    whole: bool
    """The whole log was requested."""
    more: bool
    """There are plies before those loaded."""


def log_card(view: PlayerView, time_format: TimeFormat) -> LogCard:
    """The log with notices sorted in. The steps of the reader's current turn end the recent part."""
    heard = view.heard
    cut = len(heard)
    if view.seat is None:
        cut = max(0, cut - RECENT_PLIES)
    else:
        while cut and _by_reader(view, heard[cut - 1]):
            cut -= 1
        while cut and not _by_reader(view, heard[cut - 1]):
            cut -= 1
    known = heard[cut - 1].ply if cut else -1
    lines = [(one.ply, 0, _entry(view, one, time_format)) for one in heard]
    lines += [(one.ply, 1, _notice(view, one, time_format)) for one in view.notices]
    lines.sort(key=lambda line: line[:2])
    whole = request.args.get("log") == "all"
    return LogCard(
        earlier=[html for ply, order, html in lines if html and (ply, order) <= (known, 0)],
        recent=[html for ply, order, html in lines if html and (ply, order) > (known, 0)],
        whole=whole,
        more=not whole and view.ply > len(heard),
    )


def just_played(view: PlayerView) -> tuple[LogEntry, ...]:
    """The reader's own plies that the query names: `played=ply.count`, the last ply and how many."""
    found = _PLAYED.fullmatch(request.args.get("played", ""))
    if found is None or view.seat is None:
        return ()
    own = [one for one in view.heard if one.ply <= int(found[1]) and _by_reader(view, one)]
    return tuple(own[-int(found[2]) :]) if own and own[-1].ply == int(found[1]) else ()


def _by_reader(view: PlayerView, one: LogEntry) -> bool:
    """Whether the reader made the move in person, neither the clock nor standing orders."""
    return one.seat == view.seat and not one.by_clock and not one.by_orders


def _notice(view: PlayerView, one: Notice, time_format: TimeFormat) -> Markup:
    """A notice as a line of the log."""
    zone = ZoneInfo(time_format.zone or "UTC")
    name = view.names_then(one.at)
    sentence = narrate.notice(time_format.language, one, name, lambda moment: moment.astimezone(zone))
    return Markup(_macros(time_format.language).notice(one, sentence, time_format.dated(one.at)))  # noqa: S704 - escaped by the template


def _entry(view: PlayerView, one: LogEntry, time_format: TimeFormat) -> Markup:
    """A ply as a line of the log; empty when it has no words."""
    names = {info.seat: view.name_then(info.seat, one.at) for info in view.sittings}
    known = tuple(names.items())
    heard = msgspec.json.encode(one)  # readers who heard the same share the line
    key = (view.match_id, view.commitment, heard, time_format, known)
    html = site().entries.get(key)
    if html is None:
        name_of = view.names_then(one.at)
        sentences = " ".join(narrate.sentences(view.game, time_format.language, one.events, name_of))
        name = names[one.seat] if one.seat else ""
        at = time_format.dated(one.at)
        worded = sentences or one.what != "move"
        line = _macros(time_format.language).entry(view.match_id, one, name, sentences, at) if worded else ""
        html = site().entries.put(key, Markup(line))  # noqa: S704 - escaped by the template
    return html


@cache
def _macros(language: str) -> Any:
    return environment(language).get_template("play/entry.html").module


def last_changed(view: PlayerView) -> tuple[str, ...]:
    """The names in the events of the last seat's moves, which the board highlights."""
    events: list[Event] = []
    last = view.heard[-1].seat if view.heard else None
    for one in reversed(view.heard):
        if one.seat != last or one.what != "move":
            break
        events += one.events
    return draw.named(events)
