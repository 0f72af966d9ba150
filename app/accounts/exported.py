"""The answer of each table to a person who asks for everything: a statement, or why there is nothing to tell.

Nothing here is another's: no addresses of others, no secret or hash of a link, and of running games only what
the person typed themselves. `tests/test_house.py` finds a table that is missing here.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from app.store.sql import Query

Exported = Query[Any] | str
"""The statement, or the reason."""

_OWN_TIME = "c.player_id = :player_id AND c.since <= {at} AND (c.until IS NULL OR {at} < c.until)"


class Account(msgspec.Struct, frozen=True):
    """The row of the player."""

    number: int
    address: str
    name: str
    language: str
    time_zone: str
    reminders: str
    digest_hour: int
    quiet_from: int | None
    quiet_to: int | None
    public_page_shows: str
    seen_at: datetime | None
    created_at: datetime
    operator_since: datetime | None


class Seat(msgspec.Struct, frozen=True):
    """A time on a seat."""

    game_number: int
    game: str
    seat: str
    since: datetime
    until: datetime | None
    resigned_at: datetime | None
    seen_at: datetime | None
    thinking_time_left: float | None


class Hosted(msgspec.Struct, frozen=True):
    """A game that the person has set up."""

    game_number: int
    game: str
    options: dict[str, str]
    status: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class Move(msgspec.Struct, frozen=True):
    """A move as the person made it, or as it was made for their seat."""

    game_number: int
    number: int
    seat: str
    move: str
    came_by: str
    at: datetime


class Said(msgspec.Struct, frozen=True):
    """A message of the person, or another public entry about what they did."""

    game_number: int
    what: str
    facts: dict[str, Any]
    at: datetime


class Invited(msgspec.Struct, frozen=True):
    """An invitation to the person, or a request for a seat."""

    game_number: int
    address: str
    host: bool
    status: str
    word_for_the_dice: str
    invited_at: datetime | None
    answered_at: datetime | None


class Ordered(msgspec.Struct, frozen=True):
    """A conditional move or a standing answer."""

    game_number: int
    seat: str
    kind: str
    text: str
    created_at: datetime
    closed_at: datetime | None
    result: str


class Written(msgspec.Struct, frozen=True):
    """A private note."""

    game_number: int
    text: str
    at: datetime


class Thought(msgspec.Struct, frozen=True):
    """The moves that the person imagined in a game."""

    game_number: int
    lines: Any
    at: datetime


class Browser(msgspec.Struct, frozen=True):
    """A browser that is signed in, or that may play one seat."""

    for_one_seat: bool
    signed_in_at: datetime


class Notified(msgspec.Struct, frozen=True):
    """A browser that is notified of turns."""

    endpoint: str
    """Shortened to the service's name by `exporting`: the rest of it is a secret."""
    turned_on_at: datetime


class Hook(msgspec.Struct, frozen=True):
    """An address at which a program is told, by its host and last letters: the rest is a secret."""

    game_number: int
    format: str
    language: str
    endpoint: str
    events: str
    status: str
    created_at: datetime
    sent_at: datetime | None


class ProgramKey(msgspec.Struct, frozen=True):
    """A key by which programs act for the person."""

    name: str
    rights: str
    created_at: datetime
    used_at: datetime | None


class Link(msgspec.Struct, frozen=True):
    """A link or reply address that was emailed. Its secret is stored nowhere."""

    purpose: str
    game_number: int | None
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    ended_at: datetime | None


class Asked(msgspec.Struct, frozen=True):
    """A request that an email asked to confirm."""

    what: str
    game_number: int | None
    facts: dict[str, str]
    created_at: datetime
    done_at: datetime | None


class Former(msgspec.Struct, frozen=True):
    """An address that the person had before."""

    address: str
    created_at: datetime
    until: datetime


class Away(msgspec.Struct, frozen=True):
    """An absence."""

    begins: datetime
    ends: datetime
    created_at: datetime
    cancelled_at: datetime | None


