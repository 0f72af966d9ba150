"""The clocks of a match at work: when a run's time begins, until when it lasts, and what it leaves.

What stands in a question is what was announced. The truth is worked out from it by `clocks` whenever it is
shown or acted on, so that an outage moves every deadline without touching a row.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.engine.game import Seat
from app.play import clocks
from app.play.clocks import Calendar, Rule, Stop
from app.play.records import Deadline
from app.play.standing import Open, Place, Standing
from app.store.statement import Statement, Wire, stored

WHYS = ("paused", "frozen", "away")
TIMES = ("begun_at", "allowed", "due_at", "remind_at", "late_at", "announced_at")


class Timed(msgspec.Struct, frozen=True):
    """The clock of a run, as its questions keep it."""

    begun_at: datetime | None = None
    allowed: float | None = None
    due_at: datetime | None = None
    remind_at: datetime | None = None
    late_at: datetime | None = None
    announced_at: datetime | None = None

    @property
    def floor(self) -> datetime | None:
        """What was announced last: no deadline is earlier."""
        return max((at for at in (self.due_at, self.announced_at) if at is not None), default=None)

    def stored(self, connection: Wire) -> tuple[Any, ...]:
        """As the driver writes it, in the order of TIMES."""
        if self.begun_at is None:
            return (None,) * len(TIMES)
        return tuple(
            stored(connection, value) if isinstance(value, datetime) else value
            for value in (getattr(self, name) for name in TIMES)
        )


UNTIMED = Timed()
_rearm = Statement(
    """UPDATE question SET begun_at = ?, allowed = ?, due_at = ?, remind_at = ?, late_at = ?,
                           announced_at = ?
       WHERE id = ? AND closed_at IS NULL"""
)


def begin(rule: Rule, place: Place, calendar: Calendar, now: datetime) -> Timed:
    """The clock of a run that begins now; UNTIMED where the match has none."""
    if rule.kind == "none":
        return UNTIMED
    return timed(place, calendar, now, rule.allowance(place.bank), now)


def timed(
    place: Place,
    calendar: Calendar,
    begun: datetime,
    allowed: timedelta,
    now: datetime,
    announced: datetime | None = None,
) -> Timed:
    """The clock of a run with its deadline, and the next reminder after now."""
    due = clocks.deadline(begun, allowed, calendar, announced)
    remind = None
    if due is not None:
        wish = clocks.read_reminders(place.reminders)
        remind = next((at for at in clocks.reminders(begun, allowed, due, calendar, wish) if at > now), None)
    return Timed(begun, allowed.total_seconds(), due, remind, None, announced if due is None else None)


def due_of(standing: Standing, question: Open) -> datetime | None:
    """The true deadline of an open question whose clock runs; None: it stands still with no end known.

    In the grace it is the end of the grace. It is never earlier than what was announced.
    """
    return _due(standing.rule, standing.calendar(question.seat), _timed(question))


def left_of(standing: Standing, question: Open, now: datetime) -> timedelta:
    """The counted time that an open question's run has left, in the grace that of the grace."""
    return _left(standing.rule, standing.calendar(question.seat), _timed(question), now)


def allowed(question: Open) -> timedelta:
    """The counted time that an open question's run may take."""
    return timedelta(seconds=question.allowed or 0)


def runs(standing: Standing) -> dict[Seat, Open]:
    """For each seat that is waited for and whose clock runs, a question of its run."""
    return {one.seat: one for one in standing.open if not one.optional and one.begun_at is not None}


def deadlines(standing: Standing, now: datetime) -> tuple[Deadline, ...]:
    """Until when the seats that are waited for should answer, in seat order."""
    found = runs(standing)
    shown = []
    for seat in standing.seats:
        if seat not in found or standing.place(seat).open_since is not None:
            continue  # a seat that looks for another player waits
        away = standing.place(seat).away
        calendar, time = standing.calendar(seat), _timed(found[seat])
        shown.append(
            deadline(seat, standing.rule, calendar, time, now, (standing.pauses, standing.standstills, away))
        )
    return tuple(shown)


