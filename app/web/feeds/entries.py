"""A match as entries of a feed: what everybody may know, one entry for each stretch of one seat's moves."""

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
    """One thing that happened or waits. All of it is text."""

    id: str
    title: str
    sentences: tuple[str, ...]
    page: str
    updated: datetime


def heading(sight: PlayerView, language: str) -> str:
    """A match as it is called in lists of many."""
    return narrate.match_name(sight.game, language, sight.match_id)


def happened(seen: PlayerView, language: str, zone: str) -> tuple[Entry, ...]:
    """What an onlooker sees of a match, the latest first. The sight must be an onlooker's."""
    assert seen.seat is None
    found = [*_moves(seen, language), *_notices(seen, language, zone), *_end(seen, language)]
    return tuple(sorted(found, key=lambda entry: entry.updated, reverse=True))


def waits(turn: Turn, language: str, zone: str) -> Entry:
    """A turn that waits for the reader, with its deadline. What is asked may be his alone: it is not said."""
    title = narrate.match_name(turn.game, language, turn.match_id)
    sentences = []
    due = turn.deadline
    if due is not None and due.due_at is not None:
        until = narrate.moment(language, due.due_at.astimezone(ZoneInfo(zone)))
        sentences.append(_say(language, "feed_grace" if due.late else "feed_until", until))
    if due is not None and due.stands:
        sentences.append(_say(language, "feed_stands", _say(language, f"stands_{due.why}")))
    return Entry(
        _id(turn.match_id, f"turn/{turn.seat}/{turn.run}"),
        _say(language, "feed_turn", title),
        tuple(sentences),
        _page(turn.match_id),
        turn.since,
    )


def feed_id(what: str) -> str:
    """A name that stays the same for ever."""
    return f"tag:{site().settings.mail_domain},2026:{what}"


def _id(match_id: int, what: str) -> str:
    return feed_id(f"m/{match_id}/{what}")


def _page(match_id: int) -> str:
    return f"{site().settings.url}/m/{match_id}"


def _say(language: str, name: str, *facts: object) -> str:
    return narrate.say(narrate.SITE, language, name, *facts)


def _moves(seen: PlayerView, language: str) -> Iterator[Entry]:
    def stretch_of(one: LogEntry) -> tuple[object, ...]:
        who = seen.name_then(one.seat, one.at) if one.seat is not None else ""
        return (one.seat, who, one.what, one.by_clock)

    stretches = [list(plies) for _, plies in groupby(seen.heard, key=stretch_of)]
    if len(stretches) > 1 and stretches[0][0].ply > 0:
        del stretches[0]  # its beginning may be out of sight, and with it its name
    for stretch in stretches:
        seat, name = stretch[0].seat, seen.names_then(stretch[0].at)
        sentences = narrate.remarks(language, stretch[0], name)
        events = [event for one in stretch for event in one.events]
        sentences += narrate.sentences(seen.game, language, events, name)
        if not sentences:
            continue
        who = name(seat) if seat is not None else ""
        title = heading(seen, language) + (f": {who}" if who else "")
        yield Entry(
            _id(seen.match_id, f"ply/{stretch[0].ply}"),
            title,
            tuple(sentences),
            _page(seen.match_id),
            stretch[-1].at,
        )


def _notices(seen: PlayerView, language: str, zone: str) -> Iterator[Entry]:
    place = ZoneInfo(zone)

    def local(moment: datetime) -> datetime:
        return moment.astimezone(place)

    def entry(one: Notice) -> Entry:
        sentence = narrate.notice(language, one, seen.names_then(one.at), local)
        title = heading(seen, language)
        return Entry(
            _id(seen.match_id, f"notice/{one.notice_id}"), title, (sentence,), _page(seen.match_id), one.at
        )

    return map(entry, seen.notices)


def _end(seen: PlayerView, language: str) -> Iterator[Entry]:
    if seen.outcome is not None and seen.ended_at is not None:
        ending = narrate.ending(seen.game, language, seen.outcome, seen.name)
        title = _say(language, "feed_over", heading(seen, language))
        yield Entry(_id(seen.match_id, "over"), title, (ending,), _page(seen.match_id), seen.ended_at)
