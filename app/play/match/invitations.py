"""The rows of invitations, to a game before it starts or to a seat of a running one: every change to them."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.people.mailboxes import mailbox_of
from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

_insert = Query(
    int,
    """INSERT INTO invitation (match_id, address, address_key, mailbox, organiser, known, joins, language,
                               seat, status, word, invited_at, expires_at)
       VALUES (:match_id, :address, :address_key, :mailbox, :organiser, :known, :joins, :language, :seat,
               :status, '', :invited_at, :expires_at)
       RETURNING id""",
)
_send_out = Command(
    """UPDATE invitation SET status = 'invited', invited_at = :now, expires_at = :expires_at
       WHERE id = :invitation_id AND status = 'waiting'"""
)
_wait = Command(
    """UPDATE invitation SET seat = '', joins = :joins, status = 'waiting', invited_at = NULL,
                             expires_at = NULL,
                             player_id = NULL, answered_at = NULL, reminded_at = NULL,
                             votes = '{}'
       WHERE id = :invitation_id"""
)
_part = Command("UPDATE invitation SET address_key = :key WHERE id = :invitation_id")
_invite_again = Command(
    """UPDATE invitation SET seat = :seat, status = 'invited', invited_at = :now, expires_at = :expires_at,
                             player_id = NULL, answered_at = NULL, reminded_at = NULL, votes = '{}'
       WHERE id = :invitation_id"""
)
_accept = Command(
    """UPDATE invitation SET status = 'accepted', player_id = :player_id, word = :word, answered_at = :now
       WHERE id = :invitation_id AND status = 'invited'"""
)
_decline = Command(
    """UPDATE invitation SET status = 'declined', answered_at = :now
       WHERE id = :invitation_id AND status IN ('invited', 'accepted')"""
)
_withdraw = Command(
    "UPDATE invitation SET status = 'withdrawn', answered_at = :now WHERE id = :invitation_id"
)
_end_offers = Command(
    """UPDATE invitation SET status = 'withdrawn', answered_at = :now
       WHERE match_id = :match_id AND seat = :seat AND status IN ('invited', 'asked')"""
)
_delete_unaccepted = Command("DELETE FROM invitation WHERE match_id = :match_id AND status <> 'accepted'")
_delete_all = Command("DELETE FROM invitation WHERE match_id = :match_id")


class Invite(msgspec.Struct, frozen=True):
    """An invitation to be written."""

    address: str
    address_key: str
    organiser: bool = False
    seat: Seat = ""
    """Of a running match; empty before it starts."""
    status: str = "invited"
    invited_at: datetime | None = None
    expires_at: datetime | None = None
    known: str = ""
    """The name by which the organiser knows them, if not by the address."""
    joins: bool = False
    """They asked to join by themselves."""
    language: str = ""
    """Of the page on which they asked for it by themselves."""

    @property
    def mailbox(self) -> str:
        """The address without tags, for counting."""
        return mailbox_of(self.address_key)


class Due(msgspec.Struct, frozen=True):
    """An invitation, or a request for a seat, that is to be looked at."""

    id: int
    match_id: int
    organiser: bool
    joins: bool
    seat: Seat
    status: str
    player_id: int | None
    invited_at: datetime
    expires_at: datetime | None
    zone: str | None
    """The one whose days count, if known."""


class Unanswered(msgspec.Struct, frozen=True):
    """An invitation that can still be answered."""

    id: int
    match_id: int
    organiser: bool
    seat: Seat
    slug: str
    host_id: int | None
    """The organiser of the match; None before they confirm it."""


class Waiting(msgspec.Struct, frozen=True):
    """An invitation of a confirmed match that has not been sent yet."""

    id: int
    key: str
    mailbox: str
    host_mailbox: str


class Known(msgspec.Struct, frozen=True):
    """The invitation of an address to a match; there is one at most."""

    id: int
    seat: Seat
    status: str
    invited_at: datetime | None
    expires_at: datetime | None

    def offers(self, seat: Seat) -> bool:
        """It offers this seat, and was not answered."""
        return (self.seat, self.status) == (seat, "invited")


_unanswered = Query(
    Unanswered,
    """SELECT i.id, i.match_id, i.organiser, i.seat, m.game AS slug, m.organiser_id AS host_id
       FROM invitation i JOIN "match" m ON m.id = i.match_id
       WHERE i.address_key = :key AND i.status = 'invited'
         AND (m.status IN ('unconfirmed', 'open') OR (m.status = 'running' AND i.seat <> ''))
       ORDER BY i.id""",
)
_first_of = Query(int, "SELECT min(id) AS id FROM invitation WHERE address_key = :key")
_unconfirmed = Query(
    int,
    """SELECT count(*) FROM invitation i JOIN "match" m ON m.id = i.match_id
       WHERE i.mailbox = :mailbox AND i.organiser AND i.invited_at > :since AND m.status = 'unconfirmed'""",
)
_waiting = Query(
    Waiting,
    """SELECT i.id, i.address_key AS key, i.mailbox, h.mailbox AS host_mailbox
       FROM invitation i JOIN "match" m ON m.id = i.match_id AND m.status = 'open'
       JOIN invitation h ON h.match_id = i.match_id AND h.organiser
       WHERE i.match_id = :match_id AND i.status = 'waiting' ORDER BY i.id""",
)
_of_host = Query(
    int,
    """SELECT count(*) FROM invitation h CROSS JOIN "match" m CROSS JOIN invitation g
       WHERE h.mailbox = :mailbox AND h.organiser AND m.id = h.match_id AND m.status = 'open'
         AND g.match_id = h.match_id AND NOT g.organiser AND NOT g.joins
         AND g.status IN ('waiting', 'invited')""",
)
_sent_of_host = Query(
    int,
    """SELECT count(*) FROM invitation h CROSS JOIN "match" m CROSS JOIN invitation g
       WHERE h.mailbox = :mailbox AND h.organiser AND m.id = h.match_id AND m.status = 'open'
         AND g.match_id = h.match_id AND NOT g.organiser AND NOT g.joins AND g.status = 'invited'""",
)
# CROSS JOIN keeps the order on SQLite: few invitations first, then what belongs to them.
_TO_ONE = """SELECT count(*) FROM invitation t CROSS JOIN invitation k CROSS JOIN letter l
       WHERE t.mailbox = {mailbox} AND k.match_id = t.match_id AND k.organiser AND k.mailbox = {host}
         AND l.invitation_id = t.id AND l.kind IN ('invited', 'seat_offer') AND l.offer IS NULL
         AND l.created_at > :since"""
_to_one = Query(int, _TO_ONE.format(mailbox=":mailbox", host=":host"))
_with_room = Query(
    int,
    f"""SELECT DISTINCT i.match_id FROM invitation i CROSS JOIN "match" m CROSS JOIN invitation h
        WHERE i.status = 'waiting' AND m.id = i.match_id AND m.status = 'open'
          AND h.match_id = i.match_id AND h.organiser
          AND ({_TO_ONE.format(mailbox="i.mailbox", host="h.mailbox")}) < :most_a_day
        ORDER BY i.match_id LIMIT :most""",  # noqa: S608 - constants
)
_of_address = Query(
    Known,
    """SELECT id, seat, status, invited_at, expires_at FROM invitation
       WHERE match_id = :match_id AND address_key = :key""",
)
_count_offers = Query(
    int,
    """SELECT count(*) FROM invitation
       WHERE match_id = :match_id AND seat = :seat AND status IN ('invited', 'asked')
         AND (given OR votes <> '{}')""",
)
_count_wishes = Query(
    int,
    """SELECT count(*) FROM invitation
       WHERE match_id = :match_id AND seat = :seat AND status IN ('invited', 'asked') AND invited_at > :since
         AND NOT given AND votes = '{}'""",
)
_waits = Query(
    bool,
    "SELECT EXISTS (SELECT 1 FROM invitation WHERE id = :invitation_id AND status = 'waiting') AS waits",
)
_host_mailbox = Query(str, "SELECT mailbox FROM invitation WHERE match_id = :match_id AND organiser")
_match_of = Query(int, "SELECT match_id FROM invitation WHERE id = :invitation_id")
_DUE_COLUMNS = """i.id, i.match_id, i.organiser, i.joins, i.seat, i.status, i.player_id, i.invited_at,
    i.expires_at, p.zone"""
_to_remind = Query(
    Due,
    f"""SELECT {_DUE_COLUMNS} FROM invitation i LEFT JOIN player p ON p.address_key = i.address_key
        WHERE i.status = 'invited' AND NOT i.organiser AND NOT i.joins AND i.reminded_at IS NULL
          AND i.invited_at <= :before
          AND EXISTS (SELECT 1 FROM "match" m WHERE m.id = i.match_id AND m.status IN ('open', 'running'))
        ORDER BY i.invited_at, i.id LIMIT :most OFFSET :passed""",  # noqa: S608 - constants
)
_remind = Command(
    """UPDATE invitation SET reminded_at = :now
       WHERE id = :invitation_id AND status = 'invited' AND reminded_at IS NULL"""
)
# An invitation to a game ends by the clock of its host, who is told: a guest's would tell of an account.
_to_expire = Query(
    Due,
    f"""SELECT {_DUE_COLUMNS.replace("p.zone", "CASE WHEN h.id IS NULL THEN p.zone ELSE o.zone END AS zone")}
        FROM invitation i LEFT JOIN player p ON p.address_key = i.address_key
        LEFT JOIN "match" h ON h.id = i.match_id AND NOT i.organiser AND i.seat = ''
        LEFT JOIN player o ON o.id = h.organiser_id
        WHERE i.status = 'invited' AND i.expires_at <= :now
          AND (i.seat <> '' OR EXISTS (SELECT 1 FROM "match" m WHERE m.id = i.match_id
                                       AND m.status IN ('unconfirmed', 'open')))
        ORDER BY i.expires_at, i.id LIMIT :most""",  # noqa: S608 - constants
)
_oldest = Query(
    datetime,
    """SELECT MIN(invited_at) AS invited_at FROM invitation
       WHERE status IN ('invited', 'asked')
         AND EXISTS (SELECT 1 FROM "match" m WHERE m.id = invitation.match_id
                     AND m.status IN ('unconfirmed', 'open', 'running'))""",
)
_expire = Command(
    "UPDATE invitation SET status = 'expired' WHERE id = :invitation_id AND status IN ('invited', 'asked')"
)
_prolong = Command("UPDATE invitation SET expires_at = :until WHERE id = :invitation_id")


def write(connection: Connection, match_id: int, invites: Sequence[Invite]) -> list[int]:
    """Write invitations of a match; returns their numbers."""
    return _insert.write(connection, invites, match_id=match_id)


def send_out(connection: Connection, now: datetime, invitation_id: int, expires_at: datetime) -> None:
    """Invite a guest who waited."""
    _send_out.run(connection, now=now, invitation_id=invitation_id, expires_at=expires_at)


def wait(connection: Connection, invitation_id: int) -> None:
    """Let an invitation to a game before its start that ended or was answered wait to be sent anew."""
    _wait.run(connection, invitation_id=invitation_id, joins=False)


def part(connection: Connection, invitation_id: int, key: str) -> None:
    """Let an invitation that has ended make room for another of its address, under this key."""
    _part.run(connection, invitation_id=invitation_id, key=key)


def invite_again(
    connection: Connection, now: datetime, invitation_id: int, expires_at: datetime, seat: Seat = ""
) -> None:
    """Offer anew what ended or was answered, as if for the first time."""
    _invite_again.run(connection, now=now, invitation_id=invitation_id, expires_at=expires_at, seat=seat)


def accept(connection: Connection, now: datetime, invitation_id: int, player_id: int, word: str = "") -> bool:
    """Accept in the name of a player, with their word for the dice. False: it was not open any more."""
    return _accept.run(connection, now=now, invitation_id=invitation_id, player_id=player_id, word=word) == 1


def decline(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Decline, also after having accepted. False: it was neither."""
    return _decline.run(connection, now=now, invitation_id=invitation_id) == 1