class Chosen(msgspec.Struct, frozen=True):
    """An email setting; the game's number is 0 for all games."""

    game_number: int
    event: str
    choice: str


class Stopped(msgspec.Struct, frozen=True):
    """Why the address gets no emails."""

    reason: str
    at: datetime


class Refusals(msgspec.Struct, frozen=True):
    """That a mail server refuses emails to the address."""

    kind: str
    said: str
    since: datetime
    times: int


class Muted(msgspec.Struct, frozen=True):
    """Somebody that the person has muted or blocked, by the name that they see."""

    name: str
    invitations_too: bool
    at: datetime


class Reported(msgspec.Struct, frozen=True):
    """A report that the person has made."""

    about: str
    game_number: int | None
    text: str
    at: datetime
    closed_at: datetime | None


class Sent(msgspec.Struct, frozen=True):
    """An email to the person. Its text is written when it is sent, and not kept."""

    kind: str
    game_number: int | None
    address: str
    status: str
    reason: str
    created_at: datetime
    sent_at: datetime | None


class Notification(msgspec.Struct, frozen=True):
    """A notification of a turn."""

    status: str
    created_at: datetime


class Received(msgspec.Struct, frozen=True):
    """An email of the person's, as it came. `exporting` masks links and addresses for replies in it."""

    game_number: int | None
    sender: str
    raw: bytes
    status: str
    reason: str
    received_at: datetime


