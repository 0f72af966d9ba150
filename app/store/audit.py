"""The log of what the operator did by command."""

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


_insert = Command("INSERT INTO audit (at, act, about, why) VALUES (:now, :act, :about, :why)")
_latest = Query(Act, "SELECT at, act, about, why FROM audit ORDER BY id DESC LIMIT :most")


def keep(connection: Connection, now: datetime, act: str, about: str, why: str = "") -> None:
    """Keep an act, in the transaction that does it."""
    _insert.run(connection, now=now, act=act, about=about, why=why)


def latest(connection: Connection, most: int) -> list[Act]:
    """The latest acts, the newest first."""
    return _latest.all(connection, most=most)
