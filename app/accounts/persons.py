"""People as the operator finds them: by number, address, domain, or part of a name."""

from datetime import datetime

import msgspec

from app.people.errors import NotFound
from app.people.mailboxes import SAME_HOUSE, mailbox_of
from app.store.connection import Connection
from app.store.sql import Query, is_key

LONGEST_NUMBER = 20
"""Characters of a number with its `#`; no row has one so long."""
MOST = 200
"""People in a list."""


class Person(msgspec.Struct, frozen=True):
    """A player, for the operator."""

    id: int
    address: str
    key: str
    name: str
    created_at: datetime
    seen_at: datetime | None
    gone_at: datetime | None

    @property
    def mailbox(self) -> str:
        """The address as it is counted."""
        return mailbox_of(self.key)


_COLUMNS = "p.id, p.address, p.address_key AS key, p.name, p.created_at, p.seen_at, p.gone_at"
_by_id = Query(Person, f"SELECT {_COLUMNS} FROM player p WHERE p.id = :player_id")  # noqa: S608 - constants
_by_former = Query(
    Person,
    f"""SELECT DISTINCT {_COLUMNS} FROM formeraddress f JOIN player p ON p.id = f.player_id
        WHERE f.address_key = :key""",  # noqa: S608 - constants
)
_like = Query(
    Person,
    f"""SELECT {_COLUMNS} FROM player p
        WHERE p.gone_at IS NULL
          AND (lower(p.name) LIKE :name ESCAPE '!' OR p.address_key LIKE :ends ESCAPE '!'
               OR p.address_key LIKE :below ESCAPE '!')
        ORDER BY p.id""",  # noqa: S608 - constants
)
_guests_of_mailbox = Query(str, "SELECT DISTINCT address_key FROM invitation WHERE mailbox = :mailbox")
_guests_of_domain = Query(
    str,
    """SELECT DISTINCT address_key FROM invitation
       WHERE status IN ('waiting', 'invited')
         AND (mailbox LIKE :ends ESCAPE '!' OR mailbox LIKE :below ESCAPE '!')""",
)


def by_id(connection: Connection, player_id: int) -> Person | None:
    """The player of that number, or None."""
    return _by_id.first(connection, player_id=player_id) if is_key(player_id) else None


def found(connection: Connection, text: str) -> list[Person]:
    """The people that a text means: `#12`, an address, `@` and a domain, or part of a name; `MOST` at most.

    All spellings of an address are one mailbox, and an address that a player had before finds them too.
    """
    text = text.strip()
    if text.startswith("#") and text[1:].isdecimal():
        one = by_id(connection, int(text[1:])) if len(text) < LONGEST_NUMBER else None
        return [one] if one is not None else []
    if text.startswith("@"):
        return of_key(connection, text)[:MOST]
    if "@" in text:
        before = _by_former.all(connection, key=text.casefold())
        known = {one.id: one for one in (*of_key(connection, mailbox_of(text.casefold())), *before)}
        return [one for one in known.values() if one.gone_at is None]
    nobody = "!%"  # an address never ends so
    like = f"%{_escaped(text.lower())}%"
    return _like.all(connection, name=like, ends=nobody, below=nobody)[:MOST]


def the_one(connection: Connection, text: str) -> Person:
    """The only person that a number or an address means. Raises NotFound: there is none, or several."""
    few = found(connection, text) if text.startswith("#") or "@" in text[1:] else []
    exact = [one for one in few if one.key == text.strip().casefold()]
    if len(exact or few) != 1:
        raise NotFound("player")
    return (exact or few)[0]


def of_key(connection: Connection, key: str) -> list[Person]:
    """The players that a bar of this key would meet: those of a mailbox, or of `@` and a domain."""
    domain = key.rpartition("@")[2]
    near = {domain, *(one for one, house in SAME_HOUSE.items() if house == domain)}
    people = {
        one.id: one
        for place in sorted(near)
        for one in _like.all(connection, name="", ends=f"%@{_escaped(place)}", below=f"%.{_escaped(place)}")
    }
    return [one for one in people.values() if key.startswith("@") or one.mailbox == key]


def guests_of_key(connection: Connection, key: str) -> list[str]:
    """The address keys that a bar of this key meets and that were invited here."""
    if key.startswith("@"):
        domain = _escaped(key[1:])
        return _guests_of_domain.all(connection, ends=f"%@{domain}", below=f"%.{domain}")
    return _guests_of_mailbox.all(connection, mailbox=key)


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
