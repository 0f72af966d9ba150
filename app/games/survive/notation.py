"""Reading moves (rules, section 7): lenient about case, blanks, arrows, commas and left-out words."""

import re
from typing import Final

from app.engine.errors import UnreadableMove
from app.engine.game import Move, Seat
from app.engine.reading import nearest, tidy
from app.games.survive.board import (
    COLOURS,
    CREATURE_ID,
    EXPLORER_ID,
    EXPLORERS,
    ID,
    KINDS,
    SHIP_ID,
    SHIPS,
)
from app.games.survive.reader import BETWEEN, LURE, Reader
from app.games.survive.words import (
    Allow,
    Defend,
    Done,
    Orders,
    Pass,
    State,
)

KEYWORDS: Final = (
    *("move", "sink", "play", "creature", "board", "place", "ship", "orders"),
    *("defend", "allow", "done", "pass"),
)
_SAME: Final = {"ships": "ship", "order": "orders", "defence": "defend", "defense": "defend"}
_PLAIN: Final[dict[str, Move]] = {"defend": Defend(), "allow": Allow(), "done": Done(), "pass": Pass()}

_COMMAS: Final = re.compile(r"[,;\n\r、،؛\uff0c\uff1b]+")
_NUMBERED: Final = re.compile(rf"\b({'|'.join((*COLOURS, *KINDS, 'ship'))})[ #.:]*0*(\d{{1,3}})\b")
_SPACED: Final = re.compile(r"\b([a-m])[ ]*0*(\d{1,2})\b")
_LIST: Final = re.compile(rf"orders?\b|(?:(?:{'|'.join(COLOURS)}) )?\d+\b.*\bships\b")
"""A placing list, which keeps its commas and semicolons; the word before it may be left out."""
_ISLE: Final = re.compile(r"\b(?:isle[ :]+)?(?:of )?(nw|ne|sw|se)(?: isle)?\b")


def split(text: str) -> tuple[str, ...]:
    """A line as lines of one step each: movement steps are joined by commas, or drawn as one chain."""
    if _LIST.match(tidy(text)):
        return (" ".join(text.split()),)
    lines: list[str] = []
    lead = ""
    for part in _COMMAS.split(text):
        plain = _joined(tidy(part))
        if not plain:
            continue
        first = plain.split(" ")[0]
        if _SAME.get(first, first) in KEYWORDS:
            lead = first
        elif lead == "board":
            lines[-1] += f" {part.strip()}"
            continue
        chain = plain.removeprefix("move ").split(">")
        if len(chain) > 2 and chain[0].strip() in (*EXPLORERS, *SHIPS):
            lines += [f"move {chain[0].strip()}>{to.strip()}" for to in chain[1:]]
        elif lead == "move" and first != "move":
            lines.append(f"move {part.strip()}")
        else:
            lines.append(part.strip())
    return tuple(lines)


def parse(state: State, seat: Seat, text: str) -> Move:
    """The move that a line means for the seat now. Raises UnreadableMove, AmbiguousMove, IllegalMove."""
    plain = tidy(text)
    if re.match(r"orders?\b|place\b", plain) or state.step in ("orders", "explorers"):
        plain = _ISLE.sub(r"isle_\1", _SPACED.sub(r"\1\2", plain))
    else:
        plain = _joined(plain)
    lure = LURE.match(plain)
    first = plain.split(" ")[0]
    keyword = _SAME.get(first, first)
    if keyword in KEYWORDS and not lure:
        plain = plain[len(first) :].strip()
    else:
        keyword = _meant(state, plain)
    reader = Reader(state, state.seats.index(seat), text, plain)
    if keyword in _PLAIN:
        if reader.words:
            raise reader.unreadable(reader.words[0])
        return _PLAIN[keyword]
    read = {
        "move": reader.step,
        "sink": reader.sink,
        "play": reader.play,
        "creature": reader.creature,
        "board": reader.board,
        "place": reader.place,
        "ship": reader.ship,
        "orders": reader.orders,
    }.get(keyword)
    if read is None:
        raise UnreadableMove(text, first[:40], nearest(first[:40], KEYWORDS))
    return read()


def read_list(state: State, seat: Seat, text: str) -> Orders:
    """A placing list as a position holds it. Raises RulesError."""
    plain = re.sub(r"^orders? ", "", _SPACED.sub(r"\1\2", tidy(text)))
    return Reader(state, state.seats.index(seat), text, plain).orders()


def _joined(plain: str) -> str:
    """Tidy text with names as one word each: `red 1`, `F 5` and `isle NW` too."""
    return _ISLE.sub(r"isle_\1", _SPACED.sub(r"\1\2", _NUMBERED.sub(r"\1\2", plain)))


def _meant(state: State, plain: str) -> str:
    """The keyword that a line without one means, from its first word and from what is asked now."""
    first = BETWEEN.split(plain)[0]
    if state.step in ("orders", "explorers", "ships") and (
        first.isdecimal() or first in (*COLOURS, "random") or first.upper() in ID
    ):
        return {"orders": "orders", "explorers": "place", "ships": "ship"}[state.step]
    if first in EXPLORER_ID:
        return "board" if state.step == "board" else "move"
    if first in SHIP_ID or (first.isdecimal() and ">" in plain):
        return "move"
    if first in CREATURE_ID:
        return "play" if state.step == "play" else "creature"
    if first in ("dolphin", "wind", "winds") or LURE.match(plain):
        return "play"
    return "sink" if plain.upper() in ID else ""