EXPORTED: Mapping[str, Exported] = {
    "player": Query(
        Account,
        """SELECT id AS number, address, name, language, zone AS time_zone, reminders, digest_hour,
                  quiet_from, quiet_to, shows AS public_page_shows, seen_at, created_at,
                  operator_since
           FROM player WHERE id = :player_id""",
    ),
    "chair": Query(
        Seat,
        """SELECT c.match_id AS game_number, m.game, c.seat, c.since, c.until, c.resigned_at, c.seen_at,
                  c.bank AS thinking_time_left
           FROM chair c JOIN "match" m ON m.id = c.match_id WHERE c.player_id = :player_id ORDER BY c.id""",
    ),
    "match": Query(
        Hosted,
        """SELECT m.id AS game_number, m.game, m.options, m.status, m.created_at, m.started_at, m.ended_at
           FROM invitation i JOIN "match" m ON m.id = i.match_id
           WHERE i.player_id = :player_id AND i.organiser ORDER BY m.id""",
    ),
    "played": Query(
        Move,
        f"""SELECT p.match_id AS game_number, p.ply AS number, p.seat, p.move, p.source AS came_by, p.at
            FROM chair c JOIN played p ON p.match_id = c.match_id AND p.seat = c.seat
            WHERE {_OWN_TIME.format(at="p.at")} ORDER BY p.match_id, p.ply""",  # noqa: S608 - constants
    ),
    "notice": Query(
        Said,
        f"""SELECT n.match_id AS game_number, n.what, n.facts, n.at
            FROM chair c JOIN notice n ON n.match_id = c.match_id AND n.by_seat = c.seat
            WHERE {_OWN_TIME.format(at="n.at")} ORDER BY n.id""",  # noqa: S608 - constants
    ),
    "question": "what a running game asks stands on its page; it follows from the moves",
    "invitation": Query(
        Invited,
        """SELECT match_id AS game_number, address, organiser AS host, status, word AS word_for_the_dice,
                  invited_at, answered_at
           FROM invitation WHERE player_id = :player_id OR address_key = :key ORDER BY id""",
    ),
    "standingorder": Query(
        Ordered,
        """SELECT o.match_id AS game_number, o.seat, o.kind, o.text, o.created_at, o.closed_at, o.result
           FROM chair c JOIN standingorder o ON o.chair_id = c.id
           WHERE c.player_id = :player_id ORDER BY o.id""",
    ),
    "note": Query(
        Written,
        """SELECT c.match_id AS game_number, n.text, n.at FROM chair c JOIN note n ON n.chair_id = c.id
           WHERE c.player_id = :player_id ORDER BY n.id""",
    ),
    "whatif": Query(
        Thought,
        """SELECT w.match_id AS game_number, w.lines, w.at FROM chair c JOIN whatif w ON w.chair_id = c.id
           WHERE c.player_id = :player_id ORDER BY w.match_id""",
    ),
    "login": Query(
        Browser,
        """SELECT chair_id IS NOT NULL AS for_one_seat, created_at AS signed_in_at FROM login
           WHERE player_id = :player_id ORDER BY created_at""",
    ),
    "subscription": Query(
        Notified,
        """SELECT endpoint, created_at AS turned_on_at FROM subscription
           WHERE player_id = :player_id ORDER BY created_at""",
    ),
    "webhook": Query(
        Hook,
        """SELECT match_id AS game_number, format, language, label AS endpoint, events, status, created_at,
                  sent_at
           FROM webhook WHERE player_id = :player_id ORDER BY id""",
    ),
    "hookpost": "what is to be posted to those addresses, for hours",
    "apikey": Query(
        ProgramKey,
        """SELECT name, scopes AS rights, created_at, used_at FROM apikey
           WHERE player_id = :player_id ORDER BY id""",
    ),
    "token": Query(
        Link,
        """SELECT purpose, match_id AS game_number, created_at, expires_at, used_at, ended_at FROM token
           WHERE player_id = :player_id ORDER BY created_at""",
    ),
    "confirmation": Query(
        Asked,
        """SELECT what, match_id AS game_number, facts, created_at, done_at FROM confirmation
           WHERE player_id = :player_id ORDER BY id""",
    ),
    "formeraddress": Query(
        Former,
        """SELECT address, created_at, until FROM formeraddress WHERE player_id = :player_id ORDER BY id""",
    ),
    "absence": Query(
        Away,
        """SELECT begins, ends, created_at, cancelled_at FROM absence
           WHERE player_id = :player_id ORDER BY id""",
    ),
    "preference": Query(
        Chosen,
        """SELECT match_id AS game_number, event, choice FROM preference
           WHERE player_id = :player_id ORDER BY match_id, event""",
    ),
    "suppressed": Query(Stopped, "SELECT reason, at FROM suppressed WHERE address_key = :key"),
    "unreached": Query(Refusals, "SELECT kind, said, since, times FROM unreached WHERE address_key = :key"),
    "block": Query(
        Muted,
        """SELECT p.name, b.invitations AS invitations_too, b.at
           FROM block b JOIN player p ON p.id = b.other_id WHERE b.player_id = :player_id ORDER BY b.at""",
    ),
    "report": Query(
        Reported,
        """SELECT p.name AS about, r.match_id AS game_number, r.text, r.at, r.closed_at
           FROM report r JOIN player p ON p.id = r.about_id WHERE r.by_id = :player_id ORDER BY r.id""",
    ),
    "letter": Query(
        Sent,
        """SELECT kind, match_id AS game_number, sent_to AS address, status, reason, created_at, sent_at
           FROM letter WHERE player_id = :player_id ORDER BY created_at, id""",
    ),
    "push": Query(
        Notification,
        """SELECT u.status, u.created_at FROM letter l JOIN push u ON u.letter_id = l.id
           WHERE l.player_id = :player_id ORDER BY u.created_at""",
    ),
    "incoming": Query(
        Received,
        """SELECT match_id AS game_number, sender, raw, status, reason, received_at FROM incoming
           WHERE player_id = :player_id AND own ORDER BY received_at, id""",
    ),
    "passedover": "emails that belong to nobody here; they go by themselves within weeks",
    "unasked": "it counts emails by mailbox for a few days",
    "bar": "the operator's; who is barred is told so",
    "audit": "the operator's log of their own acts",
    "picture": "a board, without names",
    "house": "nothing about people",
    "heartbeat": "nothing about people",
    "relay": "nothing about people: addresses are masked",
    "deed": "a hash of a form, and an answer that only its sender can open, gone within days",
    "counter": "a hash that names nobody, gone within days",
}
"""By table, in the order of the file."""
