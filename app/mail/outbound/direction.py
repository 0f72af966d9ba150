"""The text part of an email in a language that is written from right to left.

A mail program shows plain text from left to right, or gives each line the direction of its first letter. So
each line says by itself how it reads, with marks that have no width: one for programs that look at the first
letter, and an isolation for those that don't look at all. Both are taken off what comes back in a reply.
"""

import re

from app.words.isolation import LRM, PDI, RLI

RLM = "\u200f"
"""A letter from right to left, without form or width."""
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ENDS_WITH_LINK = re.compile(r"(?:https?://|mailto:)\S+$|\S+@\S+$")


def from_right_to_left(text: str) -> str:
    """The text with the direction of each line in it. Lines of a board, isolated already, stay so."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    if line.startswith(LRM) or not _RIGHT_TO_LEFT.search(line):
        return line
    end = " " if _ENDS_WITH_LINK.search(line) else ""  # programs would take the mark for a part of the link
    return f"{RLM}{RLI}{line}{end}{PDI}"
