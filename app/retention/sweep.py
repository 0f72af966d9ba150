"""The sweep by which goes what is no longer needed, in small transactions."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from app import clock
from app.mail.core import old_letters
from app.play.lobby import abandoned
from app.retention import ended
from app.retention.kept import Goes, goes
from app.settings import Keep
from app.store import heartbeat
from app.store.session import Store

log = logging.getLogger(__name__)

ROWS = 200
"""Of one transaction, at most."""
ROUNDS = 20
"""Transactions of one kind in one sweep, at most; the next sweep goes on."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
LETTERS = "letters tidied"
"""The heartbeat that is a bookmark: until when letters of no match are only lines."""


def sweep(store: Store, keep: Keep) -> int:
    """Delete what is old enough, as `kept` lists it; returns the number of transactions.

    Twice does no harm, and one part that fails keeps no other back.
    """
    now = clock.now()
    acts: list[Callable[[], int]] = [
        *(partial(_forget, store, keep, one, now) for one in goes() if one.act is not None),
        lambda: abandoned.call_off(store, timedelta(days=keep.unplayed), ROUNDS),
        lambda: ended.delete_dead(store, keep, now, ROWS, ROUNDS),
        lambda: ended.tidy(store, keep, now, ROWS, ROUNDS),
        lambda: _shrink_letters(store, keep, now),
    ]
    done = 0
    for act in acts:
        try:
            done += act()
        except Exception:
            log.exception("a part of the sweep of what is old failed")
    return done


def _forget(store: Store, keep: Keep, what: Goes, now: datetime) -> int:
    assert what.act is not None
    for number in range(ROUNDS):
        with store.transaction() as connection:
            if what.act(connection, now - what.span(keep), ROWS) < ROWS:
                return number + 1
    return ROUNDS


def _shrink_letters(store: Store, keep: Keep, now: datetime) -> int:
    """Leave of old letters of no match the line that a player sees, from where the last sweep ended."""
    before = now - timedelta(days=keep.links)
    for number in range(ROUNDS):
        with store.transaction() as connection:
            since = heartbeat.last_in(connection, LETTERS) or LONG_AGO
            found, last = old_letters.shrink_alone(connection, since, before, ROWS)
            if last is not None:
                heartbeat.mark(connection, LETTERS, last)
        if found < ROWS:
            return number + 1
    return ROUNDS
