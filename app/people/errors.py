"""The ways in which the house says no. Facts, no sentences: the catalogue has a macro for each reason."""

from typing import Any


class SiteError(Exception):
    """The house cannot do what was asked. `reason` names the sentence in the catalogue, `facts` fill it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(f"{reason} {facts}" if facts else reason)
        self.reason = reason
        self.facts = facts


class NotFound(SiteError):  # noqa: N818
    """No such match, invitation or token, or not for this bearer: one answer for all. Page: 404."""


class Closed(SiteError):  # noqa: N818
    """The question was answered otherwise, the turn is over, the match is over. Page: 409, the text kept."""


class Refused(SiteError):  # noqa: N818
    """What was given cannot be used: an address, a name, a word. Page: 422, the form kept."""
