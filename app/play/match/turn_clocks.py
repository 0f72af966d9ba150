"""The clocks of a match at work: when a run's time begins, until when it lasts, and what it leaves.

What stands in a question is what was announced. The truth is worked out from it by `clocks` whenever it is
shown or acted on, so that an outage moves every deadline without touching a row.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

import msgspec

from app.engine.game import Seat
from app.play.clock import rules
from app.play.clock.rules import Calendar, Rule, Stop
from app.play.clock.stoppages import stood
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match.records import Deadline
from app.play.match.snapshot import MatchSnapshot, Open, SeatHolder
from app.store.statement import Statement, Wire

WHYS = ("paused", "frozen", "away")

_rearm = Statement(
    """UPDATE question SET begun_at = ?, allowed = ?, due_at = ?, remind_at = ?, late_at = ?,
                           announced_at = ?
       WHERE id = ? AND closed_at IS NULL"""
)


def begin(rule: Rule, place: SeatHolder, calendar: Calendar, now: datetime) -> TurnClock:
    """The clock of a run that begins now; UNTIMED where the match has none."""
    if rule.kind == "none":
        return UNTIMED
    return timed(place, calendar, now, rule.allowance(place.bank), now)


def timed(
    place: SeatHolder,
    calendar: Calendar,
    begun: datetime,
    allowed: timedelta,
    now: datetime,
    known: TurnClock = UNTIMED,
) -> TurnClock:
    """The clock of a run with its deadline and the next reminder. `known`: as it was announced before.

    A reminder that was due and that no sweep has seen to yet is still to come: a gap that nobody knows of may
    have moved it.
    """
    announced = known.floor
    due = rules.deadline(begun, allowed, calendar, announced)
    remind = None
    if due is not None:
        wish = rules.read_reminders(place.reminders)
        moments = rules.reminders(begun, allowed, due, calendar, wish)
        unseen = known.remind_at
        remind = next((at for at in moments if at > now or (unseen is not None and at >= unseen)), None)
    return TurnClock(begun, allowed.total_seconds(), due, remind, None, announced if due is None else None)


def due_of(standing: MatchSnapshot, question: Open) -> datetime | None:
    """The true deadline of an open question whose clock runs; None: it stands still with no end known.

    In the grace it is the end of the grace. It is never earlier than what was announced.
    """
    return _due(standing.rule, standing.calendar(question.seat), question.time)


def left_of(standing: MatchSnapshot, question: Open, now: datetime) -> timedelta:
    """The counted time that an open question's run has left, in the grace that of the grace."""
    return _left(standing.rule, standing.calendar(question.seat), question.time, now)


def runs(standing: MatchSnapshot) -> dict[Seat, Open]:
    """For each seat that is waited for and whose clock runs, a question of its run."""
    return {one.seat: one for one in standing.open if not one.optional and one.time.begun_at is not None}


def deadlines(standing: MatchSnapshot, now: datetime) -> tuple[Deadline, ...]:
    """Until when the seats that are waited for should answer, in seat order."""
    found = runs(standing)
    places = (place for place in standing.places if place.seat in found)
    return tuple(
        deadline(
            place.seat,
            standing.rule,
            place.zone,
            found[place.seat].time,
            now,
            (standing.pauses, standing.standstills, place.away),
        )
        for place in places
        if place.open_since is None  # a seat that looks for another player waits
    )


def deadline(
    seat: Seat,
    rule: Rule,
    zone: str,
    time: TurnClock,
    now: datetime,
    stops: tuple[tuple[Stop, ...], tuple[Stop, ...], tuple[Stop, ...]],
) -> Deadline:
    """Until when a seat whose clock began should answer. The stops: of the match, the house, the player."""
    calendar = Calendar(zone, rule.off, sum(stops, ()))
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
    """When what runs began, the time of the turn or the grace after it, and how long it may last."""
    assert time.begun_at is not None
    if time.late_at is not None:
        return time.late_at, timedelta(seconds=rule.grace)
    return time.begun_at, time.span


