"""The letters that were sent to a player, in words: for their page and for their programs."""

import msgspec

from app import games, narrate
from app.mail.policy.history import Line

LAST = 1000
"""The farthest page of letters."""


class SentLetter(msgspec.Struct, frozen=True):
    """A letter in the list, in words."""

    line: Line
    kind: str
    title: str
    """Of its match; empty if it is about none."""
    reason: str
    """Why it was not sent; empty if there is nothing to say."""


def sent_letter(line: Line, spoken: str) -> SentLetter:
    """A letter of the list, in the words of a language."""
    game = games.all_games().get(line.game or "")
    reason = ""
    if line.reason and line.kind != line.reason:
        reason = _words(spoken, f"why_{line.reason}") or _words(spoken, "why_other")
    return SentLetter(
        line,
        _words(spoken, f"kind_{line.kind}") or line.kind,
        narrate.match_name(game, spoken, line.match_id) if game is not None and line.match_id else "",
        reason,
    )


def _words(spoken: str, name: str) -> str:
    """The site's words by name; empty if there are none."""
    return narrate.say(narrate.SITE, spoken, name) if narrate.has_words(narrate.SITE, spoken, name) else ""
