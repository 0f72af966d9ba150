"""Errors of the site. They carry facts, not sentences: the catalogue has a macro for each reason."""

from typing import Any


class SiteError(Exception):
    """The request cannot be met. `reason` names the sentence in the catalogue, `facts` fill it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(f"{reason} {facts}" if facts else reason)
        self.reason = reason
        self.facts = facts


class NotFound(SiteError):  # noqa: N818
    """No such match, invitation or token, or not for this viewer: the same answer for all. Page: 404."""


class Closed(SiteError):  # noqa: N818
    """The question was answered differently, or the turn or match is over. Page: 409, the text kept."""


class Refused(SiteError):  # noqa: N818
    """The input cannot be used: an address, a name, a word. Page: 422, the form kept."""


LATER = frozenset(
    {
        "too_often",
        "said_too_often",
        "reported_too_often",
        "confirm_often",
        "sent_again_enough",
        "invited_enough",
        "sent_lately",
        "nudge_early",
        "picture_later",
        "hook_soon",
    }
)
"""Reasons of refusals that say only to wait. Page: 429."""
