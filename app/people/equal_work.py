"""The same work for a form that names an address, whether an email follows or not: time must not tell."""

from datetime import datetime

from app.store import deeds
from app.store.connection import Connection
from app.store.session import wake_after_commit
from app.store.tokens import hash_of


def work(connection: Connection, now: datetime, form: str, address_key: str) -> None:
    """Write a row and wake the workers, as a request for an email does.

    Without it an answer to an address that is unknown here, or that had enough, would come sooner.
    """
    deeds.hold(connection, f"{form}:{hash_of(address_key)}", now)
    wake_after_commit(connection)
