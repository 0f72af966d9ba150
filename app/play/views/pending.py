"""The open turns of a player in all matches, with their deadlines."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from app.engine.game import Game, Seat
from app.play.clock.rules import Rule, Stop
from app.play.clock.turn import TurnClock
from app.play.match import turn_clocks
from app.play.match.editions import known, rules_of
from app.play.match.records import Deadline
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Query

MOST_COUNTED = 99


class _Row(msgspec.Struct, frozen=True):
    """An open question of a player."""

    match_id: int
    slug: str
    edition: int
    rule: Rule
    pauses: tuple[Stop, ...]
    standstills: tuple[Stop, ...] | None
    seat: str
    open_since: datetime | None
    zone: str
    away: tuple[Stop, ...]
    ply: int
    asked_at: datetime
    begun_at: datetime | None
    allowed: float | None
    due_at: datetime | None
    remind_at: datetime | None
    late_at: datetime | None
    announced_at: datetime | None
    clock_zone: str

    @property
    def time(self) -> TurnClock:
        """The clock of its turn."""
        return TurnClock(
            self.begun_at,
            self.allowed,
            self.due_at,
            self.remind_at,
            self.late_at,
            self.announced_at,
            self.clock_zone,
        )


FIRST = """SELECT q.match_id FROM chair c
    JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat
        AND q.closed_at IS NULL AND NOT q.optional AND NOT q.unmanned
    WHERE c.player_id = :player_id AND c.until IS NULL AND c.resigned_at IS NULL
    GROUP BY q.match_id ORDER BY MIN(q.due_at) IS NULL, MIN(q.due_at), q.match_id
    LIMIT :most OFFSET :passed"""
"""The matches whose turn a player has, the nearest deadline first as it was worked out last."""
_QUESTIONS = """SELECT DISTINCT m.id AS match_id, m.game AS slug, m.edition,
              m.clock AS rule, m.stops AS pauses,
              (SELECT stops FROM house WHERE id = 1) AS standstills, c.seat, c.open_since, p.zone,
              p.away, q.run AS ply, q.asked_at, q.begun_at, q.allowed, q.due_at, q.remind_at, q.late_at,
              q.announced_at, q.zone AS clock_zone
       FROM chair c
       JOIN player p ON p.id = c.player_id
       JOIN "match" m ON m.id = c.match_id AND m.status = 'running'
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat
           AND q.closed_at IS NULL AND NOT q.optional AND NOT q.unmanned
       WHERE c.player_id = :player_id AND c.until IS NULL AND c.resigned_at IS NULL"""
_questions = Query(_Row, f"{_QUESTIONS} ORDER BY m.id, q.asked_at DESC")
_first_questions = Query(
    _Row,
    f"{_QUESTIONS} AND m.id IN ({FIRST}) ORDER BY m.id, q.asked_at DESC",
)
_first = Query(int, FIRST)


class Turn(msgspec.Struct, frozen=True):
    """An open turn of a player."""

    match_id: int
    game: Game
    seat: Seat
    ply: int
    """The ply at which it began."""
    since: datetime
    """When its clock began, or without a clock, when its first question was asked."""
    rule: Rule
    deadline: Deadline | None
    """None: no clock runs."""


def turns(connection: Connection, player_id: int, now: datetime) -> tuple[Turn, ...]:
    """The player's open turns, the nearest deadline first, those without a deadline last."""
    return _sorted(_turns(_questions.all(connection, player_id=player_id), now))


def first_turns(
    connection: Connection, player_id: int, now: datetime, most: int, passed: int = 0
) -> tuple[Turn, ...]:
    """As `turns`, for `most` matches after the first `passed` of them."""
    return _sorted(
        _turns(_first_questions.all(connection, player_id=player_id, most=most, passed=passed), now)
    )


def next_match(store: Store, player_id: int, but: int = 0) -> int | None:
    """The match, but for one, in which the player's turn has the nearest deadline; None: no other waits."""
    with store.reading() as connection:
        found = _first.all(connection, player_id=player_id, most=2, passed=0)
    return next((match_id for match_id in found if match_id != but), None)


def count(store: Store, player_id: int) -> int:
    """In how many matches it is the player's turn; MOST_COUNTED at most."""
    with store.looking() as connection:
        return len(_first.all(connection, player_id=player_id, most=MOST_COUNTED, passed=0))


def _sorted(found: Iterator[Turn]) -> tuple[Turn, ...]:
    by_seat = {(turn.match_id, turn.seat): turn for turn in found}
    return tuple(sorted(by_seat.values(), key=lambda turn: urgency(turn.deadline)))


def urgency(deadline: Deadline | None) -> float:
    """A sort key for deadlines, the most urgent first."""
    if deadline is None or deadline.due_at is None:
        return float("inf")
    return deadline.due_at.timestamp()


def _turns(rows: Iterable[_Row], now: datetime) -> Iterator[Turn]:
    """A turn for each open question, those of one turn in a row, the first question last."""
    for row in rows:
        if not known(row.slug, row.edition):
            continue
        time, deadline = row.time, None
        if time.begun_at is not None and row.open_since is None:
            stops = (row.pauses, row.standstills or (), row.away)
            deadline = turn_clocks.deadline(row.seat, row.rule, row.zone, time, now, stops)
        yield Turn(
            match_id=row.match_id,
            game=rules_of(row.slug, row.edition),
            seat=row.seat,
            ply=row.ply,
            since=time.begun_at or row.asked_at,
            rule=row.rule,
            deadline=deadline,
        )