def deadline(
    seat: Seat,
    rule: Rule,
    calendar: Calendar,
    time: Timed,
    now: datetime,
    stops: tuple[tuple[Stop, ...], tuple[Stop, ...], tuple[Stop, ...]],
) -> Deadline:
    """Until when a seat whose clock began should answer. The stops: of the match, the house, the player."""
    still = clocks.standing_still(now, calendar)
    why = ""
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
    )


def _holds(stop: Stop, now: datetime) -> bool:
    return stop.begins <= now and (stop.ends is None or now < stop.ends)


def _timed(question: Open) -> Timed:
    return Timed(*(getattr(question, name) for name in TIMES))


def _running(rule: Rule, time: Timed) -> tuple[datetime, timedelta]:
    """When what runs began, the time of the turn or the grace after it, and how long it may last."""
    assert time.begun_at is not None
    if time.late_at is not None:
        return time.late_at, timedelta(seconds=rule.grace)
    return time.begun_at, timedelta(seconds=time.allowed or 0)


def _due(rule: Rule, calendar: Calendar, time: Timed) -> datetime | None:
    return clocks.deadline(*_running(rule, time), calendar, time.floor)


def _left(rule: Rule, calendar: Calendar, time: Timed, now: datetime) -> timedelta:
    return clocks.time_left(now, *_running(rule, time), calendar, time.floor)


def frozen(standing: Standing) -> bool:
    """The operator stopped all clocks."""
    return any(stop.ends is None for stop in standing.standstills)


def banked(standing: Standing, still: Collection[Seat], now: datetime) -> Iterator[tuple[int, float]]:
    """The chairs whose run ended now, each with what is in its bank from now on, in seconds."""
    for seat, question in runs(standing).items():
        if seat not in still:
            left = timedelta() if question.late_at else left_of(standing, question, now)
            yield standing.place(seat).chair_id, clocks.bank_after(standing.rule, left)


def rearm(connection: Wire, now: datetime, standing: Standing, seats: Collection[Seat] | None = None) -> None:
    """Announce the deadlines of a match, or of these seats in it, anew: after a pause, an absence, a gap."""
    for question in standing.open:
        if question.begun_at is None or (seats is not None and question.seat not in seats):
            continue
        allowed = timedelta(seconds=question.allowed or 0)
        place, calendar = standing.place(question.seat), standing.calendar(question.seat)
        if question.late_at is None:
            begun, announced = question.begun_at, _timed(question).floor
            wanted = timed(place, calendar, begun, allowed, now, announced)
            if wanted.due_at is None and question.due_at is not None:
                # It stands still with no end known: what was announced lives on as time that is left.
                left = clocks.time_left(now, begun, allowed, calendar, announced)
                allowed = max(allowed, clocks.spent(begun, now, calendar) + left)
                wanted = timed(place, calendar, begun, allowed, now, announced)
        else:
            due, floor = due_of(standing, question), _timed(question).floor
            announced = floor if due is None else None
            wanted = Timed(question.begun_at, question.allowed, due, None, question.late_at, announced)
        _rearm.run(connection, *wanted.stored(connection), question.id)


def give(connection: Wire, now: datetime, standing: Standing, seat: Seat, more: timedelta) -> None:
    """Let the open run of a seat last for so much longer, as if it had been so from the beginning."""
    place, calendar = standing.place(seat), standing.calendar(seat)
    for question in standing.open:
        if question.seat == seat and question.begun_at is not None:
            longer = allowed(question) + more
            wanted = timed(place, calendar, question.begun_at, longer, now, _timed(question).floor)
            _rearm.run(connection, *wanted.stored(connection), question.id)


def wind(connection: Wire, now: datetime, standing: Standing, seat: Seat, allowed: timedelta) -> Standing:
    """Give the open run of a seat so much counted time from now on, and end its grace.

    The standing with the new clock; the same where no clock of the seat runs. The deadline is never earlier
    than announced.
    """
    place, calendar = standing.place(seat), standing.calendar(seat)
    questions = []
    for question in standing.open:
        if question.seat == seat and question.begun_at is not None:
            wound = timed(place, calendar, now, allowed, now, _timed(question).floor)
            _rearm.run(connection, *wound.stored(connection), question.id)
            changed = {name: getattr(wound, name) for name in TIMES}
            questions.append(msgspec.structs.replace(question, **changed))
        else:
            questions.append(question)
    return msgspec.structs.replace(standing, open=tuple(questions))
