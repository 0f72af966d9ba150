"""For the operator: the mails that could not be read, their tokens masked."""

import base64
import re
from collections.abc import Iterator
from itertools import groupby

import msgspec

from app.mail.core import inbox
from app.mail.core.inbox import Unread
from app.mail.inbound.reading import headers
from app.store.session import Store

MOST = 200
_PLUS = r"(?:\+|=2B|%2B|%252B|&#0*43;|&#x0*2b;|&plus;)"
_ADDRESS = re.compile(rf"([rbu]){_PLUS}[a-z2-7=\s]{{26,80}}?(?=@|%40|=40|\W)", re.IGNORECASE)
_SLASH = r"(?:/|=2F|%2F|%252F|&#0*47;|&#x0*2f;|&sol;)"
_LINK = re.compile(rf"{_SLASH}([afistu]){_SLASH}[A-Za-z0-9_=\r\n-]{{16,90}}", re.IGNORECASE)
_WORDS = re.compile(r"(?:=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=(?:\s+(?==\?))?)+", re.IGNORECASE)
"""Encoded words of a header in a row; the blanks between two of them are no part of the text."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
LEAST_ENCODED = 24
"""The length from which lines of base64 can hold a token."""


def unread(store: Store) -> list[Unread]:
    """The mails that were given up, the newest first, each with the last line of its error."""
    with store.reading() as connection:
        found = inbox.failed(connection, MOST)
    return [msgspec.structs.replace(one, error=_last(one.error)) for one in found]


def shown(store: Store, mail_id: str) -> str | None:
    """A mail as it came, and its error, tokens masked; None if there is no such mail."""
    with store.reading() as connection:
        mail = inbox.kept(connection, mail_id)
    if mail is None:
        return None
    told = masked(mail.raw.decode("utf-8", "backslashreplace"))
    return f"{mail.status} {mail.reason}\n{masked(mail.error)}\n\n{told}".lstrip()


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
