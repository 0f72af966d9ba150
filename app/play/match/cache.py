"""A cache of what follows from stored text alone: states, their open decisions, and the events of the log.

Records are immutable and the rules are pure, so entries never become stale. The same state is needed for the
page after a move, for the other seats' pages and for the emails.
"""

from collections import OrderedDict
from functools import lru_cache
from threading import Lock

from app import games
from app.engine import codec
from app.engine.game import Addressed, Decision, Record
from app.play.match.editions import rules_of

MOST = 512
"""States that are kept."""

_Key = tuple[str, int, str]
_states: OrderedDict[_Key, Record] = OrderedDict()
_lock = Lock()


def state(slug: str, edition: int, text: str) -> Record:
    """The state in a snapshot. Raises Closed("no_rules")."""
    key = (slug, edition, text)
    with _lock:
        found = _states.get(key)
        if found is not None:
            _states.move_to_end(key)
            return found
    return keep(slug, edition, text, codec.load_state(rules_of(slug, edition), text))


def keep(slug: str, edition: int, text: str, known: Record) -> Record:
    """Keep the state whose text this is, so that it is not read back; returns it."""
    with _lock:
        _states[slug, edition, text] = known
        if len(_states) > MOST:
            _states.popitem(last=False)
    return known


@lru_cache(maxsize=512)
def decisions(slug: str, edition: int, text: str) -> tuple[Decision, ...]:
    """The open decisions of a snapshot's state. Raises Closed("no_rules")."""
    return rules_of(slug, edition).decisions(state(slug, edition, text))


@lru_cache(maxsize=8192)
def told(slug: str, text: str) -> tuple[Addressed, ...]:
    """The events of a log entry, whichever edition wrote it."""
    return codec.load_told(games.event_types(slug), text)
