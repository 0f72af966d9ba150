"""Addresses whose letters are refused for good by no word about the mailbox: because of us, or by a policy.

Letters go on being tried, because the next may get through. The player, the organiser and the operator are
told once it has happened REPEATED times in a row.
"""

from datetime import datetime, timedelta

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query

REPEATED = 2
"""Refusals in a row after which the pages say that emails don't arrive. Two selects repeat the number."""
FADES = timedelta(days=3)
"""A letter that the mail server took may still come back: notices are believed for so long."""


class Unreached(msgspec.Struct, frozen=True):
    """The refusals of letters to an address."""

    kind: str
    """us, policy, full."""
    said: str
    """The last refusal, addresses masked."""
    since: datetime
    at: datetime
    times: int
    by_notice: bool


class KindCount(msgspec.Struct, frozen=True):
    """The number of addresses of a kind."""

    kind: str
    many: int


_put = Command(
    """INSERT INTO unreached (address_key, kind, said, since, at, times, by_notice)
       VALUES (:address_key, :kind, :said, :now, :now, 1, :by_notice)
       ON CONFLICT (address_key) DO UPDATE
       SET kind = excluded.kind, said = excluded.said, at = excluded.at, times = unreached.times + 1,
           since = CASE WHEN unreached.kind = excluded.kind THEN unreached.since ELSE excluded.since END,
           by_notice = excluded.by_notice"""
)
_end = Command("DELETE FROM unreached WHERE address_key = :address_key AND (NOT by_notice OR at < :before)")
_forget = Command("DELETE FROM unreached WHERE address_key = :address_key")
_find = Query(
    Unreached,
    "SELECT kind, said, since, at, times, by_notice FROM unreached WHERE address_key = :address_key",
)
_kinds = Query(
    KindCount,
    "SELECT kind, count(*) AS many FROM unreached WHERE at > :since GROUP BY kind ORDER BY kind",
)
_count = Query(int, "SELECT count(*) AS many FROM unreached WHERE times >= :repeated")


def refused(
    connection: Connection, address_key: str, kind: str, said: str, now: datetime, *, by_notice: bool = False
) -> Unreached:
    """Keep a refusal of a letter to the address; returns all that are known, this one included."""
    _put.run(connection, address_key=address_key, kind=kind, said=said, now=now, by_notice=by_notice)
    return _find.one(connection, address_key=address_key)


def taken(connection: Connection, address_key: str, now: datetime) -> None:
    """A letter to the address was taken: earlier refusals are over, unless they came as late notices."""
    _end.run(connection, address_key=address_key, before=now - FADES)


def forget(connection: Connection, address_key: str) -> bool:
    """Forget the refusals: the address is blocked now, or its owner says it works. False: there were none."""
    return _forget.run(connection, address_key=address_key) > 0


def of_address(connection: Connection, address_key: str) -> Unreached | None:
    """The refusals of letters to an address, or None."""
    return _find.first(connection, address_key=address_key)


def kinds_since(connection: Connection, since: datetime) -> dict[str, int]:
    """The number of addresses that refused a letter since that moment, by the kind of refusal."""
    return {one.kind: one.many for one in _kinds.all(connection, since=since)}


def count(connection: Connection) -> int:
    """The number of addresses that emails don't reach."""
    return _count.one(connection, repeated=REPEATED)
