"""Nudges: a reminder from the other players to a player whose turn it is, at most one a day over all games.

They come after a part of the time has gone and after the email that asks. A nudge by a person that the player
has muted is kept and not sent; who sent it sees no difference.
"""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Seat
from app.play.clock import rules
from app.play.match import turn_clocks
from app.play.match.locking import held
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, OpenQuestion
from app.store import outbox
from app.store.locks import hold_counter
from app.store.outbox import enqueue
from app.store.session import Store

EVERY = timedelta(days=1)
SHARE = 0.25
"""The part of a turn's time that must have gone."""
WITHOUT_CLOCK = timedelta(days=1)
"""How long a turn without a time limit must have waited."""


def nudge(store: Store, viewer: Viewer, match_id: int, seat: Seat) -> bool:
    """Send a reminder to the player of another seat. False: they were nudged within a day; nothing is sent.

    Raises NotFound, Closed("over", "not_waited_for"), Refused("nudge_early", "nudge_unasked").
    """
    with store.statements() as connection:
        snapshot, own = held(connection, match_id, viewer)
        if seat not in snapshot.seats:
            raise NotFound("match")
        if not may_nudge(snapshot, own, seat):
            raise Closed("not_waited_for", match_id=match_id)
        holder, now = snapshot.holder(seat), clock.now()
        assert holder.player_id is not None
        hold_counter(connection, f"nudge:{holder.player_id}")
        if outbox.nudged_since(connection, holder.player_id, match_id, own, now - EVERY):
            return False
        question = next(one for one in snapshot.open if one.seat == seat and not one.optional)
        early = time_until(snapshot, question, now)
        if early > timedelta():
            raise Refused("nudge_early", name=holder.name, wait=early.total_seconds())
        if outbox.asking_waits(connection, match_id, holder.player_id, question.turn):
            raise Refused("nudge_unasked", name=holder.name)
        once = f"nudge:{holder.chair_id}:{own}:{now.isoformat()}"
        letter = holder.letter(match_id, "nudge", once, turn=question.turn, by_seat=own)
        return enqueue(connection, now, letter) == 1


def may_nudge(snapshot: MatchSnapshot, own: Seat, seat: Seat) -> bool:
    """Whether the player of one seat may nudge another: a person whose turn it is and whose clock runs."""
    holder = snapshot.holder(seat)
    if seat == own or snapshot.holder(own).resigned or holder.player_id is None or holder.automated:
        return False
    return snapshot.asked(seat) and not snapshot.stopped(seat, clock.now())


def time_until(snapshot: MatchSnapshot, question: OpenQuestion, now: datetime) -> timedelta:
    """How much counted time must still pass before the player can be nudged; none if they can be now."""
    time = question.time
    if time.late_at is not None:
        return timedelta()
    if time.begun_at is None:
        waited = rules.spent(question.asked_at, now, snapshot.calendar(question.seat))
        return max(WITHOUT_CLOCK - waited, timedelta())
    gone = time.span - turn_clocks.left_of(snapshot, question, now)
    return max(time.span * SHARE - gone, timedelta())
