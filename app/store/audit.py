"""The log of what the operator did, by command or on the operator's page."""

from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query


class Act(msgspec.Struct, frozen=True):
    """An act of the operator."""

    at: datetime
    act: str
    about: str
    why: str
    by_id: int | None
    """The player who did it on the operator's page; None: it was typed as a command."""


_insert = Command("INSERT INTO audit (at, act, about, why, by_id) VALUES (:now, :act, :about, :why, :by_id)")
_latest = Query(Act, "SELECT at, act, about, why, by_id FROM audit ORDER BY id DESC LIMIT :most")


def keep(
    connection: Connection, now: datetime, act: str, about: str, why: str = "", by: int | None = None
) -> None:
    """Keep an act, in the transaction that does it. `by`: the player who did it on the operator's page."""
    _insert.run(connection, now=now, act=act, about=about, why=why, by_id=by)


def latest(connection: Connection, most: int) -> list[Act]:
    """The latest acts, the newest first."""
    return _latest.all(connection, most=most)
