"""Writing down what happened: log, snapshot, questions and letters, all or nothing.

Four statements at most: the match is compared and set, the log grows, questions are closed and opened in
one upsert, letters are asked for. What is answered is closed, what still stands unchanged stays open under
its own name, so that one player's answer does not spoil another's link.
"""

import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec

from app.engine import codec
from app.engine.game import Addressed, Decision, Outcome, Record, Seat
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match import cache, turn_clocks
from app.play.match.snapshot import MatchSnapshot, Open, SeatHolder
from app.play.moves import wishes
from app.store.outbox import LetterRequest, enqueue
from app.store.session import wake_after_commit
from app.store.statement import Statement, Wire, stored


class Overtaken(Exception):  # noqa: N818 - a fact: read again
    """Another writer passed between reading and writing."""


class Entry(msgspec.Struct, frozen=True):
    """One ply to be logged. `move` may be a house word."""

    seat: Seat | None
    move: str
    told: tuple[Addressed, ...] = ()


class Barrier(msgspec.Struct, frozen=True):
    """Behind what nothing can be taken back. The state is kept where a seat has acted since."""

    ply: int
    seat: Seat | None = None
    state: str = ""


class Answered(msgspec.Struct, frozen=True):
    """The question that was answered, and how."""

    question_id: str
    answer: str


EVER = 2**31 - 1
_advance = Statement(
    """UPDATE "match" SET ply = ?, state = ?
       WHERE id = ? AND ply = ? AND news BETWEEN ? AND ? AND status = 'running'"""
)
_advance_barrier = Statement(
    """UPDATE "match" SET ply = ?, state = ?, barrier_ply = ?, barrier_seat = ?, barrier_state = ?
       WHERE id = ? AND ply = ? AND news BETWEEN ? AND ? AND status = 'running'"""
)
_finish = Statement(
    """UPDATE "match" SET ply = ?, state = ?, status = 'over', outcome = ?, ended_at = ?
       WHERE id = ? AND ply = ? AND news BETWEEN ? AND ? AND status = 'running'"""
)
_INTO_LOG = """INSERT INTO played (match_id, ply, seat, move, source, source_key, told, at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_log = Statement(_INTO_LOG)
_log_seeing = Statement(
    _INTO_LOG,
    after="""RETURNING ARRAY(SELECT c.seat FROM chair c
                             WHERE c.match_id = played.match_id AND c.until IS NULL AND c.orders)""",
)
_questions = Statement(
    """INSERT INTO question (id, match_id, seat, asks, about, fingerprint, run, optional, unmanned,
                             asked_at, begun_at, allowed, due_at, remind_at, late_at, announced_at,
                             closed_at, answer)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
    after="ON CONFLICT (id) DO UPDATE SET closed_at = excluded.closed_at, answer = excluded.answer",
)
_former = Statement(
    """SELECT player_id, seat FROM chair
       WHERE match_id = ? AND until IS NOT NULL AND player_id IS NOT NULL ORDER BY id"""
)
_bank = Statement("UPDATE chair SET bank = ? WHERE id = ?")


def record(
    connection: Wire,
    now: datetime,
    standing: MatchSnapshot,
    entries: Sequence[Entry],
    state: Record,
    barrier: Barrier | None,
    *,
    source: str,
    source_key: str | None = None,
    answered: Answered | None = None,
    outcome: Outcome | None = None,
    news: int | None = None,
) -> int:
    """The ply after the entries, all of it written. Raises Overtaken.

    With an outcome the match is over; without a barrier the last one stays. `news`: of the standing, where
    the match is not held: then nobody may have moved its deadlines or taken a seat meanwhile either.
    """
    ply = standing.ply + len(entries)
    text = codec.dumps(state)
    values: list[Any] = [ply, text]
    at = stored(connection, now)
    advance = _advance
    if outcome is not None:
        advance = _finish
        values += [codec.dumps(outcome), at]
    elif barrier is not None:
        advance = _advance_barrier
        values += [barrier.ply, barrier.seat, barrier.state]
    told = (0, EVER) if news is None else (news, news)
    if advance.run(connection, *values, standing.match_id, standing.ply, *told) != 1:
        raise Overtaken
    left = log(connection, at, standing.match_id, standing.ply + 1, entries, source, source_key)
    # The match is ours since its row was changed. Orders that were left between reading and that, which only
    # a database with several writers allows, would miss the questions that open now.
    if left - {place.seat for place in standing.places if place.orders}:
        raise Overtaken
    decisions = () if outcome else cache.asked(standing.slug, standing.edition, text)
    unmanned = {place.seat for place in standing.places if place.unmanned}
    # Who takes a step back wants to think again, so nothing that he left ahead plays at once.
    ahead_of = {place.seat for place in standing.places if place.orders} - {
        entry.seat for entry in entries if entry.move == "undo"
    }
    begun = ask(
        connection,
        at,
        standing.match_id,
        standing.open,
        decisions,
        ply,
        unmanned,
        answered,
        lambda seat: turn_clocks.begin(standing.rule, standing.place(seat), standing.calendar(seat), now),
        ahead_of,
    )
    still = {decision.seat for decision, _ in decisions if not decision.optional}
    if any(place.orders for place in standing.places):
        wishes.settle(connection, now, standing, ply, still, over=outcome is not None)
    if outcome is not None:
        enqueue(connection, now, *over_letters(connection, standing))
        return ply
    if standing.rule.kind == "bank":
        for chair_id, bank in turn_clocks.banked(standing, still, now):
            _bank.run(connection, bank, chair_id)
    asked = [place for place in standing.places if place.seat in begun - unmanned - ahead_of]
    enqueue(connection, now, *(asked_letter(standing.match_id, place, ply) for place in asked))
    if any(decision.seat in unmanned | ahead_of for decision, _ in decisions):
        wake_after_commit(connection)
    return ply


