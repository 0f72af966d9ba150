"""What waits for a player in all his matches, and until when."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from app.engine.game import Game, Seat
from app.play.clock.rules import Rule
from app.play.clock.turn import timed
from app.play.match import turn_clocks
from app.play.match.editions import known, rules_of
from app.play.match.records import Deadline
from app.play.match.snapshot import rule, stops
from app.store.statement import Statement, Wire, moment

_turns = Statement(
    """SELECT DISTINCT m.id, m.game, m.edition, m.clock, m.stops, (SELECT stops FROM house WHERE id = 1),
              c.seat, c.open_since, p.zone, p.away, q.run, q.asked_at, q.begun_at, q.allowed,
              q.due_at, q.remind_at, q.late_at, q.announced_at
       FROM chair c
       JOIN player p ON p.id = c.player_id
       JOIN "match" m ON m.id = c.match_id AND m.status = 'running'
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat
           AND q.closed_at IS NULL AND NOT q.optional AND NOT q.unmanned
       WHERE c.player_id = ? AND c.until IS NULL AND c.resigned_at IS NULL
       ORDER BY m.id, q.asked_at DESC"""
)


class Turn(msgspec.Struct, frozen=True):
    """A run of questions that waits for a player."""

    match_id: int
    game: Game
    seat: Seat
    run: int
    since: datetime
    """When its time began, or without a clock: when it was asked first."""
    rule: Rule
    deadline: Deadline | None
    """None: no clock runs."""


def turns(connection: Wire, player_id: int, now: datetime) -> tuple[Turn, ...]:
    """The turns that wait for the player, the one with the nearest deadline first, those without last."""
    found = {(turn.match_id, turn.seat): turn for turn in _turns_of(connection, player_id, now)}
    return tuple(sorted(found.values(), key=lambda turn: urgency(turn.deadline)))


def urgency(deadline: Deadline | None) -> float:
    """By which turns are put in order, the most urgent first."""
    if deadline is None or deadline.due_at is None:
        return float("inf")
    return deadline.due_at.timestamp()


def _turns_of(connection: Wire, player_id: int, now: datetime) -> Iterator[Turn]:
    for match_id, slug, edition, clock, pauses, standstills, *row in _turns.fetch(connection, player_id):
        seat, open_since, zone, away, run, asked_at, *times = row
        if not known(slug, edition):
            continue
        time = timed(times)
        deadline, by = None, rule(clock)
        if time.begun_at is not None and open_since is None:
            held = (stops(pauses), stops(standstills or "[]"), stops(away))
            deadline = turn_clocks.deadline(seat, by, zone, time, now, held)
        since = time.begun_at or moment(asked_at)
        yield Turn(match_id, rules_of(slug, edition), seat, run, since, by, deadline)
