"""Splitting a line into moves."""

import re

from app.engine.reading import one_form

VERBS = {
    "buy": "buy",
    "purchase": "buy",
    "lay": "bridge",
    "build": "bridge",
    "go": "go",
    "move": "go",
    "play": "go",
    "show": "show",
    "pass": "show",
}
"""The words that begin a move, and the moves they begin."""

_STEP = re.compile(
    rf"[;\n]+|(?<![\s,])[\s,]+(?:(?:and|then)\s+){{0,2}}(?=(?:{'|'.join(VERBS)})\b)", re.IGNORECASE
)
"""The text between two moves. A run of blanks is tried only once, because a line can be long."""
_BRIDGE = re.compile(r"(?<![\s,])[\s,]+(?:(?:and|then)\s+){0,2}(?=bridge\b)", re.IGNORECASE)
_OTHER = re.compile(r"(?:buy|purchase|show|pass|bridge)\b", re.IGNORECASE)
"""The moves before a bridge on the same line. After others, such as `go B ring`, it belongs to the move."""


def split(text: str) -> tuple[str, ...]:
    """The moves of a line, one text each: a purchase and a move may be on one line."""
    steps: list[str] = []
    for part in _STEP.split(one_form(text)):
        step = part.strip(" ,")
        steps += _BRIDGE.split(step) if _OTHER.match(step) else [step]
    return tuple(step for step in steps if step)
