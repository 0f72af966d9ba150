"""Reminders: each is due once; those that are due together for one player are one letter."""

from datetime import datetime

from app import clock
from app.engine.game import Seat
from app.people import preferences
from app.play.clock import reminders
from app.play.clock.reminders import Reminder
from app.play.deadlines.timeouts import locked_turn
from app.play.match import questions, turn_clocks
from app.play.match.snapshot import MatchSnapshot, OpenQuestion, SeatHolder
from app.store import outbox
from app.store.connection import Connection
from app.store.locks import hold_reminders
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def remind(store: Store, match_id: int, seat: Seat) -> None:
    """Request the reminder of a seat if it is really due, and set the time of the next one.

    The letter lists all open turns of the player, so there is none beside another that waits to be sent.
    Players are not reminded while they are away or late, or if they want no reminders of this match.
    """
    with store.statements() as connection:
        now = clock.now()
        found = locked_turn(connection, match_id, seat)
        if found is None:
            return
        snapshot, question = found
        if question.time.remind_at is None or question.time.remind_at > now:
            return  # another sweep was faster
        ahead = _ahead(snapshot, question)
        due = [one for one in ahead if one.at <= now]
        come = " ".join(dict.fromkeys([*question.time.reminded.split(), *(one.offset for one in due)]))
        following = next((one.at for one in ahead if one.at > now), None)
        questions.set_reminder(connection, match_id, seat, following, come)
        holder = snapshot.holder(seat)
        if due and holder.player_id is not None and _may_remind(connection, snapshot, holder, now):
            _request(connection, now, snapshot, question, holder.player_id, due[0].at)


def _ahead(snapshot: MatchSnapshot, question: OpenQuestion) -> list[Reminder]:
    """The reminders of the seat that have not come yet, by its clock as it is now."""
    time, due = question.time, turn_clocks.due_of(snapshot, question)
    if time.late_at is not None or time.begun_at is None:
        return []
    offsets = reminders.read(snapshot.holder(question.seat).reminders)
    calendar = snapshot.calendar(question.seat).counting(time.span)
    assert time.remind_at is not None
    return [
        one
        for one in reminders.schedule(time.begun_at, time.span, due, calendar, offsets, time.reminded)
        if one.at >= time.remind_at
    ]


def _may_remind(connection: Connection, snapshot: MatchSnapshot, holder: SeatHolder, now: datetime) -> bool:
    if holder.player_id is None or holder.automated or holder.open_since is not None:
        return False
    if snapshot.stopped(holder.seat, now):
        return False
    return preferences.wants_reminder(connection, holder.player_id, snapshot.match_id)


def _request(
    connection: Connection,
    now: datetime,
    snapshot: MatchSnapshot,
    question: OpenQuestion,
    player_id: int,
    at: datetime,
) -> None:
    hold_reminders(connection, player_id)
    if outbox.waits(connection, player_id, "reminder"):
        return
    match_id = snapshot.match_id
    once = f"reminder:{player_id}:{match_id}:{question.turn}:{at.isoformat()}"
    letter = LetterRequest(kind="reminder", once=once, player_id=player_id, due_match_id=match_id)
    enqueue(connection, now, letter)