def _due(rule: Rule, calendar: Calendar, time: TurnClock) -> datetime | None:
    return rules.deadline(*_running(rule, time), calendar, time.floor)


def _left(rule: Rule, calendar: Calendar, time: TurnClock, now: datetime) -> timedelta:
    return rules.time_left(now, *_running(rule, time), calendar, time.floor)


def turn_left(standing: MatchSnapshot, question: Open, now: datetime) -> timedelta:
    """The counted time that is left of the turn itself: none in the grace."""
    return timedelta() if question.time.late_at else left_of(standing, question, now)


def banked(standing: MatchSnapshot, still: Collection[Seat], now: datetime) -> Iterator[tuple[int, float]]:
    """The chairs whose run ended now, each with what is in its bank from now on, in seconds."""
    for seat, question in runs(standing).items():
        if seat not in still:
            place, time = standing.place(seat), question.time
            assert time.begun_at is not None
            used = rules.spent(time.begun_at, now, standing.calendar(seat))
            yield place.chair_id, rules.bank_after(standing.rule, place.bank, time.span, used)


def rearm(
    connection: Wire, now: datetime, standing: MatchSnapshot, seats: Collection[Seat] | None = None
) -> None:
    """Announce the deadlines of a match, or of these seats in it, anew: after a pause, an absence, a gap."""
    for question in standing.open:
        if question.time.begun_at is not None and (seats is None or question.seat in seats):
            _put(connection, question, _announced(standing, question, now))


def _announced(standing: MatchSnapshot, question: Open, now: datetime) -> TurnClock:
    """The clock of a run as it is to be announced now."""
    time = question.time
    if time.late_at is not None:
        due = due_of(standing, question)
        return msgspec.structs.replace(
            time, due_at=due, remind_at=None, announced_at=time.floor if due is None else None
        )
    assert time.begun_at is not None
    place, calendar = standing.place(question.seat), standing.calendar(question.seat)
    wanted = timed(place, calendar, time.begun_at, time.span, now, time)
    if wanted.due_at is not None or time.due_at is None:
        return wanted
    # It stands still with no end known: what was announced lives on as time that is left.
    left = rules.time_left(now, time.begun_at, time.span, calendar, time.floor)
    span = max(time.span, rules.spent(time.begun_at, now, calendar) + left)
    return timed(place, calendar, time.begun_at, span, now, time)


def give(connection: Wire, now: datetime, standing: MatchSnapshot, seat: Seat, more: timedelta) -> None:
    """Let the open run of a seat begin so much counted time later: nobody has used that of it."""
    place, calendar = standing.place(seat), standing.calendar(seat)
    for question in standing.open:
        time = question.time
        if question.seat == seat and time.begun_at is not None:
            begun = rules.deadline(time.begun_at, more, calendar) or time.begun_at
            _put(connection, question, timed(place, calendar, begun, time.span, now, time))


def wind(
    connection: Wire,
    now: datetime,
    standing: MatchSnapshot,
    seat: Seat,
    allowed: timedelta,
    *,
    anew: bool = False,
) -> MatchSnapshot:
    """Give the open run of a seat so much counted time from now on, and end its grace.

    `anew`: for somebody else, who has used nothing of it; otherwise what was used until now stays used. The
    standing with the new clock; the same where no clock of the seat runs. The deadline is never earlier than
    announced.
    """
    place, calendar = standing.place(seat), standing.calendar(seat)
    questions = []
    for question in standing.open:
        wound = question
        if question.seat == seat and question.time.begun_at is not None:
            begun = now if anew else question.time.begun_at
            whole = rules.spent(begun, now, calendar) + allowed
            time = timed(place, calendar, begun, whole, now, question.time)
            _put(connection, question, time)
            wound = msgspec.structs.replace(question, time=time)
        questions.append(wound)
    return msgspec.structs.replace(standing, open=tuple(questions))


def _put(connection: Wire, question: Open, time: TurnClock) -> None:
    _rearm.run(connection, *time.stored(connection), question.id)
