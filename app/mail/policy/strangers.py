"""How many letters go to strangers, people who never confirmed an address, no matter who causes them.

A mailbox gets at most MOST_A_DAY; the others wait until a day has passed since the oldest of these. Letters
about more than MOST_OPEN open invitations wait until one is answered; the invitation itself is open all the
same, or its host would learn that the address is no player's. A domain
only slows down: a letter waits for it LONGEST_WAIT at most, so that nobody can close a large provider's door
for others. Players are never counted here. The counters are rows, which all workers share.
"""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.mail.core.letter import LetterRow
from app.mail.core.recipients import addressee
from app.mail.letters.kinds import KINDS
from app.mail.policy.rules import Later, Now
from app.people import former
from app.people.mailboxes import domain_of, mailbox_of
from app.store.connection import Connection
from app.store.locks import hold_counter
from app.store.sql import Command, Query

MOST_A_DAY = 6
"""Letters to one mailbox."""
MOST_OPEN = 3
"""Open invitations that a mailbox was written to about, where nobody has confirmed the address."""
MOST_AN_HOUR = 30
"""Letters to one domain before others wait."""
LONGEST_WAIT = timedelta(hours=1)
"""For a domain, from the request of a letter."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
KEPT = timedelta(days=2)
"""How long a row is counted by anything."""
ENOUGH, OPEN, DOMAIN_BUSY = "enough_today", "enough_open", "domain_busy"
"""Why a letter waits."""


class _Sent(msgspec.Struct, frozen=True):
    letter_id: str
    at: datetime


_put = Command(
    """INSERT INTO unasked (letter_id, mailbox, domain, at) VALUES (:letter_id, :mailbox, :domain, :now)
       ON CONFLICT (letter_id) DO NOTHING"""
)
_known = Query(bool, "SELECT EXISTS (SELECT 1 FROM unasked WHERE letter_id = :letter_id) AS known")
_to_mailbox = Query(
    _Sent, "SELECT letter_id, at FROM unasked WHERE mailbox = :mailbox AND at > :since ORDER BY at"
)
_to_domain = Query(
    datetime,
    """SELECT at FROM unasked WHERE domain = :domain AND at > :since
       ORDER BY at DESC LIMIT 1 OFFSET :many""",
)
_open = Query(
    int,
    """SELECT count(*) FROM invitation o JOIN "match" n ON n.id = o.match_id
       WHERE o.mailbox = :mailbox AND o.id <> :invitation_id AND NOT o.organiser AND o.status = 'invited'
         AND (n.status = 'open' OR (n.status = 'running' AND o.seat <> ''))
         AND NOT EXISTS (SELECT 1 FROM player p WHERE p.address_key = o.address_key)
         AND EXISTS (SELECT 1 FROM letter l
                     WHERE l.invitation_id = o.id AND l.kind IN ('invited', 'seat_offer')
                     AND (l.status = 'sent' OR EXISTS (SELECT 1 FROM unasked u WHERE u.letter_id = l.id)))""",
)
_forget = Command("DELETE FROM unasked WHERE letter_id = :letter_id")
_forget_old = Command(
    """DELETE FROM unasked WHERE letter_id IN (SELECT letter_id FROM unasked
           WHERE at < :before ORDER BY at LIMIT :most)"""
)


def counted(connection: Connection, letter: LetterRow) -> bool:
    """Whether a letter goes to a person who never confirmed its address.

    A player's former address counts as confirmed for as long as it still signs in.
    """
    if KINDS[letter.kind].owed:
        return False
    to = addressee(connection, letter)
    if not to.address_key or to.confirmed:
        return False
    return former.of_key(connection, clock.now(), to.address_key) is None


def verdict(connection: Connection, letter: LetterRow, now: datetime) -> Now | Later:
    """Count a letter that may go otherwise. Players get all of theirs."""
    if not counted(connection, letter):
        return Now()
    key = addressee(connection, letter).address_key
    about = letter.invitation_id if KINDS[letter.kind].event == "invitation" else None
    return admit(connection, now, letter.id, key, letter.created_at, about)


def admit(
    connection: Connection,
    now: datetime,
    letter_id: str,
    address_key: str,
    created_at: datetime,
    invitation_id: int | None = None,
) -> Now | Later:
    """Count a letter to a stranger and let it go, or say until when it waits.

    `invitation_id` is the invitation that it is about, if that is one to answer. A letter that was counted
    before goes: it is tried again. The caller's transaction writes.
    """
    mailbox, domain = mailbox_of(address_key), domain_of(address_key)
    hold_counter(connection, mailbox)
    if _known.one(connection, letter_id=letter_id):
        return Now()
    sent = _to_mailbox.all(connection, mailbox=mailbox, since=now - DAY)
    if len(sent) >= MOST_A_DAY:
        return Later(sent[-MOST_A_DAY].at + DAY, ENOUGH)
    if (
        invitation_id is not None
        and _open.one(connection, mailbox=mailbox, invitation_id=invitation_id) >= MOST_OPEN
    ):
        return Later(now + HOUR, OPEN)
    room = _to_domain.first(connection, domain=domain, since=now - HOUR, many=MOST_AN_HOUR - 1)
    if room is not None and now < created_at + LONGEST_WAIT:
        return Later(min(room + HOUR, created_at + LONGEST_WAIT), DOMAIN_BUSY)
    _put.run(connection, letter_id=letter_id, mailbox=mailbox, domain=domain, now=now)
    return Now()


def forget(connection: Connection, letter_id: str) -> None:
    """Take a letter out of the count: it was not sent after all."""
    _forget.run(connection, letter_id=letter_id)


def forget_old(connection: Connection, before: datetime, most: int) -> int:
    """Delete rows from before a moment, which nothing counts any more; returns how many."""
    return _forget_old.run(connection, before=before, most=most)