def log(
    connection: Wire,
    at: Any,
    match_id: int,
    ply: int,
    entries: Sequence[Entry],
    source: str,
    source_key: str | None = None,
) -> set[Seat]:
    """Write the entries into the log, from this ply on. The key goes with the first.

    Comes back: the seats with standing orders at this moment, where another writer may have left some.
    """
    rows = []
    for number, entry in enumerate(entries):
        key = None if number else source_key
        told = codec.dump_told(entry.told)
        rows.append((match_id, ply + number, entry.seat, entry.move, source, key, told, at))
    if connection.dialect.name == "sqlite":
        _log.write(connection, rows)
        return set()
    return {seat for (seats,) in _log_seeing.write_back(connection, rows) for seat in seats}


def ask(
    connection: Wire,
    at: Any,
    match_id: int,
    before: Sequence[Open],
    decisions: Sequence[tuple[Decision, str]],
    ply: int,
    unmanned: set[Seat],
    answered: Answered | None = None,
    begin: Callable[[Seat], TurnClock] = lambda _seat: UNTIMED,
    ahead_of: Collection[Seat] = (),
) -> set[Seat]:
    """Close what no longer stands, keep what stands unchanged, open the rest. Whose run began now.

    The decisions come with their fingerprints. `begin` starts the clock of a seat whose run begins; within a
    run it runs on. `ahead_of`: the seats whose players left orders, which the house tries before it asks.
    """
    standing = {(one.seat, one.fingerprint): one for one in before}
    runs = {one.seat: one.run for one in before if not one.optional}
    fresh = {decision.seat for decision, _ in decisions if not decision.optional} - runs.keys()
    runs |= dict.fromkeys(fresh, ply)
    clocks = {one.seat: one.time for one in before if not one.optional}
    clocks |= {seat: begin(seat) for seat in fresh - unmanned}
    rows: list[tuple[Any, ...]] = []
    for decision, mark in decisions:
        old = standing.get((decision.seat, mark))
        if old is not None and (answered is None or old.id != answered.question_id):
            del standing[decision.seat, mark]
            continue
        run = runs.get(decision.seat, ply)
        nobody = decision.seat in unmanned
        house = nobody or (decision.seat in ahead_of and not decision.optional)
        what = (decision.seat, decision.asks, decision.about, mark, run, decision.optional, house)
        timed = UNTIMED if decision.optional or nobody else clocks.get(decision.seat, UNTIMED)
        rows.append((uuid.uuid4().hex, match_id, *what, at, *timed.stored(connection), None, None))
    for old in standing.values():
        answer = answered.answer if answered is not None and old.id == answered.question_id else None
        what = (old.seat, old.asks, old.about, old.fingerprint, old.run, old.optional, False)
        rows.append((old.id, match_id, *what, at, *UNTIMED.stored(connection), at, answer))
    _questions.write(connection, rows)
    return fresh


def asked_letter(match_id: int, place: SeatHolder, run: int) -> LetterRequest:
    """The letter that asks a seat: one for each run of questions."""
    once = f"asked:{match_id}:{place.seat}:{place.player_id}:{run}"
    return place.letter(match_id, "asked", once, run=run)


def over_letters(connection: Wire, standing: MatchSnapshot) -> Iterator[LetterRequest]:
    """The letters that tell everybody who ever sat there how it ended, each once."""
    sat = {place.player_id: place.seat for place in standing.places if place.player_id is not None}
    for player_id, seat in _former.fetch(connection, standing.match_id):
        sat.setdefault(player_id, seat)
    for player_id, seat in sat.items():
        yield LetterRequest(
            kind="over",
            once=f"over:{standing.match_id}:{seat}:{player_id}",
            match_id=standing.match_id,
            seat=seat,
            player_id=player_id,
        )
