"""Names from right to left within a sentence from left to right: both keep their order.

A number behind such a name would otherwise change places with it, because the two are drawn as one.
"""

import re
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"
"""Begin a text of its own, from left to right, from right to left, or as its first letter reads; end it."""
LRM = "\u200e"
"""A letter from left to right, without form or width."""
_RIGHT_TO_LEFT = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BEGUN = (LRI, RLI, FSI)


def turned(fact: Any) -> Any:
    """A fact whose texts from right to left are isolated, in lists, in mappings and from functions too.

    Everything else is the fact itself. A text that is isolated already stays as it is.
    """
    if isinstance(fact, str):
        return _text(fact)
    if isinstance(fact, (tuple, list)):
        return type(fact)(map(turned, fact)) if type(fact) in (tuple, list) else fact
    if type(fact) is dict:
        return {name: turned(one) for name, one in fact.items()}
    return _named(fact) if callable(fact) and not isinstance(fact, type) else fact


def _text(text: str) -> str:
    if text.isascii() or _RIGHT_TO_LEFT.search(text) is None or text.startswith(_BEGUN):
        return text
    return Markup("{}{}{}").format(FSI, text, PDI) if isinstance(text, Markup) else f"{FSI}{text}{PDI}"


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its texts isolated."""

    def named(*arguments: Any) -> Any:
        return turned(function(*arguments))

    return named


def from_right_to_left(text: str) -> str:
    """The text, isolated from right to left if it has letters that read so."""
    if text.isascii() or _RIGHT_TO_LEFT.search(text) is None:
        return text
    return f"{RLI}{text}{PDI}"


def isolated_lines(text: str) -> str:
    """The text with each of its lines from left to right, in a letter of whichever direction."""
    return "\n".join(f"{LRM}{LRI}{line}{PDI}" if line.strip() else line for line in text.split("\n"))
