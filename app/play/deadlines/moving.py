"""A match goes on on another server: here it stands still, with a line in its log, until it is brought back.

Its page stays, and shows each viewer what it showed before: the match is not over, and nothing is revealed.
"""

from datetime import datetime

from app import clock
from app.play.deadlines import pauses
from app.play.match import matches, questions, reading
from app.play.match.announce import announce
from app.play.match.locking import played_by_people
from app.play.match.records import NotFound
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import end_offers
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store, wake_after_commit
from app.store.sql import is_key

MOVED, BACK = "moved", "moved_back"
"""The notices of both."""


def leave(connection: Connection, now: datetime, match: MatchSnapshot, where: str) -> None:
    """Close a held match that runs: nobody can move any more, and everybody is told by email.

    `where`: the address of the other server, or empty.
    """
    for one in match.holders:
        if one.open_since is not None:
            end_offers(connection, now, match.match_id, one.seat)
    left = matches.leave(connection, match.match_id)
    assert left, "the match is held"
    questions.close_all(connection, now, match.match_id)
    once = f"{MOVED}:{now.isoformat()}"
    announce(connection, now, match.match_id, MOVED, once=once, to=played_by_people(match), where=where)


def bring_back(store: Store, match_id: int, why: str = "") -> bool:
    """Let a match that was moved away go on here as it was, with the same links; a clock stands still.

    False: it was not moved. Raises NotFound.
    """
    now = clock.now()
    with store.transaction() as connection:
        if not is_key(match_id) or matches.rules_named(connection, match_id) is None:
            raise NotFound("match")
        hold_match(connection, match_id)
        if not matches.come_back(connection, match_id):
            return False
        match = reading.by_match(connection, match_id)
        assert match is not None
        questions.reopen(connection, match_id, match.game.asking(match.load()))
        pauses.look_again(connection, now, match)
        once = f"{BACK}:{now.isoformat()}"
        people = played_by_people(match)
        announce(connection, now, match_id, BACK, once=once, to=people, paused=match.paused)
        audit.keep(connection, now, "matches bring-back", f"match {match_id}", why)
        wake_after_commit(connection)
    return True
