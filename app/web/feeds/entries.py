"""Entries of feeds: consecutive moves of a seat, notices, the end, and turns that wait."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

import msgspec

from app import narrate
from app.play.match.records import LogEntry, Notice, PlayerView
from app.play.views.pending import Turn
from app.web.core.context import site


class Entry(msgspec.Struct, frozen=True):
    """An entry of a feed, as plain text."""

    id: str
    title: str
    sentences: tuple[str, ...]
    page: str
    updated: datetime


def match_title(view: PlayerView, language: str) -> str:
    """The name of a match."""
    return narrate.match_name(view.game, language, view.match_id)


def match_entries(view: PlayerView, language: str, zone: str) -> tuple[Entry, ...]:
    """The log of a match, newest first. The view must be an onlooker's."""
    assert view.seat is None
    found = [*_moves(view, language), *_notices(view, language, zone), *_end(view, language)]
    return tuple(sorted(found, key=lambda entry: entry.updated, reverse=True))


def turn_entry(turn: Turn, language: str, zone: str) -> Entry:
    """A turn that waits for the reader, with its deadline. The question is left out: it may be private."""
    title = narrate.match_name(turn.game, language, turn.match_id)
    sentences = []
    due = turn.deadline
    if due is not None and due.due_at is not None:
        until = narrate.moment(language, due.due_at.astimezone(ZoneInfo(zone)))
        sentences.append(_say(language, "feed_grace" if due.late else "feed_until", until))
    if due is not None and due.stands:
        sentences.append(_say(language, "feed_stands", due.why))
    return Entry(
        _id(turn.match_id, f"turn/{turn.seat}/{turn.ply}"),
        _say(language, "feed_turn", title),
        tuple(sentences),
        _page(turn.match_id),
        turn.since,
    )


def feed_id(name: str) -> str:
    """A permanent id (RFC 4151)."""
    return f"tag:{site().settings.mail_domain},2026:{name}"


def _id(match_id: int, name: str) -> str:
    return feed_id(f"m/{match_id}/{name}")


def _page(match_id: int) -> str:
    return f"{site().settings.url}/m/{match_id}"


def _say(language: str, name: str, *facts: object) -> str:
    return narrate.say(narrate.SITE, language, name, *facts)


def _moves(view: PlayerView, language: str) -> Iterator[Entry]:
    """One entry for each run of plies by the same player."""

    def same_run(one: LogEntry) -> tuple[object, ...]:
        player = view.name_then(one.seat, one.at) if one.seat is not None else ""
        return (one.seat, player, one.what, one.by_clock)

    runs = [list(plies) for _, plies in groupby(view.heard, key=same_run)]
    if len(runs) > 1 and runs[0][0].ply > 0:
        del runs[0]  # its first ply, which gives its id, may not be loaded
    for run in runs:
        first, name = run[0], view.names_then(run[0].at)
        events = [event for one in run for event in one.events]
        sentences = [
            *narrate.remarks(language, first, name),
            *narrate.sentences(view.game, language, events, name),
        ]
        if not sentences:
            continue
        title = match_title(view, language)
        if first.seat is not None:
            title = _say(language, "feed_played", title, name(first.seat))
        ply = _id(view.match_id, f"ply/{first.ply}")
        yield Entry(ply, title, tuple(sentences), _page(view.match_id), run[-1].at)


def _notices(view: PlayerView, language: str, zone: str) -> Iterator[Entry]:
    place = ZoneInfo(zone)

    def local(moment: datetime) -> datetime:
        return moment.astimezone(place)

    def entry(one: Notice) -> Entry:
        sentence = narrate.notice(language, one, view.names_then(one.at), local)
        title = match_title(view, language)
        return Entry(
            _id(view.match_id, f"notice/{one.notice_id}"), title, (sentence,), _page(view.match_id), one.at
        )

    return map(entry, view.notices)


def _end(view: PlayerView, language: str) -> Iterator[Entry]:
    if view.outcome is not None and view.ended_at is not None:
        ending = narrate.ending(view.game, language, view.outcome, view.name)
        title = _say(language, "feed_over", match_title(view, language))
        yield Entry(_id(view.match_id, "over"), title, (ending,), _page(view.match_id), view.ended_at)
