"""One letter a day about all matches: those that wait for the reader, and what happened in the others."""

from typing import Any

import msgspec

from app import clock, narrate
from app.mail.core.context import LetterContext, MailContext, Page
from app.mail.core.letter import Dropped, Reached
from app.mail.letters import deadlines
from app.mail.letters.recap import Passage, told
from app.play.match import links
from app.play.match.records import LogEntry, PlayerView, Viewer
from app.play.views.player_view import player_view
from app.store.statement import Statement, moment, stored

MOST_MATCHES = 30
MOST_PLIES = 20
MOST_SENTENCES = 6
"""Passage of one match, beside what players said; more is on its page."""
MOST_SAID = 6
"""Things said at one table."""

_gathered = Statement(
    """SELECT l.id, l.kind, l.match_id, l.seat, l.created_at, c.seen_at, p.seen_at,
              EXISTS (SELECT 1 FROM question q WHERE q.match_id = l.match_id AND q.seat = l.seat
                      AND q.run = l.run AND q.closed_at IS NULL AND NOT q.optional),
              EXISTS (SELECT 1 FROM question q WHERE q.match_id = l.match_id AND q.seat = l.seat
                      AND q.run = l.run AND q.answer IS NOT NULL)
       FROM letter l
       JOIN player p ON p.id = l.player_id
       LEFT JOIN chair c ON c.match_id = l.match_id AND c.player_id = l.player_id AND c.until IS NULL
       WHERE l.player_id = ? AND l.kind <> 'digest' AND l.due_at = ?
         AND (l.status = 'waiting' AND l.reason = 'digest' OR l.status = 'dropped' AND l.reason = 'digested')
       ORDER BY l.created_at"""
)
_sits = Statement(
    """SELECT c.match_id, c.seat, c.heard_ply, c.heard_notice,
              (SELECT min(q.run) FROM question q WHERE q.match_id = c.match_id AND q.seat = c.seat
               AND q.closed_at IS NULL AND NOT q.optional AND m.status = 'running'
               AND c.until IS NULL AND c.resigned_at IS NULL),
              (SELECT min(q.due_at) FROM question q WHERE q.match_id = c.match_id AND q.seat = c.seat
               AND q.closed_at IS NULL AND NOT q.optional)
       FROM chair c JOIN "match" m ON m.id = c.match_id
       WHERE c.player_id = ? AND m.status IN ('running', 'over') ORDER BY c.match_id, c.id"""
)


class Line(msgspec.Struct, frozen=True):
    """A match in a digest."""

    title: str
    seat: str
    waits: bool
    asks: str
    """What is asked of the reader."""
    until: tuple[str, ...]
    """The deadline in sentences, where there is one."""
    ending: str
    """How it ended; empty while it goes on."""
    happened: tuple[Passage, ...]
    more: bool
    """More happened than is told."""
    url: str


def digest(desk: MailContext, errand: LetterContext) -> Page | Dropped:
    """To a player at his hour, where anything is new: all that waits for him, and what happened elsewhere."""
    at = errand.digest_at
    with desk.store.reading() as connection:
        held = _gathered.fetch(connection, errand.player_id, stored(connection, at) if at else None)
        sits = _sits.fetch(connection, errand.player_id)
    gathered = tuple(row[0] for row in held)
    new = {row[2] for row in held if _is_new(row)}
    if not new:
        return Dropped("nothing_new", gathered)
    lines: list[Line] = []
    reached: dict[int, Reached] = {}
    for match_id, seat, heard_ply, heard_notice, run, _ in sorted(sits, key=_urgency):
        if (match_id not in new and run is None) or match_id in reached or len(lines) == MOST_MATCHES:
            continue
        seen = player_view(desk.store, match_id, Viewer(player_id=errand.player_id), last=MOST_PLIES)
        notices = tuple(one for one in seen.notices if one.notice_id > heard_notice)
        reached[match_id] = Reached(match_id, seen.ply, max((one.notice_id for one in notices), default=None))
        notices = tuple(one for one in notices if one.what != "said" or one.by_seat != seat)
        plies = [ply for ply in seen.heard if ply.ply > heard_ply and not _by_himself(ply, seat)]
        happened, whole = told(errand, seen, plies, notices)
        lines.append(_line(desk, errand, seen, seat, _shortened(happened, whole=whole), run))
    facts: dict[str, Any] = {
        "reader": errand.name,
        "lines": lines,
        "waiting": sum(line.waits for line in lines),
        "day": errand.house("day", errand.local(clock.now())),
        "lobby_url": desk.link("/"),
    }
    return Page(facts, "Tidepost", reached=tuple(reached.values()), gathered=gathered)


def _urgency(row: Any) -> tuple[bool, bool, str, int]:
    """What waits first, by its deadline."""
    match_id, *_, run, due_at = row
    return run is None, due_at is None, str(due_at), match_id


def _is_new(row: Any) -> bool:
    """Whether what a letter would have told is still to be told."""
    _, kind, _, _, created_at, chair_seen, player_seen, waits, answered = row
    seen = [moment(one) for one in (chair_seen, player_seen) if one is not None]
    if kind != "asked":
        return True
    return bool(waits) and not answered and not any(one >= moment(created_at) for one in seen)


def _by_himself(ply: LogEntry, seat: str) -> bool:
    """What he did on the page or by reply is no news to him."""
    return ply.seat == seat and ply.what == "move" and not (ply.by_clock or ply.by_orders)


def _shortened(happened: list[Passage], *, whole: bool) -> tuple[tuple[Passage, ...], bool]:
    """The last of what happened, and all that was said; whether that is less than all of it."""
    kept: list[Passage] = []
    rooms = {True: MOST_SAID, False: MOST_SENTENCES}
    for one in happened[::-1]:
        sentences = one.sentences[-rooms[one.said] :] if rooms[one.said] > 0 else ()
        rooms[one.said] -= len(sentences)
        whole = whole and len(sentences) == len(one.sentences)
        if sentences:
            kept.insert(0, Passage(one.when, sentences, one.said))
    return tuple(kept), not whole


def _line(
    desk: MailContext,
    errand: LetterContext,
    seen: PlayerView,
    seat: str,
    happened: tuple[tuple[Passage, ...], bool],
    run: int | None,
) -> Line:
    url = desk.link(links.match_path(seen.match_id))
    if run is not None:
        url = desk.turn_link(errand, seen.match_id, seat, run)
    until = [
        sentence
        for one in seen.deadlines
        if one.seat == seat
        for sentence in deadlines.sentences(errand, one, seen.rule)
    ]
    asks = [
        narrate.asks(seen.game, errand.language, one.decision, seen.view)
        for one in seen.asked
        if not one.decision.optional
    ]
    return Line(
        title=narrate.match_name(seen.game, errand.language, seen.match_id),
        seat=errand.house("seat", seat),
        waits=run is not None,
        asks=" ".join(asks) if run is not None else "",
        until=tuple(until) if run is not None else (),
        ending=narrate.ending(seen.game, errand.language, seen.outcome, seen.name) if seen.outcome else "",
        happened=happened[0],
        more=happened[1],
        url=url,
    )
