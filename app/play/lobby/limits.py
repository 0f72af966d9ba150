"""How many invitations are open at a time, of a host and to a stranger; the others wait and go out later.

A stranger is a person who never confirmed the address that is invited. All addresses of one mailbox count as
one. Invitations that wait are let out by the sweep as soon as there is room.
"""

from datetime import datetime, timedelta

from app import clock
from app.people import service as people
from app.play.lobby.letters import invitation_letter
from app.play.match import invitations, lifetimes
from app.play.match.invitations import Waiting
from app.play.match.records import Refused
from app.store.connection import Connection
from app.store.locks import hold_counter, hold_match
from app.store.outbox import enqueue
from app.store.session import Store

MOST_OF_HOST = 20
"""Open invitations of one host, over all games."""
MOST_TO_STRANGER = 3
"""Open invitations to one mailbox where nobody has confirmed the address."""
MOST_TO_ONE = 12
"""Emails in a day that invite one mailbox, a player's too, to games of one host: the rest waits."""
DAY = timedelta(days=1)
BATCH = 200
"""Matches whose waiting invitations are looked at in one sweep."""


def check_host(connection: Connection, mailbox: str, new: int, *, own_request: bool) -> None:
    """Raises Refused("too_many_open") if a host would have more than MOST_OF_HOST open invitations.

    Games that were never confirmed count only where the request is not surely the host's own, so that
    nobody can use up what belongs to another.
    """
    hold_counter(connection, f"host:{mailbox}")
    known = invitations.count_of_host(connection, mailbox, unconfirmed=not own_request)
    if known + new > MOST_OF_HOST:
        raise Refused("too_many_open", most=MOST_OF_HOST, open=known, given=new)


def let_out(connection: Connection, now: datetime, match_id: int) -> int:
    """Invite those who wait in a confirmed match, as far as the limits allow. Returns how many letters."""
    waiting = invitations.waiting(connection, match_id)
    if not waiting:
        return 0
    host = waiting[0].host_mailbox
    hold_counter(connection, f"host:{host}")
    room = MOST_OF_HOST - invitations.count_sent_of_host(connection, host)
    letters = 0
    for one in sorted(waiting, key=lambda one: one.mailbox):  # one order, so that nobody waits in a circle
        if (
            room > 0
            and not is_enough(connection, now, host, one.mailbox)
            and has_room(connection, one.key, one.mailbox)
        ):
            ends = lifetimes.first_end(now, people.zone_with_key(connection, one.key))
            invitations.send_out(connection, now, one.id, ends)
            letters += _enqueue(connection, now, match_id, one)
            room -= 1
    return letters


def has_room(connection: Connection, key: str, mailbox: str) -> bool:
    """Whether one more invitation may go to an address: to a player's always."""
    if people.player_with_key(connection, key) is not None:
        return True
    hold_counter(connection, f"guest:{mailbox}")
    return invitations.count_to_stranger(connection, mailbox) < MOST_TO_STRANGER


def is_enough(connection: Connection, now: datetime, host: str, mailbox: str) -> bool:
    """Whether a host has invited a mailbox so often in a day that no more email goes there for now."""
    return invitations.count_to_one(connection, host, mailbox, now - DAY) >= MOST_TO_ONE


def let_all_out(store: Store) -> int:
    """Send all invitations that waited and have room now. Returns how many letters."""
    now = clock.now()
    with store.reading() as connection:
        found = invitations.matches_with_room(connection, MOST_TO_STRANGER, MOST_TO_ONE, now - DAY, BATCH)
    letters = 0
    for match_id in found:
        with store.transaction() as connection:
            hold_match(connection, match_id)
            letters += let_out(connection, now, match_id)
    return letters


def _enqueue(connection: Connection, now: datetime, match_id: int, one: Waiting) -> int:
    """The letter of an invitation, also if the person was invited to this match before."""
    new = enqueue(connection, now, invitation_letter(match_id, one.id))
    return new or enqueue(connection, now, invitation_letter(match_id, one.id, again=f"{now:%Y%m%d%H}"))
