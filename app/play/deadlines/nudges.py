"""Nudges: a reminder from the other players, at most once a day, to a player whose turn it is."""

from datetime import timedelta

from app import clock
from app.engine.game import Seat
from app.play.match import chairs
from app.play.match.locking import held
from app.play.match.records import Closed, NotFound, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.store.outbox import enqueue
from app.store.session import Store

EVERY = timedelta(days=1)


def nudge(store: Store, viewer: Viewer, match_id: int, seat: Seat) -> bool:
    """Send a reminder to the player of another seat. False: they were nudged within a day; nothing is sent.

    Raises NotFound, Closed("over", "not_waited_for").
    """
    with store.statements() as connection:
        snapshot, own = held(connection, match_id, viewer)
        if seat not in snapshot.seats:
            raise NotFound("match")
        if not may_nudge(snapshot, own, seat):
            raise Closed("not_waited_for", match_id=match_id)
        holder, now = snapshot.holder(seat), clock.now()
        if not chairs.nudge(connection, now, holder.chair_id, now - EVERY):
            return False
        turn = next(one.turn for one in snapshot.open if one.seat == seat and not one.optional)
        once = f"nudge:{holder.chair_id}:{now.isoformat()}"
        letter = holder.letter(match_id, "nudge", once, turn=turn, by_seat=own)
        return enqueue(connection, now, letter) == 1


def may_nudge(snapshot: MatchSnapshot, own: Seat, seat: Seat) -> bool:
    """Whether the player of one seat may nudge another: a person whose turn it is and whose clock runs."""
    holder = snapshot.holder(seat)
    if seat == own or snapshot.holder(own).resigned or holder.player_id is None or holder.automated:
        return False
    return snapshot.asked(seat) and not snapshot.stopped(seat, clock.now())
