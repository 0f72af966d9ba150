"""Players who may use the operator's page: a role that only a command gives."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people.checks import check_address
from app.store import audit
from app.store.session import Store
from app.store.sql import Command, Query
from app.store.tokens import hash_of

FRESH = timedelta(hours=12)
"""How long after signing in a browser has the role: an older session needs a new link."""


class Operator(msgspec.Struct, frozen=True):
    """A player with the role."""

    id: int
    name: str
    address: str
    since: datetime


_every = Query(
    Operator,
    """SELECT id, name, address, operator_since AS since FROM player
       WHERE operator_since IS NOT NULL ORDER BY id""",
)
_is = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM player WHERE id = :player_id AND operator_since IS NOT NULL) AS found""",
)
_give = Command("UPDATE player SET operator_since = :now WHERE address_key = :key AND operator_since IS NULL")
_take = Command(
    "UPDATE player SET operator_since = NULL WHERE address_key = :key AND operator_since IS NOT NULL"
)
_known = Query(bool, "SELECT EXISTS (SELECT 1 FROM player WHERE address_key = :key) AS known")
_fresh = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM login WHERE hash = :hash AND chair_id IS NULL
                      AND created_at > :since) AS fresh""",
)


def add(store: Store, address: str) -> bool | None:
    """Give the role to the player with an address. False: they have it. None: nobody plays by it.

    Raises Refused if it is no address.
    """
    now, key = clock.now(), check_address(address)[1]
    with store.transaction() as connection:
        if not _known.one(connection, key=key):
            return None
        if not _give.run(connection, key=key, now=now):
            return False
        audit.keep(connection, now, "operator add", key)
    return True


def drop(store: Store, address: str) -> bool:
    """Take the role from the player with an address. False: they don't have it. Raises Refused."""
    now, key = clock.now(), check_address(address)[1]
    with store.transaction() as connection:
        if not _take.run(connection, key=key):
            return False
        audit.keep(connection, now, "operator drop", key)
    return True


def every(store: Store) -> list[Operator]:
    """The players with the role."""
    with store.reading() as connection:
        return _every.all(connection)


def is_operator(store: Store, player_id: int) -> bool:
    """Whether a player has the role."""
    with store.reading() as connection:
        return _is.one(connection, player_id=player_id)


def is_fresh(store: Store, session: str) -> bool:
    """Whether the browser with this session's key signed in within FRESH."""
    since = clock.now() - FRESH
    with store.reading() as connection:
        return _fresh.one(connection, hash=hash_of(session), since=since)
