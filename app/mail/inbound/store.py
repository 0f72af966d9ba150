"""Incoming mail from every source: kept and committed before its sender is told so."""

import enum
import hashlib
import re
from collections.abc import Sequence
from datetime import timedelta

from app import clock
from app.mail.core import inbound_address, inbox
from app.mail.core.inbound_address import InboundAddress
from app.mail.core.inbox import NewMail
from app.mail.inbound.reading.opening import MOST_BYTES
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store, wake_after_commit

LARGEST = MOST_BYTES
"""Bytes of a mail. Most of them are our letter with its picture, as quoted by the mail program."""
LONGEST_SENDER = 320
MOST_AN_HOUR = 60
"""Mails that one address of ours takes, at most."""
KEPT_FOR = timedelta(days=30)
"""How long the text of a mail that was read or dropped can be looked at."""

_BLANKS = re.compile(rb"\s+")


class Taken(enum.Enum):
    """The result of taking a mail in."""

    KEPT = "kept"
    KNOWN = "known"
    """It had come before: nothing changed."""
    UNKNOWN = "unknown"
    """It is for no address here: nothing was kept."""
    TOO_BIG = "too big"
    TOO_MANY = "too many"
    """In this hour; it will be taken later."""

    @property
    def settled(self) -> bool:
        """It need not be handed over again."""
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
    """Keep a mail as it came, to be read later; it is committed when this returns.

    `recipients` and `sender` are the envelope's, if there is one; `<>` is the sender of bounces. The same
    mail to the same address is kept once. Raises the errors of the database; then nothing is kept, and the
    mail must be handed over again.
    """
    if len(raw) > LARGEST:
        return Taken.TOO_BIG
    found = inbound_address.find_all(store, settings, raw, recipients)
    if not found:
        return Taken.UNKNOWN
    with store.transaction() as connection:
        each = [_keep(connection, raw, one, source, sender) for one in found]
        if Taken.KEPT in each:
            wake_after_commit(connection)
    return next(
        (one for one in (Taken.TOO_MANY, Taken.KEPT) if one in each),
        Taken.KNOWN,
    )


def _keep(connection: Connection, raw: bytes, to: InboundAddress, source: str, sender: str) -> Taken:
    now, key = clock.now(), key_of(raw, to)
    if inbox.is_known(connection, key):
        return Taken.KNOWN
    if inbox.count_to(connection, to.mark, now - timedelta(hours=1)) >= MOST_AN_HOUR:
        return Taken.TOO_MANY
    mail = NewMail(
        key, to.kind, source, to.masked, to.mark, to.letter_id, to.player_id, sender[:LONGEST_SENDER], raw
    )
    return Taken.KEPT if inbox.keep(connection, now, mail) else Taken.KNOWN


def key_of(raw: bytes, to: InboundAddress) -> str:
    """A key that two copies of a mail share, and no other mail to this address of ours.

    It comes from the Message-ID; for a mail without one, from its date and its text.
    """
    named = inbound_address.headers(raw)
    message_id = "".join(named.get("message-id", [""])[0].split())
    if len(message_id) > len("<@>"):
        same = message_id.encode()
    else:
        _, _, body = raw.partition(b"\n\n") if b"\r\n\r\n" not in raw else raw.partition(b"\r\n\r\n")
        same = "".join(named.get("date", [])).encode() + b"\n" + _BLANKS.sub(b" ", body).strip()
    return hashlib.sha256(f"{to.kind}:{to.mark}\n".encode() + same).hexdigest()


def forget(store: Store) -> None:
    """Empty the mails that were dealt with before KEPT_FOR. Their keys stay, so that no copy is read anew."""
    with store.transaction() as connection:
        inbox.forget(connection, clock.now() - KEPT_FOR)
