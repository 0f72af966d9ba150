"""The sweep: reminders, timeouts and pauses that are due.

`remind_at` and `due_at` only say when to look. The truth is then worked out from the clock: either the time
is moved, or something is done in one transaction with moving it. So sweeps that run at the same time, run
twice or die halfway do no harm.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from app import clock
from app.engine.game import Seat
from app.play.deadlines import outages, pauses, reminders, timeouts
from app.play.match import matches, questions
from app.play.match.editions import waits_for_rules
from app.play.match.questions import At
from app.store.connection import Connection
from app.store.session import Store

log = logging.getLogger(__name__)

MOST = 2000
"""Seats handled by one sweep; the next comes soon."""
BATCH = 100
"""Questions read at a time."""

Due = Callable[[Connection, datetime, int], list[At]]
Handle = Callable[[Store, int, Seat], None]


def tick(store: Store) -> int:
    """Record a sign of life, then sweep. During an outage the clocks stood still."""
    outages.beat(store)
    return sweep(store)


def sweep(store: Store) -> int:
    """Handle due reminders and timeouts. Returns the number of seats handled.

    Nothing is done while all clocks stand still. An error in one match is logged and affects no other.
    """
    with store.reading() as connection:
        if outages.all_stopped_now(connection):
            return 0
    _look_after_pauses(store)
    return _handle_all(store, questions.to_remind, reminders.remind) + _handle_all(
        store, questions.due, timeouts.run_out
    )


def _look_after_pauses(store: Store) -> None:
    with store.reading() as connection:
        found = matches.pauses_to_look_at(connection, clock.now(), MOST)
    for match_id in found:
        try:
            pauses.look_after(store, match_id)
        except Exception as error:  # one faulty match must not stop the others
            if not waits_for_rules(match_id, error):
                log.exception("match %s: its pause could not be seen to", match_id)


def _handle_all(store: Store, due: Due, handle: Handle) -> int:
    passed: set[tuple[int, Seat]] = set()
    while len(passed) < MOST:
        with store.reading() as connection:
            found = due(connection, clock.now(), BATCH + 2 * len(passed))
        fresh = [one for one in dict.fromkeys((at.match_id, at.seat) for at in found) if one not in passed]
        if not fresh:
            break
        for match_id, seat in fresh:
            passed.add((match_id, seat))
            try:
                handle(store, match_id, seat)
            except Exception as error:  # one faulty match must not stop the others
                if not waits_for_rules(match_id, error):
                    log.exception("match %s: time could not be seen to for %s", match_id, seat)
    return len(passed)
