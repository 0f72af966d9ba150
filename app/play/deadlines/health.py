"""Whether the house does its work: for an operator's watch, by queries that touch only what is wrong."""

from datetime import timedelta

import msgspec

from app import clock
from app.play.deadlines import outages
from app.store import heartbeat
from app.store.session import Store
from app.store.statement import Statement, Wire, stored

TICK_LATE = timedelta(minutes=3)
OVERDUE = timedelta(minutes=5)
LETTER_WAITS = timedelta(minutes=15)
LATER = timedelta(hours=1)
"""The longest that a letter waits between two tries."""
BOT_IDLE = timedelta(minutes=10)
MOST = 1000
"""Nothing is counted further."""


def _count(what: str) -> Statement:
    return Statement(f"SELECT count(*) FROM (SELECT 1 FROM {what} LIMIT {MOST}) found")  # noqa: S608 - constants


_overdue = _count("question WHERE closed_at IS NULL AND due_at IS NOT NULL AND due_at < ?")
_idle = _count("question WHERE closed_at IS NULL AND unmanned AND NOT optional AND asked_at < ?")
_letters = _count(
    """letter WHERE status = 'waiting' AND due_at < ?
       AND (due_at < ? OR (tries > 0 AND created_at < ?))"""
)
_unread = _count("incoming WHERE status = 'waiting'")


class Health(msgspec.Struct, frozen=True):
    """The figures. Counts end at MOST."""

    wrong: tuple[str, ...]
    """What must be seen to, in words for an operator."""
    tick_age: float | None
    """Seconds since the last sweep; None: there was none ever."""
    overdue: int
    """Deadlines that no sweep has seen to for five minutes."""
    letters_waiting: int
    """Letters that should have gone out a quarter of an hour ago."""
    mail_unread: int
    bots_idle: int
    """Questions that no bot has answered for ten minutes."""
    clocks_stand: bool


def health(store: Store) -> Health:
    """How the house does. Raises what the database's driver raises."""
    now = clock.now()
    last = heartbeat.last(store, outages.TICK)
    with store.reading() as connection:

        def count(what: Statement, *before: timedelta) -> int:
            return _found(connection, what, *(stored(connection, now - span) for span in before))

        stands = outages.all_stopped_now(connection)
        overdue = count(_overdue, OVERDUE)
        letters = count(_letters, -LATER, LETTER_WAITS, LETTER_WAITS)
        unread, idle = count(_unread), count(_idle, BOT_IDLE)
    wrong = []
    if last is None:
        wrong.append("no sweep has ever run: start `tidepost worker` and `tidepost beat`")
    elif now - last > TICK_LATE:
        wrong.append(f"the last sweep ran at {last:%Y-%m-%d %H:%M} UTC: is beat alive, and a worker?")
    if overdue and not stands:
        past = "1 deadline is" if overdue == 1 else f"{overdue} deadlines are"
        wrong.append(f"{past} past and nothing has followed")
    age = None if last is None else (now - last).total_seconds()
    return Health(tuple(wrong), age, overdue, letters, unread, idle, stands)


def _found(connection: Wire, what: Statement, *values: object) -> int:
    return int(what.fetch(connection, *values)[0][0])
