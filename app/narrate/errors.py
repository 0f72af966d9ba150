"""Refusals in words."""

import re
from collections.abc import Mapping
from typing import Any

from app.engine.errors import AmbiguousMove, RulesError, UnreadableMove
from app.engine.game import Game
from app.graphemes import cut
from app.narrate.words import SITE, game_folder, has_words, say, snake_case
from app.play.match.records import SiteError

MOST_READINGS = 8
LONGEST = 160
"""Characters of a typed line that a refusal repeats."""
_DIRECTIONS = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Direction marks. In a quoted move they would reverse the rest of the sentence."""


def refusal(game: Game | None, language: str, error: RulesError | SiteError) -> str:
    """The reason of a refusal. Raises LookupError for a game's reason when `game` is None."""
    if isinstance(error, SiteError):
        worded = has_words(SITE, language, f"refusal_{error.reason}")
        reason = error.reason if worded else snake_case(type(error))
        return say(SITE, language, f"refusal_{reason}", _plain(error.facts))
    if isinstance(error, UnreadableMove):
        text, at = (_DIRECTIONS.sub("", one) for one in (error.text, error.at))
        return say(SITE, language, "unreadable", UnreadableMove(text, at, error.nearest))
    if isinstance(error, AmbiguousMove):
        return say(SITE, language, "ambiguous", error, error.readings[:MOST_READINGS])
    if game is None:
        raise LookupError(error.reason)
    return say(game_folder(game), language, f"refused_{error.reason}", _shortened(error.facts))


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without marks of direction in what was typed."""
    return {
        name: _DIRECTIONS.sub("", fact) if isinstance(fact, str) else fact for name, fact in facts.items()
    }


def _shortened(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with long texts cut: a refusal repeats only the beginning of what was typed."""
    return {
        name: cut(_DIRECTIONS.sub("", fact), LONGEST, "…") if isinstance(fact, str) else fact
        for name, fact in facts.items()
    }
