"""Reads moves (rules, section 7), lenient about case, spaces, arrows, commas and left-out words."""

import re
from functools import lru_cache
from typing import Final

from app.engine.errors import IllegalMove, UnreadableMove
from app.engine.game import Move, Seat
from app.engine.reading import nearest, one_form, tidy
from app.games.survive.board import COLOURS, CREATURE_ID, EXPLORER_ID, ID, SHIP_ID
from app.games.survive.moves import Allow, Defend, Done, Orders, Pass
from app.games.survive.notation.reader import Reader
from app.games.survive.notation.spelling import (
    BETWEEN,
    KEYWORDS,
    LURE,
    SAME,
    action,
    joined,
    parts,
    plainly,
    spelled,
)
from app.games.survive.notation.split import is_list, is_plain, split
from app.games.survive.rules.ground import seat_number
from app.games.survive.state import State
from app.graphemes import cut

_PLAIN: Final[dict[str, Move]] = {"defend": Defend(), "allow": Allow(), "done": Done(), "pass": Pass()}
_LIST: Final = re.compile(r"orders?\b")
_PLACING: Final = re.compile(r"orders?\b|place\b")
_SHORT: Final = 80
"""Characters of a text whose words are kept: what the log says is shorter, but for lists."""


def parse(state: State, seat: Seat, text: str) -> Move:
    """The move that a line means for the seat now. Raises UnreadableMove, AmbiguousMove, IllegalMove."""
    me = seat_number(state, seat)
    begin = _begun if len(text) <= _SHORT else _begun.__wrapped__
    text, plain, first, keyword = begin(text, state.step in ("orders", "explorers"))
    keyword = keyword or _meant(state, plain)
    reader = Reader(state, me, text, plain)
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
        raise UnreadableMove(text, cut(first, 40), nearest(first[:40], KEYWORDS))
    return read()


@lru_cache(maxsize=4096)
def _begun(text: str, listing: bool) -> tuple[str, str, str, str]:
    """The text as one line, the words after its keyword, its first word, and the keyword, empty if none.

    `listing`: numbers are values, not parts of names. Raises IllegalMove if it contains several actions.
    """
    text = one_action(text)
    plain = tidy(text)
    plain = spelled(plain) if listing or _PLACING.match(plain) else joined(plain)
    first = plain.split(" ")[0]
    keyword = SAME.get(first, first)
    if keyword not in KEYWORDS or LURE.match(plain):
        return text, plain, first, ""
    return text, plain[len(first) :].strip(), first, keyword


def one_action(text: str) -> str:
    """The text as one line. Raises IllegalMove if it contains several actions."""
    if is_plain(text):
        return text
    text = one_form(text)
    lines = split(text) if "\n" in text.strip() or "\r" in text.strip() else (text,)
    if len(lines) == 1:
        text = lines[0]
        if is_list(text):
            return text
        found = parts(text)
        if len(found) < 2 or not any(action(plainly(part)) for part in found[1:]):
            return text
        first = plainly(found[0])
        if not action(first) and first.upper() not in ID:  # a sentence with a comma in it
            return text
        lines = tuple(found)
    if not lines:
        return ""
    raise IllegalMove("one_action", lines=lines)


def read_list(state: State, seat: Seat, text: str) -> Orders:
    """The placing list of a position. Raises RulesError."""
    line = one_action(text if _LIST.match(tidy(text)) else f"orders {text}")
    plain = re.sub(r"^orders? ?", "", spelled(tidy(line)))
    return Reader(state, seat_number(state, seat), text, plain).orders()


def _meant(state: State, plain: str) -> str:
    """The keyword that a line implies by its first word and the current step."""
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
