"""Matches in lists: a player's own, and those that anybody may watch."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app import clock
from app.play.match.editions import known, rules_of
from app.play.match.records import MatchLine, SeatInfo
from app.play.views.pending import turns, urgency
from app.store.session import Store
from app.store.statement import Statement, moment, moment_or_none

_COLUMNS = """m.id, m.game, m.edition, m.status, m.demo, m.organiser_id,
    COALESCE(m.ended_at, m.started_at, m.created_at) AS at,
    c.seat, c.player_id, c.bot, COALESCE(p.name, c.name), c.resigned_at,
    (SELECT count(*) FROM question o WHERE o.match_id = m.id AND o.seat = c.seat
        AND o.closed_at IS NULL AND NOT o.optional), c.open_since"""
_TABLES = """LEFT JOIN chair c ON c.match_id = m.id AND c.until IS NULL
    LEFT JOIN player p ON p.id = c.player_id"""

_mine = Statement(
    f"""SELECT {_COLUMNS} FROM "match" m {_TABLES}
        WHERE m.status IN ('open', 'running', 'over') AND m.id IN (
            SELECT i.match_id FROM invitation i JOIN "match" t ON t.id = i.match_id AND t.status = 'open'
                WHERE i.player_id = ? AND i.status = 'accepted'
            UNION SELECT match_id FROM chair WHERE player_id = ? AND until IS NULL)
        ORDER BY at DESC, m.id DESC"""  # noqa: S608 - constants
)
_public = Statement(
    f"""SELECT {_COLUMNS} FROM (
            SELECT * FROM (SELECT * FROM "match" WHERE status = 'running'
                           ORDER BY started_at DESC LIMIT ?) r
            UNION ALL
            SELECT * FROM (SELECT * FROM "match" WHERE status = 'over'
                           ORDER BY ended_at DESC LIMIT ?) o) m {_TABLES}
        ORDER BY at DESC, m.id DESC"""  # noqa: S608 - constants
)
_ORDER = {"running": 0, "open": 1, "over": 2}


def mine(store: Store, player_id: int) -> tuple[MatchLine, ...]:
    """A player's matches: those that wait for him, others that run, tables not started, finished ones.

    Of those that wait the one with the nearest deadline comes first.
    """
    with store.reading() as connection:
        lines = tuple(_lines(_mine.fetch(connection, player_id, player_id), player_id))
        found = turns(connection, player_id, clock.now()) if any(line.waiting for line in lines) else ()
    until = {turn.match_id: turn.deadline for turn in found}
    timed = (msgspec.structs.replace(line, deadline=until.get(line.match_id)) for line in lines)
    return tuple(
        sorted(timed, key=lambda line: (not line.waiting, urgency(line.deadline), _ORDER[line.status]))
    )


def public_lines(store: Store, limit: int) -> tuple[MatchLine, ...]:
    """Running matches and then finished ones, the latest first, so many of each at most."""
    with store.reading() as connection:
        lines = _lines(_public.fetch(connection, limit, limit), None)
    return tuple(sorted(lines, key=lambda line: _ORDER[line.status]))


def _lines(rows: Sequence[Any], player_id: int | None) -> Iterable[MatchLine]:
    matches: dict[int, list[Any]] = {}
    for row in rows:
        if known(row[1], row[2]):
            matches.setdefault(row[0], []).append(row)
    for match_id, chairs in matches.items():
        _, slug, edition, status, demo, organiser_id, at, *_ = chairs[0]
        game = rules_of(slug, edition)
        by_seat = {row[7]: row for row in chairs if row[7] is not None}
        order = [seat for seat in game.colours if seat in by_seat]
        seat = next((s for s in order if player_id is not None and by_seat[s][8] == player_id), None)
        waited = tuple(s for s in order if by_seat[s][12])
        yield MatchLine(
            match_id=match_id,
            game=game,
            status=status,
            seat=seat,
            waiting=seat is not None and seat in waited and by_seat[seat][11] is None,
            organised=player_id is not None and organiser_id == player_id,
            sittings=tuple(_sitting(by_seat[s]) for s in order),
            to_move=waited,
            demo=bool(demo),
            at=moment(at),
        )


def _sitting(row: Any) -> SeatInfo:
    seat, _, bot, name, resigned_at, _, open_since = row[7:14]
    resigned = resigned_at is not None
    return SeatInfo(seat, name, bool(bot), resigned, open_since=moment_or_none(open_since))
