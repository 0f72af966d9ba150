"""The mail server between hand-overs: left alone after a failure, then tried by one worker.

What it does lies in the database, so that all workers know, on however many machines.
"""

from datetime import datetime

from app import clock
from app.mail.bounces.refusals import masked
from app.mail.core import relay
from app.store.connection import Connection
from app.store.session import Store


def rests(connection: Connection, now: datetime) -> bool:
    """Whether no letter is handed over at that moment."""
    until = relay.read(connection).rests_until
    return until is not None and now < until


def is_resting(store: Store) -> bool:
    """Whether no letter is handed over now."""
    with store.looking() as connection:
        return rests(connection, clock.now())


def admits(store: Store) -> bool:
    """Whether this worker may hand a letter over now. After a failure one may, and the others wait for it."""
    now = clock.now()
    with store.looking() as connection:
        if relay.read(connection).rests_until is None:
            return True
    with store.statements() as connection:
        return relay.read(connection).rests_until is None or relay.may_probe(connection, now)


def failed(store: Store, kind: str, said: str) -> None:
    """It is away, or refuses whatever we bring."""
    with store.statements() as connection:
        relay.failed(connection, clock.now(), kind, masked(said))


def spoke(store: Store) -> None:
    """It works, though it refused a letter."""
    with store.statements() as connection:
        relay.took(connection, clock.now())
