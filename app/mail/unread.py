"""For the operator: the mails that came in and could not be read, without what would open anything."""

import re
from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlmodel import col

from app.store.session import Store
from app.store.tables import Incoming

MOST = 200
_ADDRESS = re.compile(r"([rbu])(?:\+|=2B|%2B)[a-z2-7=\s]{26,80}?(?=@|%40|=40|\W)", re.IGNORECASE)
_LINK = re.compile(r"/([tisu])/[A-Za-z0-9_=\r\n-]{16,90}")


class Unread(msgspec.Struct, frozen=True):
    """A mail that could not be read."""

    id: str
    received_at: datetime
    source: str
    tries: int
    size: int
    error: str
    """Its last line."""


def unread(store: Store) -> list[Unread]:
    """The mails that were given up, the newest first."""
    with store.reading() as connection:
        rows = connection.execute(
            select(
                col(Incoming.id),
                col(Incoming.received_at),
                col(Incoming.source),
                col(Incoming.tries),
                col(Incoming.raw),
                col(Incoming.error),
            )
            .where(col(Incoming.status) == "failed")
            .order_by(col(Incoming.received_at).desc())
            .limit(MOST)
        ).all()
    return [
        Unread(row.id, row.received_at, row.source, row.tries, len(row.raw), _last(row.error)) for row in rows
    ]


def shown(store: Store, incoming_id: str) -> str | None:
    """A mail as it came, and what went wrong with it, tokens masked; None: there is none of that name."""
    with store.reading() as connection:
        row = connection.execute(
            select(col(Incoming.raw), col(Incoming.error), col(Incoming.status), col(Incoming.reason)).where(
                col(Incoming.id) == incoming_id
            )
        ).one_or_none()
    if row is None:
        return None
    told = masked(bytes(row.raw).decode("utf-8", "backslashreplace"))
    return f"{row.status} {row.reason}\n{masked(row.error)}\n\n{told}".lstrip()


def masked(text: str) -> str:
    """The text without the tokens of addresses and links, also where a line was broken within them."""
    return _LINK.sub(r"/\1/…", _ADDRESS.sub(r"\1+…", text))


def _last(error: str) -> str:
    lines = error.strip().splitlines()
    return lines[-1] if lines else ""