def withdraw(connection: Connection, now: datetime, invitation_id: int) -> None:
    """Take an invitation back."""
    _withdraw.run(connection, now=now, invitation_id=invitation_id)


def end_offers(connection: Connection, now: datetime, match_id: int, seat: Seat) -> None:
    """Take back what was offered of a seat and nobody has answered."""
    _end_offers.run(connection, now=now, match_id=match_id, seat=seat)


def to_remind(connection: Connection, before: datetime, passed: int, most: int) -> list[Due]:
    """Invitations sent before a moment that nobody has answered or was reminded of, without the first few."""
    return _to_remind.all(connection, before=before, passed=passed, most=most)


def remind(connection: Connection, now: datetime, invitation_id: int) -> bool:
    """Mark as reminded. False: it was, or has been answered."""
    return _remind.run(connection, now=now, invitation_id=invitation_id) == 1


def to_expire(connection: Connection, now: datetime, most: int) -> list[Due]:
    """Invitations and requests for seats that nobody has answered by the end as last worked out."""
    return _to_expire.all(connection, now=now, most=most)


def expire(connection: Connection, invitation_id: int) -> bool:
    """End it. False: it has been answered."""
    return _expire.run(connection, invitation_id=invitation_id) == 1


def oldest_clock(connection: Connection) -> datetime | None:
    """When the first of the invitations that wait for an answer was sent; None: none waits."""
    return _oldest.one(connection)


