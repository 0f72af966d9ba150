"""Reminders: each is due once, and those that fall due together for one player are one letter."""

from datetime import datetime

from app import clock
from app.people import preferences
from app.play.clock import rules
from app.play.deadlines.timeouts import held_run
from app.play.match import turn_clocks
from app.play.match.snapshot import MatchSnapshot, Open, SeatHolder
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, Wire, stored

_move = Statement(
    """UPDATE question SET remind_at = ?
       WHERE match_id = ? AND seat = ? AND closed_at IS NULL AND remind_at IS NOT NULL"""
)
_one_at_a_time = Statement("SELECT pg_advisory_xact_lock(20, ?)")
_waits = Statement(
    "SELECT 1 FROM letter WHERE player_id = ? AND kind = 'reminder' AND status = 'waiting' LIMIT 1"
)


def remind(store: Store, match_id: int, seat: str) -> None:
    """Ask for the reminder of a seat if it is really due, and set when the next one is.

    The letter tells of all that waits for the player, so there is none beside one that has not gone out yet.
    Nobody is reminded who is away, or whose time is up, or who wants no reminders of this match.
    """
    with store.statements() as connection:
        now = clock.now()
        held = held_run(connection, match_id, seat)
        if held is None:
            return
        standing, question = held
        if question.time.remind_at is None or question.time.remind_at > now:
            return  # another sweep was faster
        moments = _moments(standing, question)
        later = next((at for at in moments if at > now), None)
        _move.run(connection, None if later is None else stored(connection, later), match_id, seat)
        fallen = [at for at in moments if at <= now]
        place = standing.place(seat)
        if fallen and _hears(standing, place, now) and _wants(connection, place, match_id):
            _ask(connection, now, standing, question, place, fallen[0])


def _moments(standing: MatchSnapshot, question: Open) -> list[datetime]:
    """When the seat is still to be reminded, by the clock as it is known now."""
    time, due = question.time, turn_clocks.due_of(standing, question)
    if time.late_at is not None or time.begun_at is None:
        return []
    wish = rules.read_reminders(standing.place(question.seat).reminders)
    calendar = standing.calendar(question.seat)
    assert time.remind_at is not None
    return [
        at for at in rules.reminders(time.begun_at, time.span, due, calendar, wish) if at >= time.remind_at
    ]


def _hears(standing: MatchSnapshot, place: SeatHolder, now: datetime) -> bool:
    if place.player_id is None or place.unmanned or place.open_since is not None:
        return False
    return not standing.stopped(place.seat, now)


def _wants(connection: Wire, place: SeatHolder, match_id: int) -> bool:
    """Whether he is reminded of this match. Of another, one letter tells together with all that he wants."""
    assert place.player_id is not None
    return preferences.choice_of(connection, place.player_id, match_id, "reminder") == "at_once"


def _ask(
    connection: Wire, now: datetime, standing: MatchSnapshot, question: Open, place: SeatHolder, at: datetime
) -> None:
    assert place.player_id is not None
    if connection.dialect.name != "sqlite":  # there, every writer is alone already
        _one_at_a_time.fetch(connection, place.player_id)
    if _waits.fetch(connection, place.player_id):
        return
    once = f"reminder:{place.player_id}:{standing.match_id}:{question.run}:{at.isoformat()}"
    letter = LetterRequest(
        kind="reminder", once=once, player_id=place.player_id, due_match_id=standing.match_id
    )
    enqueue(connection, now, letter)
