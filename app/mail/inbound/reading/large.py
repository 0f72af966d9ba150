"""Large mails: what was typed is a small part of them, and the rest is left out."""

import re

ATTACHED = 120
"""Lines of base64 from which they are an attachment; a text's first lines say what was typed."""
_BASE64 = re.compile(rb"(?:^[A-Za-z0-9+/]{40,80}\r?\n)+", re.MULTILINE)


def reduced(raw: bytes, most: int) -> bytes:
    """The mail if it has at most `most` bytes; else without the ends of its attachments, and cut there."""
    if len(raw) <= most:
        return raw
    kept: list[bytes] = []
    at = size = 0
    for found in _BASE64.finditer(raw):
        lines = found[0].split(b"\n", ATTACHED)
        if len(lines) <= ATTACHED or not lines[-1]:
            continue
        kept.append(raw[at : found.end() - len(lines[-1])])
        at = found.end()
        size += len(kept[-1])
        if size > most:
            break
    kept.append(raw[at : at + most])
    return b"".join(kept)[:most]
