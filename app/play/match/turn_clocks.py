"""The clocks of a running match: when a turn's time begins, when it is up, and what it leaves in the bank.

A question's row holds the deadline as announced. The true one is computed from it whenever it is shown or
acted on, so that an outage moves every deadline without a write.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

import msgspec

from app.engine.game import Seat
from app.play.clock import reminders, rules
from app.play.clock.rules import Calendar, Rule, Stop
from app.play.clock.stoppages import stood
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match import questions
from app.play.match.records import Deadline
from app.play.match.snapshot import MatchSnapshot, OpenQuestion, SeatHolder
from app.store.connection import Connection

WHYS = ("paused", "frozen", "away")


def begin(rule: Rule, holder: SeatHolder, calendar: Calendar, now: datetime) -> TurnClock:
    """The clock of a turn that begins now; UNTIMED if the match has none."""
    if rule.kind == "none":
        return UNTIMED
    return timed(holder, calendar, now, rule.allowance(holder.bank), now)


def timed(
    holder: SeatHolder,
    calendar: Calendar,
    begun: datetime,
    allowed: timedelta,
    now: datetime,
    known: TurnClock = UNTIMED,
) -> TurnClock:
    """The clock of a turn with its deadline and its next reminder. `known`: the clock announced before.

    A reminder that is due but not yet sent stays: an outage not yet recorded may have moved it.
    """
    announced = known.floor
    due = rules.deadline(begun, allowed, calendar.counting(allowed), announced)
    wish = reminders.read(holder.reminders)
    ahead = reminders.schedule(begun, allowed, due, calendar.counting(allowed), wish, known.reminded)
    unseen = known.remind_at
    remind = next(
        (one.at for one in ahead if one.at > now or (unseen is not None and one.at >= unseen)), None
    )
    return TurnClock(
        begun,
        allowed.total_seconds(),
        due,
        remind,
        announced_at=announced if due is None else None,
        zone=calendar.zone,
        reminded=known.reminded,
    )


def due_of(match: MatchSnapshot, question: OpenQuestion) -> datetime | None:
    """The true deadline of an open question with a clock; None while it is stopped with no known end.

    During the grace period this is its end. It is never earlier than announced.
    """
    return _due(match.rule, match.calendar(question.seat), question.time)


def left_of(match: MatchSnapshot, question: OpenQuestion, now: datetime) -> timedelta:
    """The counted time left in an open question's turn, or in its grace period."""
    return _left(match.rule, match.calendar(question.seat), question.time, now)


def turns(match: MatchSnapshot) -> dict[Seat, OpenQuestion]:
    """One open question of each turn that has a clock, by seat."""
    return {one.seat: one for one in match.open if not one.optional and one.time.begun_at is not None}


def deadlines(match: MatchSnapshot, now: datetime) -> tuple[Deadline, ...]:
    """The deadlines of the seats whose turn it is, in seat order."""
    found = turns(match)
    holders = (holder for holder in match.holders if holder.seat in found)
    return tuple(
        deadline(
            holder.seat,
            match.rule,
            holder.zone,
            found[holder.seat].time,
            now,
            (match.pauses, match.standstills, holder.away),
        )
        for holder in holders
        if holder.open_since is None  # a seat that others may take has no deadline
    )


def deadline(
    seat: Seat,
    rule: Rule,
    zone: str,
    time: TurnClock,
    now: datetime,
    stops: tuple[tuple[Stop, ...], tuple[Stop, ...], tuple[Stop, ...]],
) -> Deadline:
    """The deadline of a seat with a clock. `stops`: of the match, of the site and of the player."""
    calendar = Calendar(time.zone or zone, rule.off, sum(stops, ()))
    still = rules.standing_still(now, calendar)
    why = ""
    assert time.begun_at is not None
    if still is not None:
        held = (any(_holds(stop, now) for stop in some) for some in stops)
        why = next((name for name, holds in zip(WHYS, held, strict=True) if holds), "off")
    return Deadline(
        seat,
        _due(rule, calendar, time),
        _left(rule, calendar, time, now),
        late=time.late_at is not None,
        stands=still is not None,
        stands_until=still.ends if still is not None else None,
        why=why,
        mark=f"{seat}.{time.begun_at:%y%m%d%H%M%S}.{time.allowed or 0:.0f}",
        stood=stood(stops[1], time.begun_at, now),
    )


def _holds(stop: Stop, now: datetime) -> bool:
    return stop.begins <= now and (stop.ends is None or now < stop.ends)


