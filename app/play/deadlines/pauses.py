"""Pauses: the clocks of a match stand still once all players agree, until any of them or time ends it."""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Seat
from app.play.clock import pausing, rules
from app.play.clock.rules import Calendar, Stop
from app.play.match import chairs, matches, notices, reading, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, keys, played_by_people
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store

DAY = timedelta(days=1)
MOST_A_DAY = 3
"""Pauses of a match that begin within a day."""


def request(store: Store, viewer: Viewer, match_id: int) -> bool:
    """Request a pause of all clocks. Returns whether they stand still now, because all agree.

    The agreement of `voters` is needed; bots agree to everything. Twice is once. Moves can be made during a
    pause. Raises NotFound, Closed("over", "resigned"), Refused("no_clock", "too_often").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, seat = held(connection, match_id, viewer)
        holder = snapshot.holder(seat)
        if snapshot.rule.kind == "none":
            raise Refused("no_clock")
        if holder.resigned:
            raise Closed("resigned", match_id=match_id)
        if snapshot.paused:
            return True
        # A player who is overdue isn't asked, and gets an email of each pause and of its end.
        if notices.count_since(connection, match_id, "paused", now - DAY) >= MOST_A_DAY:
            raise Refused("too_often", most=MOST_A_DAY)
        if not holder.pause_wanted:
            chairs.want_pause(connection, holder.chair_id, now)
            notices.touch(connection, match_id)
        if all(one.pause_wanted or one.seat == seat for one in voters(snapshot, now)):
            _pause(connection, now, snapshot, seat)
            return True
        once = f"pause_wanted:{holder.chair_id}:{snapshot.ply}"
        others = [one for one in voters(snapshot, now) if one.seat != seat and not one.pause_wanted]
        told = announce(connection, now, match_id, "pause_wanted", once=once, to=others, seat=seat)
        if not told and not holder.pause_wanted:  # a repeated request is logged, without another letter
            notices.tell(connection, now, match_id, "pause_wanted", seat=seat)
        return False


def withdraw_request(store: Store, viewer: Viewer, match_id: int) -> None:
    """Withdraw the request; the log shows it. A pause goes on. Raises NotFound, Closed("over")."""
    now = clock.now()
    with store.transaction() as connection:
        snapshot, seat = held(connection, match_id, viewer)
        if snapshot.holder(seat).pause_wanted:
            chairs.want_pause(connection, snapshot.holder(seat).chair_id, None)
            notices.tell(connection, now, match_id, "pause_unwanted", seat=seat)


def resume(store: Store, viewer: Viewer, match_id: int) -> bool:
    """End the pause: each clock goes on with the time it had left. False: there was none.

    Raises NotFound, Closed("over", "resigned").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, seat = held(connection, match_id, viewer)
        if snapshot.holder(seat).resigned:
            raise Closed("resigned", match_id=match_id)
        if not snapshot.paused:
            return False
        _end(connection, now, snapshot)
        others = [one for one in played_by_people(snapshot) if one.seat != seat]
        once = f"resumed:{now.isoformat()}"
        announce(connection, now, match_id, "resumed", once=once, to=others, by_seat=seat)
        return True


def end(store: Store, viewer: Viewer, match_id: int) -> None:
    """As `resume`, but without a pause it raises Closed("not_paused")."""
    if not resume(store, viewer, match_id):
        raise Closed("not_paused", match_id=match_id)


def start_if_agreed(connection: Connection, now: datetime, match_id: int) -> bool:
    """Start a pause that lacked only the agreement of a player who is overdue now, or has left."""
    snapshot = reading.by_match(connection, match_id)
    if snapshot is None or not snapshot.running or snapshot.paused:
        return False
    needed = voters(snapshot, now)
    if not needed or not all(one.pause_wanted for one in needed):
        return False
    _pause(connection, now, snapshot, None)
    return True


