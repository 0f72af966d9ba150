"""Mail that comes in, whatever way: kept and committed before its sender hears that we have it."""

import enum
import hashlib
import re
import uuid
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection, select, update
from sqlalchemy import func as sql
from sqlmodel import col

from app import clock
from app.mail.core import inbound_address
from app.mail.core.inbound_address import InboundAddress
from app.mail.inbound.reading.opening import MOST_BYTES
from app.settings import Settings
from app.store.session import Store, wake_after_commit
from app.store.sql import Query
from app.store.statement import Statement, stored
from app.store.tables import Incoming

LARGEST = MOST_BYTES
"""Of a mail. A move needs few; what a client quotes of our letter, with its picture, needs most."""
MOST_AN_HOUR = 60
"""Mails that one address of ours takes."""
KEPT_FOR = timedelta(days=30)
"""How long the text of what was read or dropped is there to be looked at."""

_BLANKS = re.compile(rb"\s+")
_insert = Statement(
    """INSERT INTO incoming (id, key, kind, source, recipient, token_hash, letter_id, player_id, sender, raw,
                             status, reason, error, results, received_at, tries)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', '', '[]', ?, 0)""",
    after="ON CONFLICT (key) DO NOTHING",
)


_count_waiting = Query(
    int, "SELECT count(*) FROM (SELECT 1 FROM incoming WHERE status = 'waiting' LIMIT :most) found"
)


class Taken(enum.Enum):
    """What became of a mail that was handed to us."""

    KEPT = "kept"
    KNOWN = "known"
    """It had come before: nothing was changed."""
    UNKNOWN = "unknown"
    """For no address here: nothing was kept."""
    TOO_BIG = "too big"
    TOO_MANY = "too many"
    """For this hour; another time it will be taken."""

    @property
    def settled(self) -> bool:
        """It need not be handed to us again."""
        return self in (Taken.KEPT, Taken.KNOWN)


def take_in(
    store: Store,
    settings: Settings,
    raw: bytes,
    recipients: Sequence[str],
    source: str,
    *,
    sender: str = "",
) -> Taken:
    """Keep a mail as it came, to be read later. When this returns, that is committed.

    `recipients` and `sender` are the envelope's, where there is one; `<>` is the sender of bounces. The same
    mail for the same address of ours is kept once. Raises what the database raises; then nothing is kept,
    and the mail must come again.
    """
    if len(raw) > LARGEST:
        return Taken.TOO_BIG
    found = inbound_address.doors(store, settings, raw, recipients)
    if not found:
        return Taken.UNKNOWN
    with store.transaction() as connection:
        each = [_keep(connection, raw, door, source, sender or "") for door in found]
        if Taken.KEPT in each:
            wake_after_commit(connection)
    return next(
        (one for one in (Taken.TOO_MANY, Taken.KEPT) if one in each),
        Taken.KNOWN,
    )


def _keep(connection: Connection, raw: bytes, door: InboundAddress, source: str, sender: str) -> Taken:
    now = clock.now()
    key = key_of(raw, door)
    if connection.execute(select(col(Incoming.id)).where(col(Incoming.key) == key)).first():
        return Taken.KNOWN
    lately = select(sql.count()).where(
        col(Incoming.token_hash) == door.mark, col(Incoming.received_at) > now - timedelta(hours=1)
    )
    if (connection.execute(lately).scalar() or 0) >= MOST_AN_HOUR:
        return Taken.TOO_MANY
    whose = (door.mark, door.letter_id, door.player_id)
    what = (door.kind, source, door.masked, *whose, sender[:320], raw)
    new = _insert.run(connection, uuid.uuid4().hex, key, *what, stored(connection, now))
    return Taken.KEPT if new else Taken.KNOWN


def key_of(raw: bytes, door: InboundAddress) -> str:
    """What is the same for two copies of a mail, and for no other mail to this address of ours.

    That is its Message-ID; of a mail without one, its date and its text.
    """
    named = inbound_address.headers(raw)
    message_id = "".join(named.get("message-id", [""])[0].split())
    if len(message_id) > len("<@>"):
        same = message_id.encode()
    else:
        _, _, body = raw.partition(b"\n\n") if b"\r\n\r\n" not in raw else raw.partition(b"\r\n\r\n")
        same = "".join(named.get("date", [])).encode() + b"\n" + _BLANKS.sub(b" ", body).strip()
    return hashlib.sha256(f"{door.kind}:{door.mark}\n".encode() + same).hexdigest()


def forget(store: Store) -> None:
    """Empty the mails that were dealt with long ago. That they came is kept, so that no copy is read anew."""
    with store.transaction() as connection:
        connection.execute(
            update(Incoming)
            .where(col(Incoming.status).in_(("read", "dropped")), sql.length(col(Incoming.raw)) > 0)
            .where(col(Incoming.received_at) < clock.now() - KEPT_FOR)
            .values(raw=b"", sender="")
        )


def count_waiting(store: Store, most: int) -> int:
    """The number of mails that wait to be processed, `most` at most."""
    with store.reading() as connection:
        return _count_waiting.one(connection, most=most)
