"""A pause: the clocks of a match stand still when all agree, until anybody who plays there ends it."""

from datetime import datetime

from app import clock
from app.engine import codec
from app.engine.game import Seat
from app.play.clock.rules import Stop
from app.play.match import notices, reading, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, played_by_people
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.session import Store
from app.store.statement import Statement, Wire, stored

_want = Statement("UPDATE chair SET pause_wanted_at = ? WHERE id = ?")
_settle = Statement("UPDATE chair SET pause_wanted_at = NULL WHERE match_id = ? AND until IS NULL")
_stop = Statement('UPDATE "match" SET stops = ? WHERE id = ?')


def request(store: Store, bearer: Viewer, match_id: int) -> bool:
    """Ask for a pause of all clocks; whether they stand still now, because all agree.

    Asked are the people who play and are not overdue; the computer agrees to everything. Twice is once.
    Moves may be made meanwhile. Raises NotFound, Closed("over", "resigned"), Refused("no_clock").
    """
    now = clock.now()
    with store.transaction() as connection:
        standing, seat = held(connection, match_id, bearer)
        place = standing.place(seat)
        if standing.rule.kind == "none":
            raise Refused("no_clock")
        if place.resigned:
            raise Closed("resigned", match_id=match_id)
        if standing.paused:
            return True
        if not place.pause_wanted:
            _want.run(connection, stored(connection, now), place.chair_id)
            notices.touch(connection, match_id)
        if all(one.pause_wanted or one.seat == seat for one in deciding(standing, now)):
            _pause(connection, now, standing, seat)
            return True
        once = f"pause_wanted:{place.chair_id}:{standing.ply}"
        others = [one for one in deciding(standing, now) if one.seat != seat and not one.pause_wanted]
        told = announce(connection, now, match_id, "pause_wanted", once=once, to=others, seat=seat)
        if not told and not place.pause_wanted:  # withdrawn and asked for anew: the log says so, no letter
            notices.tell(connection, now, match_id, "pause_wanted", seat=seat)
        return False


def withdraw_request(store: Store, bearer: Viewer, match_id: int) -> None:
    """Withdraw the wish; the log says so. It does not end a pause. Raises NotFound, Closed("over")."""
    now = clock.now()
    with store.transaction() as connection:
        standing, seat = held(connection, match_id, bearer)
        if standing.place(seat).pause_wanted:
            _want.run(connection, None, standing.place(seat).chair_id)
            notices.tell(connection, now, match_id, "pause_unwanted", seat=seat)


def resume(store: Store, bearer: Viewer, match_id: int) -> bool:
    """End the pause: each clock goes on with what was left. False: there was none.

    Raises NotFound, Closed("over", "resigned").
    """
    now = clock.now()
    with store.transaction() as connection:
        standing, seat = held(connection, match_id, bearer)
        if standing.place(seat).resigned:
            raise Closed("resigned", match_id=match_id)
        if not standing.paused:
            return False
        ended = tuple(
            stop if stop.ends is not None else Stop(stop.begins, now)
            for stop in standing.pauses
            if stop.ends is not None or stop.begins < now
        )
        _put(connection, now, match_id, ended)
        others = [one for one in played_by_people(standing) if one.seat != seat]
        once = f"resumed:{now.isoformat()}"
        announce(connection, now, match_id, "resumed", once=once, to=others, by_seat=seat)
        return True


def start_if_agreed(connection: Wire, now: datetime, match_id: int) -> bool:
    """Begin the pause for which only the consent of somebody was missing who is overdue now, or has left."""
    standing = reading.by_match(connection, match_id)
    if standing is None or not standing.running or standing.paused:
        return False
    people = deciding(standing, now)
    if not people or not all(one.pause_wanted for one in people):
        return False
    _pause(connection, now, standing, None)
    return True


def deciding(standing: MatchSnapshot, now: datetime) -> tuple[SeatHolder, ...]:
    """The seats whose wish counts: played by people, and not overdue unless all are."""
    people = played_by_people(standing)
    late = {one.seat for one in turn_clocks.deadlines(standing, now) if one.late or one.overdue(now)}
    return tuple(one for one in people if one.seat not in late and one.open_since is None) or people


def _pause(connection: Wire, now: datetime, standing: MatchSnapshot, by: Seat | None) -> None:
    _settle.run(connection, standing.match_id)
    _put(connection, now, standing.match_id, (*standing.pauses, Stop(now)))
    others = [one for one in played_by_people(standing) if one.seat != by]
    once = f"paused:{now.isoformat()}"
    announce(connection, now, standing.match_id, "paused", once=once, to=others, by_seat=by)


def _put(connection: Wire, now: datetime, match_id: int, pauses: tuple[Stop, ...]) -> None:
    """Keep the pauses, and announce the deadlines anew."""
    _stop.run(connection, codec.dumps(pauses), match_id)
    standing = reading.by_match(connection, match_id)
    assert standing is not None
    turn_clocks.rearm(connection, now, standing)
