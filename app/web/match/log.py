"""The report of a match: what happened, grouped by player and turn, in the reader's language and zone."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from flask import request
from markupsafe import Markup

from app import draw, narrate
from app.engine.game import Event, Telling
from app.play.match.records import LogEntry, Notice, PlayerView
from app.web.core.context import TellingOfPly, site
from app.web.core.rendering import environment
from app.web.match.clock_view import TimeFormat
from app.words import formats

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


class Report(msgspec.Struct, frozen=True):
    """The plies of a view in words, in their order."""

    view: PlayerView
    plies: tuple[tuple[LogEntry, TellingOfPly], ...]
    keys: Mapping[int, tuple[object, ...]]
    """By ply, what its words depend on."""

    def places(self) -> Iterator[str]:
        """The names of all places in the report, which the page's script marks when a step is pointed at."""
        return chain.from_iterable(told.places for _, told in self.plies)


def report(view: PlayerView, language: str) -> Report:
    """The view's plies in a language."""
    kept, keys, found = site().plies, {}, []
    whole = (view.match_id, view.commitment, view.game.edition, view.status == "running", language)
    names = tuple((info.seat, info.name) for info in view.sittings)
    changed = any(one.what == "seat_taken" for one in view.notices)
    for one in view.heard:
        if changed:
            names = tuple((info.seat, view.name_then(info.seat, one.at)) for info in view.sittings)
        # These decide what a ply tells: what happened in it never changes.
        key = (whole, one.ply, one.ear, one.move, one.by_orders, names)
        told = kept.get(key)
        if told is None:
            told = kept.put(key, _told(view, one, language))
        keys[one.ply] = key
        found.append((one, told))
    return Report(view, tuple(found), keys)


def log_card(told: Report, time_format: TimeFormat) -> LogCard:
    """The report with notices sorted in. The steps of the reader's current turn end the recent part."""
    view = told.view
    known, notices = known_until(view), view.notices
    earlier = (
        [one for one in told.plies if one[0].ply <= known],
        [one for one in notices if one.ply < known],
    )
    recent = ([one for one in told.plies if one[0].ply > known], [one for one in notices if one.ply >= known])
    return LogCard(
        earlier=list(_items(told, *earlier, time_format)),
        recent=list(_items(told, *recent, time_format)),
        more=view.ply >= len(view.heard),
    )


def log_items(view: PlayerView, time_format: TimeFormat) -> list[Markup]:
    """All turns and notices of the view."""
    told = report(view, time_format.language)
    return list(_items(told, told.plies, view.notices, time_format))


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
    """Where on the board these moves took place, each with the seat that made it.

    Of each seat an onlooker sees the last turn: more would lie over one another and hide the board.
    """
    made = news(view)
    found = [
        draw.Trail(one.ply, one.seat, told.course)
        for one in (made if view.seat is not None else last_turns(made))
        for told in map(view.game.telling, one.events)
        if told.course and told.weight != SETUP
    ]
    return tuple(found[-MOST_TRAILS:])


def last_turns(made: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """Of moves in their order the last ones in a row of each seat, back to where a seat returns."""
    kept: list[LogEntry] = []
    seats: list[str | None] = []
    for one in reversed(made):
        if one.seat in seats and one.seat != seats[-1]:
            break
        kept.append(one)
        seats.append(one.seat)
    return tuple(reversed(kept))


def last_changed(view: PlayerView) -> tuple[str, ...]:
    """The names in the events since the reader's last turn, for boards that say nothing of their places."""
    return draw.named(event for one in news(view) for event in one.events)


def _by_reader(view: PlayerView, one: LogEntry) -> bool:
    """Whether the reader made the move in person, neither the clock nor standing orders."""
    return one.seat == view.seat and not one.by_clock and not one.by_orders


def _items(
    told: Report,
    plies: Sequence[tuple[LogEntry, TellingOfPly]],
    notices: Iterable[Notice],
    time_format: TimeFormat,
) -> Iterator[Markup]:
    """The turns and the notices. A notice that was written within a turn follows it."""
    waiting = deque(notices)
    for _, together in groupby(plies, lambda one: one[1].setup or (one[0].seat,)):
        turn = tuple(together)
        while waiting and waiting[0].ply < turn[0][0].ply:
            yield _notice(told.view, waiting.popleft(), time_format)
        key = (time_format, *[told.keys[one.ply] for one, _ in turn])
        html = site().turns.get(key)
        if html is None:
            html = site().turns.put(key, _turn(told.view, turn, time_format))
        if html:
            yield html
    for one in waiting:
        yield _notice(told.view, one, time_format)


def _notice(view: PlayerView, one: Notice, time_format: TimeFormat) -> Markup:
    """A notice as an item of the report."""
    zone = ZoneInfo(time_format.zone or "UTC")
    name = view.names_then(one.at)
    sentence = narrate.notice(time_format.language, one, name, lambda moment: moment.astimezone(zone))
    return Markup(_macros(time_format.language).notice(one, sentence, time_format.dated(one.at)))  # noqa: S704 - escaped by the template


def _turn(
    view: PlayerView, plies: Sequence[tuple[LogEntry, TellingOfPly]], time_format: TimeFormat
) -> Markup:
    """The plies of a turn as an item of the report; empty when none has words."""
    lines = [line for _, told in plies for line in told.lines]
    if not lines:
        return Markup()
    last = plies[-1][0]
    return Markup(  # noqa: S704 - escaped by the template
        _macros(time_format.language).turn(
            view.match_id,
            "" if plies[0][1].setup else last.seat,
            view.name_then(last.seat, last.at) if last.seat else "",
            last.ply,
            time_format.dated(last.at),
            [html for weight, html in lines if weight == FIRST],
            [html for weight, html in lines if weight == STEP],
            [html for weight, html in lines if weight == SETUP],
        )
    )


def _told(view: PlayerView, one: LogEntry, language: str) -> TellingOfPly:
    """A ply in words. Steps that are set-up and nothing else are told together for all seats."""
    tellings = [(event, view.game.telling(event)) for event in one.events]
    setup = one.what == "start" or (one.what == "move" and {told.weight for _, told in tellings} == {SETUP})
    places = dict.fromkeys(place for _, told in tellings for place in told.course)
    return TellingOfPly(setup, tuple(_worded(view, one, language, tellings)), tuple(places))


def _worded(
    view: PlayerView, one: LogEntry, language: str, tellings: Sequence[tuple[Event, Telling]]
) -> Iterator[tuple[int, Markup]]:
    """A ply as lines of the report, each with its weight; none when it has no words."""
    name = view.names_then(one.at)
    weighed: dict[int, list[tuple[Event, Telling]]] = {}
    for event, told in tellings:
        weighed.setdefault(told.weight, []).append((event, told))
    spoken = {
        weight: sentences
        for weight, some in weighed.items()
        if (
            sentences := formats(language).together(
                narrate.sentences(view.game, language, [event for event, _ in some], name)
            )
        )
    }
    if one.what != "move":
        spoken.setdefault(STEP, "")
    with_text = STEP if STEP in spoken else min(spoken, default=STEP)
    for weight, sentences in spoken.items():
        places = dict.fromkeys(place for _, told in weighed.get(weight, ()) for place in told.course)
        line = _macros(language).step(view.match_id, one, sentences, weight == with_text, " ".join(places))
        yield weight, Markup(line)  # noqa: S704 - escaped by the template


@cache
def _macros(language: str) -> Any:
    return environment(language).get_template("play/entry.html").module
