"""The errors of the rules. They carry facts; the sentences are templates.

Each reason has a macro `refused_REASON` in `templates/games/<slug>/words/<language>.jinja`.
"""

from collections.abc import Mapping
from typing import Any


class RulesError(Exception):
    """Something can't be done by the rules. `reason` names the macro that says so, `facts` fill it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(f"{reason} {facts}" if facts else reason)
        self.reason = reason
        self.facts: Mapping[str, Any] = facts


class UnreadableMove(RulesError):  # noqa: N818
    """The text is no move. `at` is the part that wasn't understood, `nearest` are similar texts."""

    def __init__(self, text: str, at: str = "", nearest: tuple[str, ...] = ()) -> None:
        super().__init__("unreadable", text=text, at=at or text, nearest=nearest)
        self.text = text
        self.at = at or text
        self.nearest = nearest


class AmbiguousMove(RulesError):  # noqa: N818
    """The text could be several moves. `readings` are their canonical texts."""

    def __init__(self, text: str, readings: tuple[str, ...]) -> None:
        super().__init__("ambiguous", text=text, readings=readings)
        self.text = text
        self.readings = readings


class IllegalMove(RulesError):  # noqa: N818
    """The rules forbid the move now. Its reason is one of the game's `reasons`."""


class BadOptions(RulesError):  # noqa: N818
    """A match can't be set up like this: an unknown option or choice, a wrong number of seats, a clash."""


class BadPosition(RulesError):  # noqa: N818
    """A position can't be loaded: an unknown key, a piece twice, more pieces than there are."""
