"""Bars of addresses and domains. Only commands of the operator put and lift them, never a player.

The owner of an address with a bar signs in no more, invites nobody, is invited by nobody and begins no game.
Running games go on as the operator has decided: a bar alone takes no seat.
"""

from datetime import datetime

import msgspec

from app.people.checks import check_address
from app.people.errors import Refused
from app.people.mailboxes import SAME_HOUSE, domain_of, mailbox_of
from app.store.connection import Connection
from app.store.outbox import LetterRequest
from app.store.sql import Command, Query

TURNED_AWAY = "turned_away"
"""The kind of the email to people with a bar, or without an account any more, who write or ask for links."""
_NAMES = ("mailbox", "domain", "above", "higher", "near_top", "top")


class Bar(msgspec.Struct, frozen=True):
    """A bar, for the operator."""

    key: str
    """The mailbox of an address, or `@` and a domain."""
    why: str
    at: datetime

    @property
    def domain(self) -> str:
        """The domain; empty: it is a bar of one address."""
        return self.key[1:] if self.key.startswith("@") else ""


_put = Command("INSERT INTO bar (key, why, at) VALUES (:key, :why, :now) ON CONFLICT (key) DO NOTHING")
_lift = Command("DELETE FROM bar WHERE key = :key")
_find = Query(
    Bar,
    """SELECT key, why, at FROM bar
       WHERE key IN (:mailbox, :domain, :above, :higher, :near_top, :top) ORDER BY key DESC""",
)
_key = Query(str, "SELECT address_key FROM player WHERE id = :player_id")
_all = Query(Bar, "SELECT key, why, at FROM bar ORDER BY key")


def key_of(text: str) -> str:
    """The key of an address, or of a domain with or without an `@` before it, as the operator types it.

    Tags behind a plus are folded, and domains become A-labels. Raises Refused("address").
    """
    text = text.strip()
    if "@" in text.removeprefix("@"):
        return mailbox_of(check_address(text)[1])
    try:
        domain = check_address(f"x@{text.removeprefix('@').removesuffix('.')}")[1].rpartition("@")[2]
    except Refused:
        raise Refused("address", address=text) from None
    return f"@{SAME_HOUSE.get(domain, domain)}"


def keys_of(address_key: str) -> tuple[str, ...]:
    """The keys of all bars that an address can have: its mailbox, its domain, and four of those above it.

    Of a very long domain these are the shortest.
    """
    labels = domain_of(address_key).split(".")
    above = [f"@{'.'.join(labels[n:])}" for n in range(1, len(labels))][-4:]
    return (mailbox_of(address_key), f"@{'.'.join(labels)}", *above, *[""] * (4 - len(above)))


def put(connection: Connection, now: datetime, key: str, why: str) -> bool:
    """Put a bar on a key. False: there was one."""
    return _put.run(connection, key=key, why=why, now=now) == 1


def lift(connection: Connection, key: str) -> bool:
    """Lift the bar of a key. False: there was none."""
    return _lift.run(connection, key=key) == 1


def of(connection: Connection, address_key: str) -> Bar | None:
    """The bar of an address, or None. That of the address itself goes before that of its domain."""
    return _find.first(connection, **dict(zip(_NAMES, keys_of(address_key), strict=True)))


def of_player(connection: Connection, player_id: int) -> Bar | None:
    """The bar of a player's address, or None."""
    key = _key.first(connection, player_id=player_id)
    return of(connection, key) if key else None


def notice(player_id: int, bar: Bar) -> LetterRequest:
    """The email that tells a player of a bar, once."""
    once = f"{TURNED_AWAY}:{player_id}:{bar.at.isoformat()}"
    return LetterRequest(kind=TURNED_AWAY, once=once, player_id=player_id, consequence="barred")


def check(connection: Connection, address_key: str, reason: str = "own_address_barred", **facts: str) -> None:
    """Raises Refused(reason) if an address has a bar."""
    if of(connection, address_key) is not None:
        raise Refused(reason, **facts)


def every(connection: Connection) -> list[Bar]:
    """All bars, by key."""
    return _all.all(connection)
