"""Lists of matches: a player's own, and the public ones."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

import msgspec

from app import clock
from app.engine.game import Outcome
from app.people.names import told_apart
from app.play.match.editions import known, rules_of
from app.play.match.records import MatchLine, SeatInfo
from app.play.views.pending import turns, urgency
from app.store.session import Store
from app.store.sql import Query


class ListRow(msgspec.Struct, frozen=True):
    """A seat of a match; before the start, the match alone."""

    match_id: int
    slug: str
    edition: int
    status: str
    demo: bool
    organiser_id: int | None
    at: datetime
    seat: str | None
    player_id: int | None
    bot: bool | None
    name: str | None
    resigned: bool
    questions: int
    open_since: datetime | None
    ply: int
    outcome: str | None


COLUMNS = """m.id AS match_id, m.game AS slug, m.edition, m.status, m.demo, m.organiser_id,
    COALESCE(m.ended_at, m.started_at, m.created_at) AS at,
    c.seat, c.player_id, c.bot, COALESCE(p.name, c.name) AS name, c.resigned_at IS NOT NULL AS resigned,
    (SELECT count(*) FROM question o WHERE o.match_id = m.id AND o.seat = c.seat
        AND o.closed_at IS NULL AND NOT o.optional) AS questions, c.open_since, m.ply, m.outcome"""
TABLES = """LEFT JOIN chair c ON c.match_id = m.id AND c.until IS NULL
    LEFT JOIN player p ON p.id = c.player_id"""

_own = Query(
    ListRow,
    f"""SELECT {COLUMNS} FROM "match" m {TABLES}
        WHERE m.status IN ('open', 'running', 'over') AND m.id IN (
            SELECT i.match_id FROM invitation i CROSS JOIN "match" t
                WHERE i.player_id = :player_id AND i.status = 'accepted'
                  AND t.id = i.match_id AND t.status = 'open'
            UNION SELECT match_id FROM chair WHERE player_id = :player_id AND until IS NULL)
        ORDER BY at DESC, m.id DESC""",  # noqa: S608 - constants
)
_public = Query(
    ListRow,
    f"""SELECT {COLUMNS} FROM (
            SELECT * FROM (SELECT * FROM "match" WHERE status = 'running' AND NOT private
                           ORDER BY started_at DESC LIMIT :most) r
            UNION ALL
            SELECT * FROM (SELECT * FROM "match" WHERE status = 'over' AND NOT private
                           ORDER BY ended_at DESC LIMIT :most) o) m {TABLES}
        ORDER BY at DESC, m.id DESC""",  # noqa: S608 - constants
)
_outcome = msgspec.json.Decoder(Outcome)
_ORDER = {"running": 0, "open": 1, "over": 2}


def player_lines(store: Store, player_id: int) -> tuple[MatchLine, ...]:
    """A player's matches: those with an open turn, then running ones, those not started, finished ones.

    Open turns are sorted by deadline, the nearest first.
    """
    with store.looking() as connection:
        lines = tuple(lines_of(_own.all(connection, player_id=player_id), player_id))
        found = turns(connection, player_id, clock.now()) if any(line.waiting for line in lines) else ()
    until = {turn.match_id: turn.deadline for turn in found}
    timed = (msgspec.structs.replace(line, deadline=until.get(line.match_id)) for line in lines)
    return tuple(
        sorted(timed, key=lambda line: (not line.waiting, urgency(line.deadline), _ORDER[line.status]))
    )


def public_lines(store: Store, limit: int, but: int | None = None) -> tuple[MatchLine, ...]:
    """Running matches, then finished ones, the latest first; `limit` of each at most.

    Those of a player (`but`) are left out.
    """
    with store.looking() as connection:
        found = lines_of(_public.all(connection, most=limit), but)
    lines = (line for line in found if line.seat is None)
    return tuple(sorted(lines, key=lambda line: _ORDER[line.status]))


def lines_of(rows: Iterable[ListRow], player_id: int | None) -> Iterator[MatchLine]:
    """A line for each match. The rows of a match must be next to each other."""
    for _, grouped in groupby(rows, attrgetter("match_id")):
        seats = tuple(grouped)
        if known(seats[0].slug, seats[0].edition):
            yield _line(seats, player_id)


def _line(seats: Sequence[ListRow], player_id: int | None) -> MatchLine:
    match = seats[0]
    game = rules_of(match.slug, match.edition)
    by_seat = {row.seat: row for row in seats if row.seat is not None}
    order = [seat for seat in game.colours if seat in by_seat]
    names = told_apart([by_seat[seat].name or "" for seat in order])
    own = next((s for s in order if player_id is not None and by_seat[s].player_id == player_id), None)
    to_move = tuple(seat for seat in order if by_seat[seat].questions)
    return MatchLine(
        match_id=match.match_id,
        game=game,
        status=match.status,
        seat=own,
        waiting=own is not None and own in to_move and not by_seat[own].resigned,
        organised=player_id is not None and match.organiser_id == player_id,
        sittings=tuple(_info(seat, by_seat[seat], name) for seat, name in zip(order, names, strict=True)),
        to_move=to_move,
        demo=match.demo,
        at=match.at,
        ply=match.ply,
        place=_place(match.outcome, own),
    )


def _place(outcome: str | None, seat: str | None) -> int | None:
    return _outcome.decode(outcome).places.get(seat) if outcome and seat else None


def _info(seat: str, row: ListRow, name: str) -> SeatInfo:
    return SeatInfo(seat, name, bool(row.bot), row.resigned, open_since=row.open_since)
