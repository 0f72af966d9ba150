"""Incoming mail from every source: kept and committed before its sender is told so."""

import enum
import hashlib
import logging
import re
from collections.abc import Sequence
from datetime import timedelta
from email import message_from_bytes, policy

from app import clock
from app.mail.core import inbound_address, inbox, passed_over
from app.mail.core.inbound_address import InboundAddress
from app.mail.core.inbox import NewMail
from app.mail.inbound.reading import headers, verdicts
from app.mail.inbound.reading.large import reduced
from app.mail.inbound.reading.opening import MOST_BYTES
from app.people import recipients as players
from app.settings import Settings
from app.store.connection import Connection
from app.store.session import Store, wake_after_commit

log = logging.getLogger(__name__)

LARGEST = 36 * 1024 * 1024
"""Bytes of a mail that is taken: providers allow 25 MB, which base64 makes a third longer."""
KEPT = MOST_BYTES
"""Bytes of a mail that are kept. Of a larger one its pictures and attachments are left out."""
LONGEST_SENDER = 320
MOST_AN_HOUR = 120
"""Mails that one address of ours takes from its player, and as many from all others together."""

_BLANKS = re.compile(rb"\s+")
_ABOVE = re.compile(rb"\A(?:\xef\xbb\xbf)?[\r\n]*(?:>?From [^\r\n]*\r?\n)*[\r\n]*")
"""Lines that pipes and mailboxes put above the headers: a mark, blank ones, the line of an mbox."""


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
    mail to the same address is kept once. A large one is kept without its pictures and attachments. A mail
    without a token belongs to the letter that it answers, if its From is that letter's player. Raises the
    errors of the database; then nothing is kept, and the mail must be handed over again.
    """
    raw = _ABOVE.sub(b"", raw, count=1)
    size = len(raw)
    if size > LARGEST:
        with store.transaction() as connection:
            _pass_over(connection, raw, "too_big", source, size)
        return Taken.TOO_BIG
    raw = reduced(raw, KEPT)
    found = inbound_address.find_all(store, settings, raw, recipients)
    stripped = () if found else inbound_address.find_answered(store, settings, raw)
    with store.transaction() as connection:
        sent_by = sender_of(raw, settings.authserv_id) if found or stripped else ""
        found = found or tuple(one for one in stripped if _is_own(connection, one, sent_by))
        each = [
            _keep(connection, raw, one, source, sender, own=_is_own(connection, one, sent_by))
            for one in found
        ]
        if Taken.KEPT in each:
            wake_after_commit(connection)
        if not found and source != "listener":  # there the sender's own server says so
            _pass_over(connection, raw, "unknown_sender" if stripped else "no_token", source, size)
    if not found:
        return Taken.UNKNOWN
    return next(
        (one for one in (Taken.TOO_MANY, Taken.KEPT) if one in each),
        Taken.KNOWN,
    )


def sender_of(raw: bytes, verifier: str) -> str:
    """The key of the address in a mail's From; empty if that can't be read, names several, or isn't proven.

    `verifier`: the server whose verdict is believed.
    """
    head = raw[: inbound_address.LONGEST_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        mail = message_from_bytes(head + b"\n\n", policy=policy.compat32)
        unproven = verdicts.dmarc_fails(headers.values(mail, "Authentication-Results"), verifier)
        return "" if unproven else headers.sender(mail)
    except Exception:  # noqa: BLE001 - the parser has raised five kinds already
        return ""


def _is_own(connection: Connection, to: InboundAddress, sent_by: str) -> bool:
    """Whether the sender is the player who replies by this address."""
    if to.player_id is None or not sent_by:
        return False
    return players.by_id(connection, to.player_id).address_key == sent_by


def _keep(
    connection: Connection, raw: bytes, to: InboundAddress, source: str, sender: str, *, own: bool
) -> Taken:
    now, key = clock.now(), key_of(raw, to)
    if inbox.is_known(connection, key):
        return Taken.KNOWN
    if inbox.count_to(connection, to.mark, now - timedelta(hours=1), own=own) >= MOST_AN_HOUR:
        return Taken.TOO_MANY
    mail = NewMail(
        key,
        to.kind,
        source,
        to.masked,
        to.mark,
        to.letter_id,
        to.player_id,
        sender[:LONGEST_SENDER],
        raw,
        own,
    )
    return Taken.KEPT if inbox.keep(connection, now, mail) else Taken.KNOWN


def pass_over_unkept(store: Store, raw: bytes, source: str) -> None:
    """List a mail that `take_in` breaks on for the operator, once. Never raises."""
    try:
        with store.transaction() as connection:
            _pass_over(connection, raw, passed_over.UNKEPT, source, len(raw))
    except Exception:  # whatever broke may break this too
        log.exception("a mail that cannot be kept cannot be listed")


def _pass_over(connection: Connection, raw: bytes, reason: str, source: str, size: int) -> None:
    if not passed_over.keep(connection, clock.now(), raw, reason, source, size):
        log.warning("more mails for nobody here than are listed in an hour")


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
