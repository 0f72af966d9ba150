"""Make one account of two that belong to one person."""

from datetime import datetime

from app import clock
from app.accounts import persons
from app.accounts.joined import JOINED
from app.accounts.persons import Person
from app.people import bars, former, recipients
from app.play.match import presence
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_player
from app.store.outbox import LetterRequest, enqueue, reconsider
from app.store.session import Store
from app.store.sql import Query
from app.words.someone import NAME

MERGED = "merged"
"""The kind of the email to both addresses."""


class CannotMerge(Exception):  # noqa: N818 - a fact
    """Two accounts can't become one. The text says why."""


_both = Query(
    int,
    """SELECT DISTINCT a.match_id
       FROM (SELECT match_id FROM chair WHERE player_id = :old
             UNION SELECT match_id FROM invitation WHERE player_id = :old OR address_key = :old_key) a
       JOIN (SELECT match_id FROM chair WHERE player_id = :new
             UNION SELECT match_id FROM invitation WHERE player_id = :new OR address_key = :new_key) b
         ON b.match_id = a.match_id
       ORDER BY a.match_id""",
)
_away = Query(
    int,
    """SELECT count(*) FROM absence
       WHERE player_id = :player_id AND cancelled_at IS NULL AND ends > :now""",
)


def merge(store: Store, old_text: str, new_text: str, why: str = "") -> tuple[Person, Person]:
    """Move all that the first account has to the second; returns both, as they were.

    Games, seats, notes, links and addresses for replies go on under the second name, by the second account's
    settings; browsers that were signed in as the first are signed out. The first address signs in for some
    days more, as after a change of address. Both addresses are told, and the second gets fresh links.

    Raises NotFound for an address of nobody, and CannotMerge.
    """
    now = clock.now()
    with store.transaction() as connection:
        old, new = persons.the_one(connection, old_text), persons.the_one(connection, new_text)
        for player_id in sorted({old.id, new.id}):
            hold_player(connection, player_id)
        _check(connection, now, old, new)
        _move(connection, now, old, new)
        number = former.keep(connection, now, new.id, old.address, old.key)
        reconsider(connection, now, new.id)
        for address in (None, old.address):
            once = f"{MERGED}:{number}:{'new' if address is None else 'old'}"
            letter = LetterRequest(
                kind=MERGED, once=once, player_id=new.id, to_address=address, former_id=number
            )
            enqueue(connection, now, letter)
        audit.keep(connection, now, "people merge", f"player {old.id} into player {new.id}", why)
    presence.changed(store, new.id)
    return old, new


def _check(connection: Connection, now: datetime, old: Person, new: Person) -> None:
    if old.id == new.id:
        raise CannotMerge("both are one account already")
    for one in (old, new):
        if bars.of(connection, one.key) is not None:
            raise CannotMerge(f"{one.address} is barred; lift the bar first")
    both = _both.all(connection, old=old.id, new=new.id, old_key=old.key, new_key=new.key)
    if both:
        games = ", ".join(f"#{one}" for one in both)
        raise CannotMerge(f"both belong to {games}, and one person can't have two places in a game")
    if _away.one(connection, player_id=old.id, now=now):
        raise CannotMerge(f"{old.address} is away, or will be; wait for the end of it, or have it cancelled")


def _move(connection: Connection, now: datetime, old: Person, new: Person) -> None:
    values = {
        "old": old.id,
        "new": new.id,
        "old_key": old.key,
        "address": new.address,
        "key": new.key,
        "mailbox": new.mailbox,
        "zone": recipients.by_id(connection, old.id).zone,
        "someone": NAME,
        "now": now,
    }
    for statements in JOINED.values():
        for one in statements if not isinstance(statements, str) else ():
            one.run(connection, **{name: values[name] for name in one.names})
