"""The bytes of a part, as they were before it was encoded for its way."""

import base64
import binascii
import re
from email.message import Message as Mail

from app.mail.inbound.reading import headers

_FOREIGN = re.compile(rb"[^A-Za-z0-9+/]")


def content(part: Mail) -> bytes:
    """The decoded bytes; empty for a part that holds others.

    Lines of plain text in base64 stay: lists and filters hang theirs below without encoding them, and some
    programs say base64 and send text.
    """
    said_to_be = headers.value(part, "Content-Transfer-Encoding")
    encoding = said_to_be.partition(";")[0].partition("(")[0].strip(" \"'").casefold()
    if encoding != said_to_be.casefold():  # Python knows the bare word alone
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = encoding
    if encoding == "base64":
        said = part.get_payload()
        lines = said.encode("utf-8", "surrogateescape").split(b"\n") if isinstance(said, str) else []
        end = next((at for at, line in enumerate(lines) if _is_text(line.strip())), len(lines))
        if end < len(lines):
            return b"\n".join((_unbased(b"".join(lines[:end])), *lines[end:]))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _is_text(line: bytes) -> bool:
    return b" " in line or line.startswith((b"--", b"__"))


def _unbased(encoded: bytes) -> bytes:
    letters = _FOREIGN.sub(b"", encoded)
    try:
        return base64.b64decode(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return b""
