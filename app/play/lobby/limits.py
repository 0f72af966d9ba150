"""How many invitations of a host are open at a time, over all games; the others wait and go out later.

All addresses of one mailbox count as one. Invitations that wait are let out by the sweep as soon as there is
room. Nothing here depends on whether an address is a player's, or the host would learn it: what is counted
for strangers alone holds back the letter and not the invitation (`mail/policy/strangers.py`).
"""

from datetime import datetime, timedelta

from app import clock
from app.people import recipients
from app.people.mailboxes import mailbox_of
from app.play.lobby.letters import invitation_letter
from app.play.match import invitations, join_requests, lifetimes, matches
from app.play.match.invitations import Waiting
from app.play.match.records import Refused
from app.store.connection import Connection
from app.store.locks import hold_counter, hold_match
from app.store.outbox import enqueue
from app.store.session import Store

MOST_OF_HOST = 20
"""Open invitations of one host, over all games."""
MOST_TO_ONE = 12
"""Emails in a day that invite one mailbox, a player's too, to games of one host: the rest waits."""
MOST_LISTED = 5
"""Games of one host that are listed at a time."""
DAY = timedelta(days=1)
BATCH = 200
"""Matches whose waiting invitations are looked at in one sweep."""


def check_host(connection: Connection, mailbox: str, new: int) -> None:
    """Raises Refused("too_many_open") if a host would have more than MOST_OF_HOST open invitations.

    Only the host's own request may ask. Games that were never confirmed don't count, so that nobody can use
    up what belongs to another.
    """
    hold_counter(connection, f"host:{mailbox}")
    known = invitations.count_of_host(connection, mailbox)
    if known + new > MOST_OF_HOST:
        raise Refused("too_many_open", most=MOST_OF_HOST, open=known, given=new)


def check_listed(connection: Connection, key: str) -> None:
    """Raises Refused("listed_most") if the owner of an address key has MOST_LISTED games in the list."""
    mailbox = mailbox_of(key)
    hold_counter(connection, f"host:{mailbox}")
    if join_requests.count_listed(connection, mailbox) >= MOST_LISTED:
        raise Refused("listed_most", most=MOST_LISTED)


def let_out(connection: Connection, now: datetime, match_id: int) -> int:
    """Invite those who wait in a confirmed match, as far as the limits allow. Returns how many letters."""
    waiting = invitations.waiting(connection, match_id)
    if not waiting:
        return 0
    host = waiting[0].host_mailbox
    hold_counter(connection, f"host:{host}")
    room = MOST_OF_HOST - invitations.count_sent_of_host(connection, host)
    organiser_id = matches.organiser_of(connection, match_id)
    zone = recipients.by_id(connection, organiser_id).zone if organiser_id is not None else None
    letters = 0
    for one in sorted(waiting, key=lambda one: one.mailbox):  # one order, so that nobody waits in a circle
        if room > 0 and not is_enough(connection, now, host, one.mailbox):
            ends = lifetimes.first_end(now, zone)
            invitations.send_out(connection, now, one.id, ends)
            letters += _enqueue(connection, now, match_id, one)
            room -= 1
    return letters


def is_enough(connection: Connection, now: datetime, host: str, mailbox: str) -> bool:
    """Whether a host has invited a mailbox so often in a day that no more email goes there for now."""
    return invitations.count_to_one(connection, host, mailbox, now - DAY) >= MOST_TO_ONE


def let_all_out(store: Store) -> int:
    """Send all invitations that waited and have room now. Returns how many letters."""
    now = clock.now()
    with store.reading() as connection:
        found = invitations.matches_with_room(connection, MOST_TO_ONE, now - DAY, BATCH)
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