def look_after(store: Store, match_id: int) -> None:
    """Ask the players whether their pause is to go on, if it is time for that, or end it.

    They are asked every three weeks, and told when it ends by itself: after ninety days, in which time that
    all clocks stood still doesn't count, but not within days of the first question.
    """
    with store.statements() as connection:
        now = clock.now()
        hold_match(connection, match_id)
        snapshot = reading.by_match(connection, match_id)
        since = None if snapshot is None or not snapshot.running else snapshot.paused_since
        if snapshot is None or since is None:
            matches.look_at_pause(connection, match_id, None, None)
            return
        calendar, asked = _calendar(snapshot), snapshot.pause_asked_at
        until, ask = pausing.ends(since, asked, calendar), pausing.asks(since, asked, calendar)
        people = played_by_people(snapshot)
        if asked is not None and until is not None and until <= now:
            _end(connection, now, snapshot)
            once = f"pause_ended:{since.isoformat()}"
            announce(connection, now, match_id, "pause_ended", once=once, to=people)
            return
        if ask is not None and ask <= now:
            asked, until = now, pausing.ends(since, now, calendar)
            once = f"still_paused:{now.isoformat()}"
            weeks = rules.spent(since, now, calendar) // timedelta(days=7)
            announce(
                connection, now, match_id, "still_paused", once=once, to=people, until=until, weeks=weeks
            )
        ahead = (pausing.asks(since, asked, calendar), until)
        matches.look_at_pause(connection, match_id, min((at for at in ahead if at), default=None), asked)


def look_again(connection: Connection, now: datetime, snapshot: MatchSnapshot) -> None:
    """Let the sweep look at the match's pause again, if it is paused."""
    if snapshot.paused:
        matches.look_at_pause(connection, snapshot.match_id, now, snapshot.pause_asked_at)


def ends(snapshot: MatchSnapshot) -> datetime | None:
    """When the match's pause ends by itself; None: it is not paused, or stands still with no end known."""
    since = snapshot.paused_since
    return None if since is None else pausing.ends(since, snapshot.pause_asked_at, _calendar(snapshot))


def _calendar(snapshot: MatchSnapshot) -> Calendar:
    """The calendar of a pause: days of its host, in which all clocks don't stand still."""
    host = keys(snapshot)
    return Calendar("UTC" if host is None else snapshot.holder(host).zone, stops=snapshot.standstills)


def _end(connection: Connection, now: datetime, snapshot: MatchSnapshot) -> None:
    ended = tuple(
        stop if stop.ends is not None else Stop(stop.begins, now)
        for stop in snapshot.pauses
        if stop.ends is not None or stop.begins < now
    )
    matches.look_at_pause(connection, snapshot.match_id, None, None)
    _store_pauses(connection, now, snapshot.match_id, ended)


def voters(snapshot: MatchSnapshot, now: datetime) -> tuple[SeatHolder, ...]:
    """The seats that must agree to a pause: played by people and not overdue, unless all are."""
    people = played_by_people(snapshot)
    late = {one.seat for one in turn_clocks.deadlines(snapshot, now) if one.late or one.overdue(now)}
    return tuple(one for one in people if one.seat not in late and one.open_since is None) or people


def stand_still(connection: Connection, now: datetime, snapshot: MatchSnapshot) -> None:
    """Begin a pause that nobody is told of, unless the match is paused or has no clock."""
    if snapshot.rule.kind == "none" or snapshot.paused:
        return
    chairs.end_pause_wishes(connection, snapshot.match_id)
    _store_pauses(connection, now, snapshot.match_id, (*snapshot.pauses, Stop(now)))
    first = pausing.asks(now, None, _calendar(snapshot))
    matches.look_at_pause(connection, snapshot.match_id, first or now + pausing.ASK_EVERY, None)


def _pause(connection: Connection, now: datetime, snapshot: MatchSnapshot, by: Seat | None) -> None:
    stand_still(connection, now, snapshot)
    others = [one for one in played_by_people(snapshot) if one.seat != by]
    once = f"paused:{now.isoformat()}"
    announce(connection, now, snapshot.match_id, "paused", once=once, to=others, by_seat=by)


def _store_pauses(connection: Connection, now: datetime, match_id: int, pauses: tuple[Stop, ...]) -> None:
    """Store the pauses and announce the changed deadlines."""
    matches.set_pauses(connection, match_id, pauses)
    snapshot = reading.by_match(connection, match_id)
    assert snapshot is not None
    turn_clocks.rearm(connection, now, snapshot)
