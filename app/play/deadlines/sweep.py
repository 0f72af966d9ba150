"""What time brings about: reminders, the grace after a deadline, and what follows it.

`remind_at` and `due_at` say when to look. What is true then is worked out from the clock; either the moment
moves later, or something is done, in one transaction with the change of the moment. So sweeps that run at the
same time, run twice or die in between do no harm.
"""

import logging
from collections.abc import Callable

from app import clock
from app.play.deadlines import outages, reminders, timeouts
from app.store.session import Store
from app.store.statement import Statement, stored

log = logging.getLogger(__name__)

MOST = 2000
"""Seats that one sweep sees to; the next comes soon."""
BUNDLE = 100
"""Questions looked for at a time."""

# By the partial indexes: they touch what is due and nothing else.
_remind = Statement(
    """SELECT match_id, seat FROM question
       WHERE closed_at IS NULL AND remind_at IS NOT NULL AND remind_at <= ? ORDER BY remind_at LIMIT ?"""
)
_due = Statement(
    """SELECT match_id, seat FROM question
       WHERE closed_at IS NULL AND due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?"""
)

SeeTo = Callable[[Store, int, str], None]


def tick(store: Store) -> int:
    """Give a sign of life, then sweep. While a house was away its clocks stood still."""
    outages.beat(store)
    return sweep(store)


def sweep(store: Store) -> int:
    """Remind whom it is time to remind; let follow what follows on deadlines. How many seats were seen to.

    While the whole house stands still nothing is done. Whatever fails in one match is logged and leaves the
    others alone.
    """
    with store.reading() as connection:
        if outages.all_stopped_now(connection):
            return 0
    return _see_to_all(store, _remind, reminders.remind) + _see_to_all(store, _due, timeouts.run_out)


def _see_to_all(store: Store, due: Statement, see_to: SeeTo) -> int:
    passed: set[tuple[int, str]] = set()
    while len(passed) < MOST:
        with store.reading() as connection:
            at = stored(connection, clock.now())
            found = due.fetch(connection, at, BUNDLE + 2 * len(passed))
        fresh = [one for one in dict.fromkeys((row[0], row[1]) for row in found) if one not in passed]
        if not fresh:
            break
        for match_id, seat in fresh:
            passed.add((match_id, seat))
            try:
                see_to(store, match_id, seat)
            except Exception:  # a fault in one match is not the others'
                log.exception("match %s: time could not be seen to for %s", match_id, seat)
    return len(passed)
