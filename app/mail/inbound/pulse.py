"""The sign of life of what takes mail in: given while its mailbox can be read, or its port is open."""

import logging
from datetime import datetime

from app import clock
from app.store import heartbeat
from app.store.connection import Connection
from app.store.session import Store

log = logging.getLogger(__name__)

NAME = "inbox"
EVERY = 60.0
"""Seconds between two signs of a port."""


def give(store: Store) -> None:
    """Keep that mail is waited for now. Never raises: mail is taken in, whether or not this can be kept."""
    try:
        with store.transaction() as connection:
            heartbeat.beat(connection, NAME, clock.now())
    except Exception as error:  # noqa: BLE001 - the database may be away in any way
        log.warning("no sign of life could be kept: %s", type(error).__name__)


def last(connection: Connection) -> datetime | None:
    """When mail was last waited for, or None."""
    return heartbeat.last_in(connection, NAME)
