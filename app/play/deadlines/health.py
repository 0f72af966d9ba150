"""Health of the server, for an operator's monitoring: counts by queries that touch only what is wrong."""

from collections import Counter
from datetime import timedelta

import msgspec

from app import clock
from app.play.deadlines import outages
from app.play.match import matches, questions, site_stops
from app.play.match.editions import known
from app.store import heartbeat, outbox
from app.store.connection import Connection
from app.store.session import Store

WHOLE = "sweep"
"""The name of the sign that all parts of a sweep were done."""
TICK_LATE = timedelta(minutes=3)
PART_LATE = timedelta(minutes=15)
"""A part of the sweeps may fail for so long while the others are done."""
OVERDUE = timedelta(minutes=5)
LETTER_WAITS = timedelta(minutes=15)
RETRY_WITHIN = timedelta(hours=1)
"""The longest time between two tries to deliver a letter."""
BOT_IDLE = timedelta(minutes=10)
MOST = 1000
"""Counts stop here."""


class Health(msgspec.Struct, frozen=True):
    """The figures. Counts stop at MOST."""

    wrong: tuple[str, ...]
    """Problems, in words for an operator."""
    tick_age: float | None
    """Seconds since the last sweep; None: there was never one."""
    overdue: int
    """Deadlines that no sweep has handled for five minutes."""
    without_rules: int
    """Deadlines of matches of a game or edition that this server doesn't have: nobody can follow them."""
    letters_waiting: int
    """Letters that should have gone out a quarter of an hour ago."""
    mail_unread: int
    bots_idle: int
    """Questions that no bot has answered for ten minutes."""
    clocks_stand: bool


def health(store: Store, mail_unread: int) -> Health:
    """The health of the server; the caller counts unread mail. Raises errors of the database's driver."""
    now = clock.now()
    last = heartbeat.last(store, site_stops.TICK)
    whole = heartbeat.last(store, WHOLE)
    with store.reading() as connection:
        stands = outages.all_stopped_now(connection)
        past = Counter(questions.overdue(connection, now - OVERDUE, MOST))
        stranded = sum(past[one] for one in past if not _has_rules(connection, one))
        untried = outbox.count_late(connection, now - LETTER_WAITS, now - LETTER_WAITS, MOST)
        letters = outbox.count_late(connection, now + RETRY_WITHIN, now - LETTER_WAITS, MOST)
        still = Counter(questions.idle(connection, now - BOT_IDLE, MOST))
        idle = sum(still[one] for one in still if _has_rules(connection, one))
    overdue = past.total() - stranded
    wrong = []
    if last is None:
        wrong.append("no sweep has ever run: start `tidepost worker` and `tidepost beat`")
    elif now - last > TICK_LATE:
        wrong.append(f"the last sweep ran at {last:%Y-%m-%d %H:%M} UTC: is beat alive, and a worker?")
    if overdue and not stands:
        are = "1 deadline is" if overdue == 1 else f"{overdue} deadlines are"
        wrong.append(f"{are} past and nothing has followed")
    if untried:
        wait = "1 email waits" if untried == 1 else f"{untried} emails wait"
        wrong.append(f"{wait} for a quarter of an hour and nothing was tried: is a worker alive?")
    if idle:
        turns = "1 turn of the computer is" if idle == 1 else f"{idle} turns of the computer are"
        wrong.append(f"{turns} not played for ten minutes: the worker's log says why")
    if last is not None and whole is not None and last - whole > PART_LATE:
        wrong.append(
            f"a part of the sweeps has failed since {whole:%Y-%m-%d %H:%M} UTC: the worker's log says which"
        )
    age = None if last is None else (now - last).total_seconds()
    return Health(tuple(wrong), age, overdue, stranded, letters, mail_unread, idle, stands)


def done(store: Store) -> None:
    """Keep that all parts of a sweep were done now."""
    with store.transaction() as connection:
        heartbeat.mark(connection, WHOLE, clock.now())


def _has_rules(connection: Connection, match_id: int) -> bool:
    found = matches.rules_named(connection, match_id)
    return found is None or known(found.game, found.edition)
