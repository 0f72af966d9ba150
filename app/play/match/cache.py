"""What follows from stored text alone, kept for a while: states, what they ask, and what was told.

Records are immutable and the rules are pure, so what was once worked out stays right. The same state is
asked for again by the page after the move, by the pages of the other seats and by the letters.
"""

import hashlib
from functools import lru_cache

from app import games
from app.engine import codec
from app.engine.game import Addressed, Decision, Record


@lru_cache(maxsize=512)
def state(slug: str, text: str) -> Record:
    """The state in a snapshot."""
    return codec.load_state(games.all_games()[slug], text)


@lru_cache(maxsize=512)
def asked(slug: str, text: str) -> tuple[tuple[Decision, str], ...]:
    """The decisions that a snapshot's state leaves open, each with its fingerprint."""
    decisions = games.all_games()[slug].decisions(state(slug, text))
    return tuple((decision, fingerprint(decision)) for decision in decisions)


@lru_cache(maxsize=8192)
def told(slug: str, text: str) -> tuple[Addressed, ...]:
    """What an entry of the log told."""
    return codec.load_told(games.event_types(slug), text)


def fingerprint(decision: Decision) -> str:
    """Equal for questions that are the same: what is asked, about what, and the answers offered."""
    text = codec.dumps((decision.asks, decision.about, decision.options))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