def prolong(connection: Connection, invitation_id: int, until: datetime) -> None:
    """Keep another end."""
    _prolong.run(connection, invitation_id=invitation_id, until=until)


def unanswered(connection: Connection, key: str) -> list[Unanswered]:
    """The invitations of an address key that can still be answered."""
    return _unanswered.all(connection, key=key)


def first_of(connection: Connection, key: str) -> int:
    """The first invitation that an address key ever got. There must be one."""
    return _first_of.one(connection, key=key)


def delete_unaccepted(connection: Connection, match_id: int) -> None:
    """Delete the invitations to a match that came to nothing, and the requests for its seats."""
    _delete_unaccepted.run(connection, match_id=match_id)


def delete_all(connection: Connection, match_id: int) -> None:
    """Delete the invitations to a match."""
    _delete_all.run(connection, match_id=match_id)


def count_unconfirmed(connection: Connection, mailbox: str, since: datetime) -> int:
    """The number of matches that were created for a host after a moment and never confirmed."""
    return _unconfirmed.one(connection, mailbox=mailbox, since=since)


def waiting(connection: Connection, match_id: int) -> list[Waiting]:
    """The invitations of a confirmed match that have not been sent yet, in order."""
    return _waiting.all(connection, match_id=match_id)


def waits(connection: Connection, invitation_id: int) -> bool:
    """Whether an invitation has not been sent yet."""
    return _waits.one(connection, invitation_id=invitation_id)


