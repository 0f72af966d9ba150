"""For the operator: the mails that came in and could not be read, without what would open anything."""

import base64
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

import msgspec
from sqlalchemy import select
from sqlmodel import col

from app.mail.inbound.reading import headers
from app.store.session import Store
from app.store.tables import Incoming

MOST = 200
_PLUS = r"(?:\+|=2B|%2B|%252B|&#0*43;|&#x0*2b;|&plus;)"
_ADDRESS = re.compile(rf"([rbu]){_PLUS}[a-z2-7=\s]{{26,80}}?(?=@|%40|=40|\W)", re.IGNORECASE)
_SLASH = r"(?:/|=2F|%2F|%252F|&#0*47;|&#x0*2f;|&sol;)"
_LINK = re.compile(rf"{_SLASH}([afistu]){_SLASH}[A-Za-z0-9_=\r\n-]{{16,90}}", re.IGNORECASE)
_WORDS = re.compile(r"(?:=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=(?:\s+(?==\?))?)+", re.IGNORECASE)
"""Encoded words of a header in a row; what stands between two of them is no part of the text."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
LEAST_ENCODED = 24
"""Letters from which on lines of nothing else may hold a token."""


class Unread(msgspec.Struct, frozen=True):
    """A mail that could not be read."""

    id: str
    received_at: datetime
    source: str
    tries: int
    size: int
    error: str
    """Its last line."""


def unread(store: Store) -> list[Unread]:
    """The mails that were given up, the newest first."""
    with store.reading() as connection:
        rows = connection.execute(
            select(
                col(Incoming.id),
                col(Incoming.received_at),
                col(Incoming.source),
                col(Incoming.tries),
                col(Incoming.raw),
                col(Incoming.error),
            )
            .where(col(Incoming.status) == "failed")
            .order_by(col(Incoming.received_at).desc())
            .limit(MOST)
        ).all()
    return [
        Unread(row.id, row.received_at, row.source, row.tries, len(row.raw), _last(row.error)) for row in rows
    ]


def shown(store: Store, incoming_id: str) -> str | None:
    """A mail as it came, and what went wrong with it, tokens masked; None: there is none of that name."""
    with store.reading() as connection:
        row = connection.execute(
            select(col(Incoming.raw), col(Incoming.error), col(Incoming.status), col(Incoming.reason)).where(
                col(Incoming.id) == incoming_id
            )
        ).one_or_none()
    if row is None:
        return None
    told = masked(bytes(row.raw).decode("utf-8", "backslashreplace"))
    return f"{row.status} {row.reason}\n{masked(row.error)}\n\n{told}".lstrip()


def masked(text: str) -> str:
    """The text without the tokens of addresses and links, also where a line was broken within them.

    What was encoded, in a part or in a header, is decoded first; where it is no text, its size stands there.
    """
    text = _WORDS.sub(lambda found: headers.readable(found[0]), text)
    return _LINK.sub(r"/\1/…", _ADDRESS.sub(r"\1+…", "\n".join(_decoded(text.splitlines()))))


def _decoded(lines: list[str]) -> Iterator[str]:
    """The lines, those of base64 as the text that they are."""
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
