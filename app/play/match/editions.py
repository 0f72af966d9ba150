"""The rules that a stored match is played by: those of its own edition."""

import logging

import msgspec

from app import games
from app.engine import codec
from app.engine.game import Game, Options, Record
from app.play.match.records import Closed

log = logging.getLogger(__name__)

MOST_SAID = 1000
_said: set[int] = set()
"""The matches of which the log of this process has spoken."""


def rules_of(slug: str, edition: int) -> Game:
    """The rules of a stored match. Raises Closed("no_rules") if this server doesn't have them."""
    try:
        return games.rules_of(slug, edition)
    except games.UnknownRules as unknown:
        raise Closed("no_rules", game=unknown.slug, edition=unknown.edition) from None


def waits_for_rules(match_id: int, error: Exception) -> bool:
    """Whether an error says that the rules of a match are missing. The log says so once for each match."""
    if not isinstance(error, Closed) or error.reason != "no_rules":
        return False
    if match_id not in _said and len(_said) < MOST_SAID:
        _said.add(match_id)
        log.warning(
            "match %s stands still: this server lacks edition %s of the rules of %s",
            match_id,
            error.facts["edition"],
            error.facts["game"],
        )
    return True


def known(slug: str, edition: int) -> bool:
    """Whether this server has the rules of a stored match: lists leave out the others."""
    return any(game.edition == edition for game in games.editions().get(slug, ()))


def upgraded(newer: Game, edition: int, state: Record) -> Record | None:
    """A state of an older edition as one of the newer, or None if the game can't convert it."""
    stored = newer.upgrade(edition, msgspec.json.decode(codec.dumps(state)))
    return None if stored is None else codec.load_state(newer, codec.dumps(stored))


def carried_options(newer: Game, seats: int, before: Options) -> dict[str, str]:
    """The options of a match that goes on by newer rules: those it had, and the usual ones of new options."""
    known = {one.name: before[one.name] for one in newer.options if one.name in before}
    return {**newer.complete_options(seats, known), **before}