def count_of_host(connection: Connection, mailbox: str) -> int:
    """The number of invitations that nobody has answered, sent or not, to games that a host has confirmed."""
    return _of_host.one(connection, mailbox=mailbox)


def count_sent_of_host(connection: Connection, mailbox: str) -> int:
    """The number of a host's invitations that were sent and can still be answered."""
    return _sent_of_host.one(connection, mailbox=mailbox)


def count_to_one(connection: Connection, host: str, mailbox: str, since: datetime) -> int:
    """The number of emails that invited a mailbox to games of one host after a moment."""
    return _to_one.one(connection, host=host, mailbox=mailbox, since=since)


def host_mailbox(connection: Connection, match_id: int) -> str | None:
    """The mailbox of the person who started a match, or None."""
    return _host_mailbox.first(connection, match_id=match_id)


def matches_with_room(connection: Connection, most_a_day: int, since: datetime, most: int) -> list[int]:
    """The matches with an invitation that waits and could go out, up to `most`.

    `most_a_day` are the emails that one host sends to one mailbox, `since` when they begin to count.
    """
    return _with_room.all(connection, most_a_day=most_a_day, since=since, most=most)


def match_of(connection: Connection, invitation_id: int) -> int | None:
    """The match id of an invitation, or None."""
    return _match_of.first(connection, invitation_id=invitation_id) if is_key(invitation_id) else None


def of_address(connection: Connection, match_id: int, key: str) -> Known | None:
    """The invitation of an address key to a match, or None."""
    return _of_address.first(connection, match_id=match_id, key=key)


def count_offers(connection: Connection, match_id: int, seat: Seat) -> int:
    """The number of a seat's open offers that its match's players made."""
    return _count_offers.one(connection, match_id=match_id, seat=seat)


def count_wishes(connection: Connection, match_id: int, seat: Seat, since: datetime) -> int:
    """The number of a seat's open offers that strangers asked for after a moment."""
    return _count_wishes.one(connection, match_id=match_id, seat=seat, since=since)
