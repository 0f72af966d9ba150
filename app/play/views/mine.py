"""A player's own matches in three lists: their turn, waiting for others, finished. Each is read by pages."""

import msgspec

from app import clock
from app.play.match.records import MatchLine
from app.play.views.lists import COLUMNS, TABLES, ListRow, lines_of
from app.play.views.pending import FIRST, first_turns, urgency
from app.store.session import Store
from app.store.sql import Query

TURN, WAITING, FINISHED = "turn", "waiting", "finished"
LISTS = (TURN, WAITING, FINISHED)

_SEATED = """FROM chair s JOIN "match" t ON t.id = s.match_id
    WHERE s.player_id = :player_id AND s.until IS NULL"""
_ASKED = """EXISTS (SELECT 1 FROM question q WHERE q.match_id = s.match_id AND q.seat = s.seat
    AND q.closed_at IS NULL AND NOT q.optional AND NOT q.unmanned)"""
# CROSS JOIN: the player's own invitations come first, however many games are open.
_ACCEPTED = """FROM invitation i CROSS JOIN "match" t
    WHERE i.player_id = :player_id AND i.status = 'accepted' AND t.id = i.match_id AND t.status = 'open'"""
_WAITING = f"""SELECT t.id AS match_id, t.started_at AS at {_SEATED} AND t.status = 'running'
        AND (s.resigned_at IS NOT NULL OR NOT {_ASKED})
    UNION ALL SELECT t.id, t.created_at {_ACCEPTED}"""
_FINISHED = f"SELECT t.id AS match_id, t.ended_at AS at {_SEATED} AND t.status = 'over'"


def _page(rows: str) -> Query[ListRow]:
    return Query(
        ListRow,
        f"""SELECT {COLUMNS} FROM "match" m {TABLES} WHERE m.id IN (
                SELECT match_id FROM ({rows}) x ORDER BY at DESC, match_id DESC LIMIT :most OFFSET :passed)
            ORDER BY at DESC, m.id DESC""",  # noqa: S608 - constants
    )


_turns = Query(
    ListRow,
    f'SELECT {COLUMNS} FROM "match" m {TABLES} WHERE m.id IN ({FIRST}) ORDER BY m.id',  # noqa: S608
)
_pages = {WAITING: _page(_WAITING), FINISHED: _page(_FINISHED)}


class Counts(msgspec.Struct, frozen=True):
    """How many matches each list of a player has."""

    turn: int
    waiting: int
    finished: int


_counts = Query(
    Counts,
    f"""SELECT (SELECT count(*) {_SEATED} AND s.resigned_at IS NULL AND {_ASKED}) AS turn,
               (SELECT count(*) FROM ({_WAITING}) x) AS waiting,
               (SELECT count(*) {_SEATED} AND t.status = 'over') AS finished
        FROM player p WHERE p.id = :player_id""",  # noqa: S608 - constants
)
_has_played = Query(
    bool,
    f"SELECT EXISTS (SELECT 1 {_SEATED} AND t.game = :slug) AS has",
)


def counts(store: Store, player_id: int) -> Counts:
    """The lengths of a player's lists."""
    with store.looking() as connection:
        return _counts.first(connection, player_id=player_id) or Counts(0, 0, 0)


def page(store: Store, player_id: int, which: str, most: int, passed: int = 0) -> tuple[MatchLine, ...]:
    """A page of one of LISTS: `most` matches after the first `passed`.

    Turns come by deadline, the nearest first; the others by their start or end, the latest first.
    """
    named = {"player_id": player_id, "most": most, "passed": passed}
    with store.looking() as connection:
        if which != TURN:
            return tuple(lines_of(_pages[which].all(connection, **named), player_id))
        lines = lines_of(_turns.all(connection, **named), player_id)
        until = {one.match_id: one.deadline for one in first_turns(connection, now=clock.now(), **named)}
    timed = (msgspec.structs.replace(line, deadline=until.get(line.match_id)) for line in lines)
    return tuple(sorted(timed, key=lambda line: urgency(line.deadline)))


def has_played(store: Store, player_id: int, slug: str) -> bool:
    """Whether the player has a seat in any match of the game."""
    with store.looking() as connection:
        return _has_played.one(connection, player_id=player_id, slug=slug)
