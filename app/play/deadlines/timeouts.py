"""Timeouts: after a deadline the grace begins, and after the grace the agreed consequence follows."""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Seat
from app.play.clock import rules
from app.play.deadlines import credit, outages, pauses
from app.play.match import notices, questions, reading, turn_clocks
from app.play.match.snapshot import MatchSnapshot, Named, OpenQuestion
from app.play.match.vacancies import open_seat
from app.play.moves.answering import answer
from app.play.moves.bots import bot_answer
from app.play.moves.service import give_up
from app.store import outbox
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

MOST = 400
"""Steps for a seat in one call: mostly answers by the clock."""
UNDELIVERED_DEFERS = timedelta(hours=1)
"""How long to defer a timeout while the turn email is undelivered."""


def run_out(store: Store, match_id: int, seat: Seat) -> None:
    """Apply the timeout of the seat, or reschedule the check.

    Seats of a match with the same deadline are treated in turn order, whichever is asked for.
    """
    steps = 0
    while steps < MOST and _step(store, match_id, seat):
        steps += 1


def asked_late(connection: Connection, match_id: int, seat: Seat, turn: int, after: timedelta) -> None:
    """Give back the time by which the letter of a turn went out late, as far as `credit` allows.

    Nothing changes if the turn is over or has no clock.
    """
    found = locked_turn(connection, match_id, seat)
    if found is not None and found[1].turn == turn:
        snapshot, now = found[0], clock.now()
        credit.give_back(connection, now, snapshot, found[1], now - after, still=False)


def locked_turn(
    connection: Connection, match_id: int, seat: Seat
) -> tuple[MatchSnapshot, OpenQuestion] | None:
    """The match, locked, and a question of the seat's turn, if its clock runs; or None.

    None also while all clocks stand still. Without a turn the seat's deadline and reminder are removed.
    """
    hold_match(connection, match_id)
    snapshot = reading.by_match(connection, match_id)
    if snapshot is not None and outages.all_stopped(snapshot.standstills):
        return None
    question = None if snapshot is None or not snapshot.running else turn_clocks.turns(snapshot).get(seat)
    if snapshot is None or question is None or snapshot.holder(seat).automated:
        questions.forget_deadline(connection, match_id, seat)
        return None
    return snapshot, question


def _step(store: Store, match_id: int, asked: Seat) -> bool:
    """Apply one step of a timeout. Returns whether there may be another."""
    with store.statements() as connection:
        now = clock.now()
        found = locked_turn(connection, match_id, asked)
        if found is None:
            return False
        snapshot, question = found
        if question.time.due_at is None or question.time.due_at > now:
            return False  # another sweep was faster, or the deadline has moved
        question = _first_of_equals(snapshot, question)
        more = _apply(connection, now, snapshot, question)
        return more or question.seat != asked


def _first_of_equals(snapshot: MatchSnapshot, question: OpenQuestion) -> OpenQuestion:
    """Of the questions with the same deadline, the one of the first seat in turn order."""
    due = turn_clocks.turns(snapshot)
    equals = (due[seat] for seat in snapshot.seats if seat in due and not snapshot.holder(seat).automated)
    return next((one for one in equals if one.time.due_at == question.time.due_at), question)


def _apply(connection: Connection, now: datetime, snapshot: MatchSnapshot, question: OpenQuestion) -> bool:
    match_id, seat = snapshot.match_id, question.seat
    holder = snapshot.holder(seat)
    due = turn_clocks.due_of(snapshot, question)
    if holder.open_since is not None:
        questions.forget_deadline(connection, match_id, seat)
    elif due is None or due > now:
        turn_clocks.rearm(connection, now, snapshot, (seat,))
    elif _undelivered(connection, now, snapshot, question):
        return False
    elif question.time.late_at is None and snapshot.rule.grace:
        _begin_grace(connection, now, snapshot, question)
    else:
        return _time_out(connection, now, snapshot, question)
    if any(one.pause_wanted for one in snapshot.holders):
        pauses.start_if_agreed(connection, now, match_id)
    return False


def _undelivered(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, question: OpenQuestion
) -> bool:
    """Put off the timeout of a turn whose email can't be delivered. False: nothing puts it off."""
    match_id, seat, player_id = snapshot.match_id, question.seat, snapshot.holder(question.seat).player_id
    if question.time.late_at is not None or player_id is None:
        return False
    since = outbox.undeliverable_since(connection, match_id, seat, question.turn, player_id)
    if since is not None:
        return credit.give_back(connection, now, snapshot, question, since, still=True)
    if outbox.undelivered(connection, f"asked:{match_id}:{seat}:{player_id}:{question.turn}"):
        questions.look_again(connection, match_id, seat, now + UNDELIVERED_DEFERS)
        return True
    return False


def _begin_grace(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, question: OpenQuestion
) -> None:
    seat, match_id = question.seat, snapshot.match_id
    grace = timedelta(seconds=snapshot.rule.grace)
    until = rules.deadline(now, grace, snapshot.calendar(seat).counting(grace))
    questions.begin_grace(connection, now, match_id, seat, question.turn, until)
    occasion = _occasion(snapshot, question)
    notices.tell(connection, now, match_id, "late", seat=seat, once=f"late:{occasion}", until=until)
    enqueue(connection, now, _letter("late", snapshot, question, occasion))


def _time_out(connection: Connection, now: datetime, snapshot: MatchSnapshot, question: OpenQuestion) -> bool:
    """Apply the agreed consequence, or one answer of it. Returns whether there may be another."""
    seat, match_id, then = question.seat, snapshot.match_id, snapshot.rule.then
    occasion = _occasion(snapshot, question)
    notices.tell(connection, now, match_id, "timed_out", seat=seat, once=f"timed_out:{occasion}", then=then)
    if then == "replace":
        open_seat(connection, now, snapshot, seat)
        questions.forget_deadline(connection, match_id, seat)
    elif then == "lose":
        notices.tell(connection, now, match_id, "seat_lost", seat=seat, once=f"seat_lost:{occasion}")
        give_up(connection, now, snapshot, seat, source="clock", lost=True)
    enqueue(connection, now, _letter("timed_out", snapshot, question, f"{occasion}:{then}"))
    if then in ("replace", "lose"):
        return False
    named = Named(question.name, seat, question.turn)
    answer(connection, snapshot, named, _answer(snapshot, question), source="clock")
    return True


def _answer(snapshot: MatchSnapshot, question: OpenQuestion) -> str:
    """The game's default answer, or that of a bot that knows what the seat may know."""
    decision = snapshot.decision(question)
    if snapshot.rule.then == "bot":
        return bot_answer(snapshot, decision)
    assert decision.default is not None
    return snapshot.game.format(decision.default)


def _occasion(snapshot: MatchSnapshot, question: OpenQuestion) -> str:
    """The key of a deadline of a player's turn: its consequence is announced once."""
    due = question.time.due_at
    assert due is not None
    return f"{snapshot.holder(question.seat).chair_id}:{question.turn}:{due.isoformat()}"


def _letter(kind: str, snapshot: MatchSnapshot, question: OpenQuestion, occasion: str) -> LetterRequest:
    holder = snapshot.holder(question.seat)
    once = f"{kind}:{snapshot.match_id}:{holder.player_id}:{occasion}"
    return holder.letter(snapshot.match_id, kind, once, turn=question.turn, consequence=snapshot.rule.then)
