"""Splits text into steps (rules, section 7): steps joined by commas, lists over several lines."""

import re
from typing import Final

from app.engine.reading import one_form, tidy
from app.games.survive.board import COLOURS, EXPLORERS, SHIPS
from app.games.survive.notation.spelling import LED_IN, action, parts, plainly

_PLAIN: Final = re.compile(
    r"(?:play move-[a-z]+|move|sink|play|creature|board|place|ship|defend|allow|done|pass)"
    r"(?: [A-Za-z0-9]+)*(?:>[A-Za-z0-9]+)?"
)
_COLOUR: Final = f"(?:{'|'.join(COLOURS)})"
_LIST: Final = re.compile(r"orders?\b:?")
_WISH: Final = re.compile(rf"(?:{_COLOUR}\b[ :]*)?\d{{1,3}}\b(?!>)|{_COLOUR}:?$")
"""A row of a list that begins a wish, or names the colour of the wishes below."""
_MORE: Final = re.compile(r"ships?\b|[a-m] ?\d{1,2}\b(?!>)")
"""A row that continues the wish above."""
_ARROW: Final = re.compile(r" ?[>-] ?")
_BULLET: Final = re.compile(r"^[*•·・‣◦\s-]+")
_TRAILING: Final = " ,;."


def split(text: str) -> tuple[str, ...]:
    """The steps of a text, one line each. Commas join only the steps of one movement.

    Each row is an action, but a placing list takes as many rows as it needs. A row with several actions stays
    whole, for `parse` to refuse.
    """
    if is_plain(text):
        return (text,)
    rows = [row.strip() for row in one_form(text).splitlines() if tidy(row)]
    lines: list[str] = []
    while rows:
        length = _length_of_list(rows)
        lines += [_one_line(rows[:length])] if length else _steps(rows[0])
        rows = rows[max(length, 1) :]
    return tuple(lines)


def is_plain(text: str) -> bool:
    """Whether a text is one action in canonical form, as buttons send it."""
    return _PLAIN.fullmatch(text) is not None


def is_list(line: str) -> bool:
    """Whether a line is a placing list, with or without the word before it."""
    return bool(tidy(line)) and _length_of_list([line]) > 0


def _length_of_list(rows: list[str]) -> int:
    """The number of rows of the placing list that begins with the first row, or 0.

    The word before it may be left out where the word `ships` stands in it.
    """
    plain = [tidy(row) for row in rows]
    named = bool(_LIST.match(plain[0]))
    if not named and not _WISH.match(plain[0]):
        return 0
    length = 1
    while length < len(rows) and (_WISH.match(plain[length]) or _MORE.match(plain[length])):
        length += 1
    return length if named or any(re.search(r"\bships\b", row) for row in plain[:length]) else 0


def _one_line(rows: list[str]) -> str:
    """The rows of a placing list as one line."""
    line = " ".join(rows[0].split())
    for row in rows[1:]:
        own_wish = bool(_WISH.match(tidy(row))) and not _LIST.fullmatch(tidy(line).rstrip(_TRAILING))
        line = f"{line.rstrip(_TRAILING)}{'; ' if own_wish else ' '}{_BULLET.sub('', ' '.join(row.split()))}"
    return line


def _steps(row: str) -> list[str]:
    """The steps of a movement, or the row as it is."""
    found = parts(row)
    actions = [action(plainly(part)) for part in found]
    if not found or actions[0] != "move" or set(actions) - {"move", ""}:
        return [", ".join(found)] if found else []
    steps: list[str] = []
    for part in found:
        plain = plainly(part)
        piece, *spaces = _ARROW.split(plain.removeprefix("move "))
        if len(spaces) > 1 and piece in (*EXPLORERS, *SHIPS):
            steps += [f"move {piece}>{to}" for to in spaces]
        elif steps and not plain.startswith("move "):
            steps.append(f"move {LED_IN.sub('', part)}")
        else:
            steps.append(part)
    return steps