def _running(rule: Rule, time: TurnClock) -> tuple[datetime, timedelta]:
    """The beginning and the length of the turn, or of the grace period if that has begun."""
    assert time.begun_at is not None
    if time.late_at is not None:
        return time.late_at, timedelta(seconds=rule.grace)
    return time.begun_at, time.span


def _due(rule: Rule, calendar: Calendar, time: TurnClock) -> datetime | None:
    begun, span = _running(rule, time)
    return rules.deadline(begun, span, calendar.counting(span), time.floor)


def _left(rule: Rule, calendar: Calendar, time: TurnClock, now: datetime) -> timedelta:
    begun, span = _running(rule, time)
    return rules.time_left(now, begun, span, calendar.counting(span), time.floor)


def turn_left(match: MatchSnapshot, question: OpenQuestion, now: datetime) -> timedelta:
    """The counted time left of the turn itself: none in the grace period."""
    return timedelta() if question.time.late_at else left_of(match, question, now)


def banked(match: MatchSnapshot, still: Collection[Seat], now: datetime) -> Iterator[tuple[int, float]]:
    """The chairs whose turn ended now, each with its new bank in seconds."""
    for seat, question in turns(match).items():
        if seat not in still:
            holder, time = match.holder(seat), question.time
            assert time.begun_at is not None
            used = rules.spent(time.begun_at, now, match.calendar(seat).counting(time.span))
            yield holder.chair_id, rules.bank_after(match.rule, holder.bank, time.span, used)


def rearm(
    connection: Connection, now: datetime, match: MatchSnapshot, seats: Collection[Seat] | None = None
) -> None:
    """Announce the deadlines of a match, or of some of its seats, again: after a pause, absence or outage."""
    for question in match.open:
        if question.time.begun_at is not None and (seats is None or question.seat in seats):
            _put(connection, question, announced(match, question, now))


def announced(match: MatchSnapshot, question: OpenQuestion, now: datetime) -> TurnClock:
    """The clock of a turn that has one, as it is to be announced now."""
    time = question.time
    if time.late_at is not None:
        due = due_of(match, question)
        return msgspec.structs.replace(
            time, due_at=due, remind_at=None, announced_at=time.floor if due is None else None
        )
    assert time.begun_at is not None
    holder, calendar = match.holder(question.seat), match.calendar(question.seat)
    wanted = timed(holder, calendar, time.begun_at, time.span, now, time)
    if wanted.due_at is not None or time.due_at is None:
        return wanted
    # It is stopped with no known end: keep the announced deadline as time that is left.
    counting = calendar.counting(time.span)
    left = rules.time_left(now, time.begun_at, time.span, counting, time.floor)
    span = max(time.span, rules.spent(time.begun_at, now, counting) + left)
    return timed(holder, calendar, time.begun_at, span, now, time)


def give(connection: Connection, now: datetime, match: MatchSnapshot, seat: Seat, more: timedelta) -> None:
    """Move the beginning of a seat's turn later by so much counted time, which its player could not use."""
    holder, calendar = match.holder(seat), match.calendar(seat)
    for question in match.open:
        time = question.time
        if question.seat == seat and time.begun_at is not None:
            begun = rules.deadline(time.begun_at, more, calendar.counting(time.span)) or time.begun_at
            _put(connection, question, timed(holder, calendar, begun, time.span, now, time))


def wind(
    connection: Connection,
    now: datetime,
    match: MatchSnapshot,
    seat: Seat,
    allowed: timedelta,
    *,
    anew: bool = False,
) -> MatchSnapshot:
    """Give a seat's turn so much counted time from now on, and end its grace period.

    `anew`: for another player, who has used none of it; otherwise the time used so far stays used. Returns
    the match with the new clock, or as it was if the seat has none. The deadline never moves earlier.
    """
    holder, calendar = match.holder(seat), match.calendar(seat, anew=anew)
    wound_up = []
    for question in match.open:
        wound = question
        if question.seat == seat and question.time.begun_at is not None:
            begun = now if anew else question.time.begun_at
            known = msgspec.structs.replace(question.time, reminded="") if anew else question.time
            whole = rules.spent(begun, now, calendar.counting(max(known.span, allowed))) + allowed
            time = timed(holder, calendar, begun, whole, now, known)
            _put(connection, question, time)
            wound = msgspec.structs.replace(question, time=time)
        wound_up.append(wound)
    return msgspec.structs.replace(match, open=tuple(wound_up))


def _put(connection: Connection, question: OpenQuestion, time: TurnClock) -> None:
    questions.set_clock(connection, question.name, time)
