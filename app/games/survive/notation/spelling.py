"""Normalises words as people type them, and finds the keyword of an action."""

import re
from typing import Final

from app.engine.reading import tidy
from app.games.survive.board import COLOURS, CREATURE_ID, EXPLORER_ID, KINDS, SHIP_ID

KEYWORDS: Final = (
    *("move", "sink", "play", "creature", "board", "place", "ship", "orders"),
    *("defend", "allow", "done", "pass"),
)
SAME: Final = {"ships": "ship", "order": "orders"}
"""Not “defence”: letters name tiles by it, and a line of theirs may break before it."""
BETWEEN: Final = re.compile(r"[>\s,:-]+")
"""Separators between the words of an action."""
SEPARATOR: Final = re.compile(r"[,;]+")
"""Separators between the steps of a movement."""
LURE: Final = re.compile(rf"\bmove[- ]?({'|'.join(KINDS)})\b")

_NUMBERED: Final = re.compile(rf"\b({'|'.join((*COLOURS, *KINDS, 'ship'))})[ #.:]*0*(\d{{1,3}})\b")
_SPACED: Final = re.compile(r"\b([a-m])[ ]*0*(\d{1,2})\b")
_ISLE: Final = re.compile(r"\b(?:isle[ :]+)?(?:of )?(nw|ne|sw|se)(?: isle)?\b")
_COLON: Final = re.compile(rf"^({'|'.join((*KEYWORDS, *SAME))}) ?[:>]+ ?")
_APART: Final = re.compile(r"[ #.:]\d|[a-z]0|\b(?:nw|ne|sw|se)\b|^[a-z]+ ?[:>]")
"""A quick test whether `joined` may change a line. Most lines need none."""
LED_IN: Final = re.compile(r"^(?:and|then|&|\+) +", re.IGNORECASE)
"""Words that may lead from one step to the next."""


def spelled(plain: str) -> str:
    """Tidy text with spaces and isles as one word each, and no colon behind its first word."""
    return _COLON.sub(r"\1 ", _ISLE.sub(r"isle_\1", _SPACED.sub(r"\1\2", plain)))


def joined(plain: str) -> str:
    """As `spelled`, with `red 1` as one word too. Not for lists, where a number is a value."""
    return spelled(_NUMBERED.sub(r"\1\2", plain)) if _APART.search(plain) else plain


def parts(line: str) -> list[str]:
    """The parts of a line between commas, as typed, without empty ones."""
    return [part.strip() for part in SEPARATOR.split(line) if tidy(part)]


def plainly(part: str) -> str:
    """A part of a line with names as one word each, and without an `and` or `then` before it."""
    return LED_IN.sub("", joined(tidy(part)))


def action(plain: str) -> str:
    """The keyword of the action that a part begins, or "" if it continues the one before."""
    words = [word for word in BETWEEN.split(plain) if word]
    first = SAME.get(words[0], words[0]) if words else ""
    if LURE.match(plain) or first in ("dolphin", "wind", "winds"):
        return "play"
    piece, *rest = words[first == "move" :] or [""]
    if piece in CREATURE_ID and rest:
        return "creature"
    if first in KEYWORDS:
        return first
    named = piece in EXPLORER_ID or piece in SHIP_ID or (piece.isdecimal() and ">" in plain)
    return "move" if named and rest and rest[0] not in EXPLORER_ID else ""
