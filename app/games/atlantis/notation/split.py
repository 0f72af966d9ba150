"""Splitting a line into moves."""

import re
import unicodedata

VERBS = {
    "buy": "buy",
    "purchase": "buy",
    "go": "go",
    "move": "go",
    "play": "go",
    "show": "show",
    "pass": "show",
}
"""The words that begin a move, and the moves they begin."""

_STEP = re.compile(
    rf"[;\n\r]+|(?<![\s,、])[\s,、]+(?:(?:and|then)\s+){{0,2}}(?=(?:{'|'.join(VERBS)})\b)", re.IGNORECASE
)
"""The text between two moves. A run of blanks is tried only once, because a line can be long."""


def split(text: str) -> tuple[str, ...]:
    """The moves of a line, one text each: a purchase and a move may be on one line."""
    parts = _STEP.split(unicodedata.normalize("NFKC", text))
    return tuple(part.strip(" ,、") for part in parts if part.strip(" ,、"))
