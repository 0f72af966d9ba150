"""A deadline has passed: the grace begins, or what was agreed for it follows. The table is told of both."""

from datetime import datetime, timedelta

from app import clock
from app.play.clock import rules
from app.play.deadlines import outages, pauses
from app.play.match import notices, reading, turn_clocks
from app.play.match.locking import hold
from app.play.match.snapshot import MatchSnapshot, Named, Open
from app.play.match.vacancies import open_seat
from app.play.moves.answering import answer
from app.play.moves.bots import bot_answer
from app.play.moves.service import give_up
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, Wire, stored

MOST = 400
"""Answers that the clock gives for a run at a time."""
HANDED_OVER_LATER = timedelta(hours=1)
"""For so long at a time nobody's time is up whom the mail server did not let us ask."""

_late = Statement(
    """UPDATE question SET late_at = ?, due_at = ?, remind_at = NULL
       WHERE match_id = ? AND seat = ? AND run = ? AND closed_at IS NULL AND begun_at IS NOT NULL"""
)
_move = Statement(
    """UPDATE question SET due_at = ?, remind_at = NULL
       WHERE match_id = ? AND seat = ? AND closed_at IS NULL AND due_at IS NOT NULL"""
)
_forget = Statement(
    """UPDATE question SET due_at = NULL, remind_at = NULL
       WHERE match_id = ? AND seat = ? AND closed_at IS NULL"""
)
_stuck = Statement(
    """SELECT 1 FROM letter WHERE once = ? AND status = 'waiting' AND tries > 0 AND reason <> ''"""
)


def run_out(store: Store, match_id: int, seat: str) -> None:
    """If the time of the seat is really up, let follow what follows; else move the moment to look again."""
    played = 0
    while played < MOST and _follows(store, match_id, seat):
        played += 1


def asked_late(connection: Wire, match_id: int, seat: str, run: int, after: timedelta) -> None:
    """The letter that asks went out only now, so long after it should have: that time is given back.

    Nothing changes where the run is over or no clock runs.
    """
    held = held_run(connection, match_id, seat)
    if held is not None and held[1].run == run:
        standing, now = held[0], clock.now()
        lost = rules.spent(now - after, now, standing.calendar(seat))
        turn_clocks.give(connection, now, standing, seat, lost)


def held_run(connection: Wire, match_id: int, seat: str) -> tuple[MatchSnapshot, Open] | None:
    """The match, held against other writers, and a question of the seat's run whose clock runs.

    None where there is none, or the whole house stands still. Moments of what nobody asks any more go.
    """
    hold(connection, match_id)
    standing = reading.by_match(connection, match_id)
    if standing is not None and outages.all_stopped(standing.standstills):
        return None
    question = None if standing is None or not standing.running else turn_clocks.runs(standing).get(seat)
    if standing is None or question is None or standing.place(seat).unmanned:
        _forget.run(connection, match_id, seat)
        return None
    return standing, question


def _follows(store: Store, match_id: int, seat: str) -> bool:
    """One step of what follows; whether there may be another."""
    with store.statements() as connection:
        now = clock.now()
        held = held_run(connection, match_id, seat)
        if held is None:
            return False
        standing, question = held
        if question.time.due_at is None or question.time.due_at > now:
            return False  # another sweep was faster, or the run goes on in time
        place = standing.place(seat)
        due = turn_clocks.due_of(standing, question)
        if place.open_since is not None:
            _forget.run(connection, match_id, seat)
        elif due is None or due > now:
            turn_clocks.rearm(connection, now, standing, (seat,))
        elif _stuck.fetch(connection, f"asked:{match_id}:{seat}:{place.player_id}:{question.run}"):
            _move.run(connection, stored(connection, now + HANDED_OVER_LATER), match_id, seat)
        elif question.time.late_at is None and standing.rule.grace:
            _begin_grace(connection, now, standing, question)
        else:
            return _time_out(connection, now, standing, question)
        if any(one.pause_wanted for one in standing.places):
            pauses.start_if_agreed(connection, now, match_id)
        return False


def _begin_grace(connection: Wire, now: datetime, standing: MatchSnapshot, question: Open) -> None:
    seat, match_id = question.seat, standing.match_id
    grace = timedelta(seconds=standing.rule.grace)
    until = rules.deadline(now, grace, standing.calendar(seat))
    ends = None if until is None else stored(connection, until)
    _late.run(connection, stored(connection, now), ends, match_id, seat, question.run)
    occasion = _occasion(standing, question)
    notices.tell(connection, now, match_id, "late", seat=seat, once=f"late:{occasion}", until=until)
    enqueue(connection, now, _letter("late", standing, question, occasion))


def _time_out(connection: Wire, now: datetime, standing: MatchSnapshot, question: Open) -> bool:
    """What was agreed, or one answer of it; whether there may be another."""
    seat, match_id, then = question.seat, standing.match_id, standing.rule.then
    occasion = _occasion(standing, question)
    notices.tell(connection, now, match_id, "timed_out", seat=seat, once=f"timed_out:{occasion}", then=then)
    if then == "replace":
        open_seat(connection, now, standing, seat)
        _forget.run(connection, match_id, seat)
    elif then == "lose":
        notices.tell(connection, now, match_id, "seat_lost", seat=seat, once=f"seat_lost:{occasion}")
        give_up(connection, now, standing, seat, source="clock", lost=True)
    enqueue(connection, now, _letter("timed_out", standing, question, f"{occasion}:{then}"))
    if then in ("replace", "lose"):
        return False
    named = Named(question.id, seat, question.run, closed=False, answer=None)
    answer(connection, standing, named, _answer(standing, question), source="clock")
    return True


def _answer(standing: MatchSnapshot, question: Open) -> str:
    """The declared default, or what a bot would do that knows what the seat may know."""
    decision = standing.decision(question.seat, question.fingerprint)
    if standing.rule.then == "bot":
        return bot_answer(standing, decision)
    assert decision.default is not None
    return standing.game.format(decision.default)


def _occasion(standing: MatchSnapshot, question: Open) -> str:
    """Names a deadline of a player's run: what follows on it is told once."""
    due = question.time.due_at
    assert due is not None
    return f"{standing.place(question.seat).chair_id}:{question.run}:{due.isoformat()}"


def _letter(kind: str, standing: MatchSnapshot, question: Open, occasion: str) -> LetterRequest:
    place = standing.place(question.seat)
    once = f"{kind}:{standing.match_id}:{place.player_id}:{occasion}"
    return place.letter(standing.match_id, kind, once, run=question.run, consequence=standing.rule.then)
