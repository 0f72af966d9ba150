"""A cache of what follows from stored text alone: states, their open decisions, and the events of the log.

Records are immutable and the rules are pure, so entries never become stale. The same state is needed for the
page after a move, for the other seats' pages and for the emails.
"""

import hashlib
from functools import lru_cache

from app import games
from app.engine import codec
from app.engine.game import Addressed, Decision, Record
from app.play.match.editions import rules_of


@lru_cache(maxsize=512)
def state(slug: str, edition: int, text: str) -> Record:
    """The state in a snapshot. Raises Closed("no_rules")."""
    return codec.load_state(rules_of(slug, edition), text)


@lru_cache(maxsize=512)
def asked(slug: str, edition: int, text: str) -> tuple[tuple[Decision, str], ...]:
    """The open decisions of a snapshot's state, each with its fingerprint. Raises Closed("no_rules")."""
    decisions = rules_of(slug, edition).decisions(state(slug, edition, text))
    return tuple((decision, fingerprint(decision)) for decision in decisions)


@lru_cache(maxsize=8192)
def told(slug: str, text: str) -> tuple[Addressed, ...]:
    """The events of a log entry, whichever edition wrote it."""
    return codec.load_told(games.event_types(slug), text)


def fingerprint(decision: Decision) -> str:
    """A hash of the kind of question, what it is about, and the options: equal for equal questions."""
    text = codec.dumps((decision.asks, decision.about, decision.options))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
