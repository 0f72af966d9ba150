"""Three ways for a move to be wrong, and two for a question about a table. Facts, no sentences.

The sentences stand in `templates/games/<slug>/words/<language>.jinja`, one macro a reason.
"""

from collections.abc import Mapping
from typing import Any


class RulesError(Exception):
    """Something a player wrote cannot be done. `reason` names the macro that says so, `facts` fill it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(f"{reason} {facts}" if facts else reason)
        self.reason = reason
        self.facts: Mapping[str, Any] = facts


class UnreadableMove(RulesError):  # noqa: N818
    """No move can be read in the text. `at` is the part that was not understood, `nearest` what was near."""

    def __init__(self, text: str, at: str = "", nearest: tuple[str, ...] = ()) -> None:
        super().__init__("unreadable", text=text, at=at or text, nearest=nearest)
        self.text = text
        self.at = at or text
        self.nearest = nearest


class AmbiguousMove(RulesError):  # noqa: N818
    """The text has more than one reading. `readings` are the canonical texts it may mean."""

    def __init__(self, text: str, readings: tuple[str, ...]) -> None:
        super().__init__("ambiguous", text=text, readings=readings)
        self.text = text
        self.readings = readings


class IllegalMove(RulesError):  # noqa: N818
    """The move was read, and the rules forbid it here. Its reason is one of the game's `reasons`."""


class BadOptions(RulesError):  # noqa: N818
    """A table cannot be opened like this: unknown option or choice, wrong number of seats, a clash."""


class BadPosition(RulesError):  # noqa: N818
    """A position cannot be loaded: an unknown key, a piece twice, more pieces than there are."""
