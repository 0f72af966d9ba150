"""A word to one who is waited for: from all the others once a day, and never to one who owes nothing."""

from datetime import timedelta

from app import clock
from app.engine.game import Seat
from app.play.match.locking import held
from app.play.match.records import Closed, NotFound, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.store.outbox import enqueue
from app.store.session import Store
from app.store.statement import Statement, stored

EVERY = timedelta(days=1)

_nudge = Statement("UPDATE chair SET nudged_at = ? WHERE id = ? AND (nudged_at IS NULL OR nudged_at <= ?)")


def nudge(store: Store, bearer: Viewer, match_id: int, seat: Seat) -> bool:
    """Remind the player of another seat by letter. False: somebody did within the last day; no letter then.

    Raises NotFound, Closed("over", "not_waited_for").
    """
    with store.statements() as connection:
        standing, mine = held(connection, match_id, bearer)
        place = next((place for place in standing.places if place.seat == seat), None)
        if place is None:
            raise NotFound("match")
        if not may_nudge(standing, mine, seat):
            raise Closed("not_waited_for", match_id=match_id)
        now = clock.now()
        at, before = stored(connection, now), stored(connection, now - EVERY)
        if _nudge.run(connection, at, place.chair_id, before) != 1:
            return False
        run = next(one.run for one in standing.open if one.seat == seat and not one.optional)
        once = f"nudge:{place.chair_id}:{now.isoformat()}"
        return enqueue(connection, now, place.letter(match_id, "nudge", once, run=run, by_seat=mine)) == 1


def may_nudge(standing: MatchSnapshot, mine: Seat, seat: Seat) -> bool:
    """Somebody plays the seat who could act now and is waited for."""
    place = standing.place(seat)
    if seat == mine or standing.place(mine).resigned or place.player_id is None or place.unmanned:
        return False
    if not standing.asked(seat):
        return False
    return not standing.stopped(seat, clock.now())
