"""For the operator: the mails that were not carried out, each with why, their tokens masked."""

import base64
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby

import msgspec

from app import clock
from app.mail.core import inbox
from app.mail.core import passed_over as strangers
from app.mail.core.inbox import Unread
from app.mail.inbound.reading import headers
from app.store import audit
from app.store.session import Store

MOST = 200
"""Mails of a kind that are listed: of those that failed, of other replies, of junk, of the rest."""
LATE = timedelta(minutes=10)
"""A mail that waits for so long is listed too."""
REASONS = {
    "automatic": "automatic reply",
    "bounce": "delivery notice or null sender",
    "receipt": "read receipt",
    "ours": "one of our own addresses as the sender",
    "list": "mailing list",
    "calendar": "answer to an invitation in a calendar",
    "reaction": "reaction without text",
    "elsewhere": "unknown sender",
    "sealed": "encrypted, or signed and damaged; the player was told",
    "unreadable": "unreadable",
    "error": "error",
    "barred": "the sender is barred, and was told so once",
    "gone": "the account of its address was deleted",
    "unknown": "its address is no longer good",
    "no_token": "no token: for no address here",
    "too_big": "too large",
    "unkept": "could not be kept: it stays unread in the mailbox, and the log of `tidepost inbox` says why",
    "unknown_sender": "unknown sender: the token was stripped, and another player's letter is answered",
}
"""By the first word of a mail's reason."""
_PLUS = r"(?:\+|=2B|%2B|%252B|&#0*43;|&#x0*2b;|&plus;)"
_ADDRESS = re.compile(rf"([rbu]){_PLUS}[a-z2-7=\s]{{26,80}}?(?=@|%40|=40|\W)", re.IGNORECASE)
_SLASH = r"(?:/|=2F|%2F|%252F|&#0*47;|&#x0*2f;|&sol;)"
_LINK = re.compile(rf"{_SLASH}([a-z]|join){_SLASH}[A-Za-z0-9_=\r\n-]{{16,90}}", re.IGNORECASE)
_WORDS = re.compile(r"(?:=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=(?:\s+(?==\?))?)+", re.IGNORECASE)
"""Encoded words of a header in a row; the blanks between two of them are no part of the text."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
LEAST_ENCODED = 24
"""The length from which lines of base64 can hold a token."""


class Line(msgspec.Struct, frozen=True):
    """A mail in the operator's list."""

    id: str
    received_at: datetime
    source: str
    size: int
    """Bytes that are kept."""
    why: str


def passed_over(store: Store) -> list[Line]:
    """The mails that were not carried out: failed, dropped, put off, or for nobody here; the newest first.

    No number of one kind keeps another off the list.
    """
    with store.reading() as connection:
        kept = {one.id: one for one in inbox.failed(connection, MOST)}
        kept |= {one.id: one for one in inbox.passed_over(connection, clock.now() - LATE, MOST)}
        strange = strangers.latest(connection, MOST)
    lines = [Line(one.id, one.received_at, one.source, one.size, _why(one)) for one in kept.values()]
    lines += [Line(one.id, one.received_at, one.source, one.size, REASONS[one.reason]) for one in strange]
    return sorted(lines, key=lambda line: line.received_at, reverse=True)


def _why(mail: Unread) -> str:
    """The reason for which a mail was not carried out."""
    if mail.status == "waiting":
        if mail.reason != "deferred":
            return f"waiting; tried {mail.tries} times. {_last(mail.error)}".rstrip(" .")
        until = f" until {mail.held_until:%Y-%m-%d %H:%M}" if mail.held_until is not None else ""
        return f"deferred{until}: too many from this player within an hour"
    first, _, more = mail.reason.partition(": ")
    said = REASONS.get(first, first)
    told = more or (_last(mail.error) if mail.status == "failed" else "")
    return f"{said}: {told}" if told else said


def unread(store: Store) -> list[Unread]:
    """The mails that were given up, the newest first, each with the last line of its error."""
    with store.reading() as connection:
        found = inbox.failed(connection, MOST)
    return [msgspec.structs.replace(one, error=_last(one.error)) for one in found]


def shown(store: Store, mail_id: str) -> str | None:
    """A mail as it came, and its error, tokens masked; None if there is no such mail."""
    with store.reading() as connection:
        mail = inbox.kept(connection, mail_id)
        strange = strangers.one(connection, mail_id) if mail is None else None
    if strange is not None:
        return f"{REASONS[strange.reason]}\n\n{masked(strange.head.decode('utf-8', 'backslashreplace'))}"
    if mail is None:
        return None
    told = masked(mail.raw.decode("utf-8", "backslashreplace"))
    return f"{mail.status} {mail.reason}\n{masked(mail.error)}\n\n{told}".lstrip()


def deal_with(store: Store, mail_id: str, by: int | None = None) -> bool:
    """Take a mail off the list, because the operator has dealt with it. False: it is not on it.

    `by`: the player who does it on the operator's page.
    """
    now = clock.now()
    with store.transaction() as connection:
        done = inbox.deal_with(connection, now, mail_id) or strangers.deal_with(connection, now, mail_id)
        if done:
            audit.keep(connection, now, "inbox done", f"mail {mail_id}", by=by)
    return done


def masked(text: str) -> str:
    """The text without the tokens of addresses and links, even if a line was broken within them.

    Encoded parts and headers are decoded first; an encoded part that is no text is replaced by its size.
    """
    text = _WORDS.sub(lambda found: headers.readable(found[0]), text)
    return _LINK.sub(r"/\1/…", _ADDRESS.sub(r"\1+…", "\n".join(_decoded(text.splitlines()))))


def _decoded(lines: list[str]) -> Iterator[str]:
    """The lines, with base64 decoded to text."""
    for encoded, some in groupby(lines, lambda line: _BASE64.fullmatch(line.strip()) is not None):
        found = list(some)
        joined = "".join(line.strip() for line in found)
        if not encoded or len(joined) < LEAST_ENCODED:
            yield from found
            continue
        plain = joined.rstrip("=").translate(str.maketrans("-_", "+/"))
        data = base64.b64decode(plain + "=" * (-len(plain) % 4)) if len(plain) % 4 != 1 else b""
        said = data.replace(b"\0", b"").decode("utf-8", "replace")
        yield f"[{len(data)} bytes]" if said.count("\ufffd") > len(said) // 4 else said


def _last(error: str) -> str:
    lines = error.strip().splitlines()
    return lines[-1] if lines else ""
