"""Time given back to a player who could not be asked, as emails to them are refused by no fault of theirs."""

from datetime import datetime, timedelta

from app.play.clock import rules
from app.play.clock.rules import NO_TIME
from app.play.match import chairs, notices, reading, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import keys
from app.play.match.snapshot import MatchSnapshot, OpenQuestion
from app.store.connection import Connection

MOST = timedelta(days=7)
"""Of one player in one match: after that the clock goes on, so that the others need not wait for ever."""
LEAST = timedelta(hours=1)
"""The time given at a deadline while the email that asks the player can't be delivered."""

TOLD_EVERY = timedelta(days=1)
"""Between two emails to the host of a match about players that emails don't reach."""


def give_back(
    connection: Connection,
    now: datetime,
    snapshot: MatchSnapshot,
    question: OpenQuestion,
    since: datetime,
    *,
    still: bool,
) -> bool:
    """Give back the time of a turn since its email could not be delivered. False: there is none to give.

    Time that was given back before is not given again. `still`: it can't be delivered now either, so the log
    and, once in TOLD_EVERY, an email tell the host, who can do something about it.
    """
    seat, holder = question.seat, snapshot.holder(question.seat)
    assert question.time.begun_at is not None
    since = max(since, holder.credited_until or since)
    calendar = snapshot.calendar(seat).counting(question.time.span)
    lost = max(rules.spent(since, now, calendar), LEAST if still else NO_TIME)
    given = min(lost, MOST - timedelta(seconds=holder.credited))
    if given <= NO_TIME:
        return False
    chairs.credit(connection, holder.chair_id, given.total_seconds(), now)
    turn_clocks.give(connection, now, snapshot, seat, given)
    if still:
        fresh = reading.by_match(connection, snapshot.match_id)
        assert fresh is not None
        host = [one for one in snapshot.holders if one.seat == keys(snapshot) != seat]
        lately = notices.count_since(connection, snapshot.match_id, "not_reached", now - TOLD_EVERY)
        announce(
            connection,
            now,
            snapshot.match_id,
            "not_reached",
            once=f"not_reached:{holder.chair_id}:{now.isoformat()}",
            to=[] if lately else host,
            seat=seat,
            until=turn_clocks.due_of(fresh, turn_clocks.turns(fresh)[seat]),
            left=(MOST - timedelta(seconds=holder.credited) - given).total_seconds(),
        )
    return True
