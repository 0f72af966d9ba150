"""Powers of the organiser of a running match. Their use is public, and the players concerned get an email."""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Outcome, Seat
from app.graphemes import cut
from app.play.clock import rules
from app.play.match import matches, notices, reading, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, keys, played_by_people
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import open_seat
from app.play.moves.commit import record
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store

MOST_DAYS = 30
"""Of all extensions of a match together."""
SILENT_AFTER = timedelta(days=7)
"""Without a clock: how long a player may leave a question open, absences not counted."""
CALLED_OFF = "called_off"


def extend(
    store: Store, viewer: Viewer, match_id: int, days: int, seat: Seat | None = None, *, seen: str
) -> bool:
    """Give a seat, or (None) every seat with a running clock, more days. False: this was done before.

    `seen` is the `deadline_marks` of the form, so that the same request sent six times is one extension. The
    seat is no longer late. All extensions of a match come to MOST_DAYS at most. Raises NotFound,
    Closed("over", "no_clock_runs", "moved_on"), Refused("not_organiser", "extend_days").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, own = _organised(connection, match_id, viewer)
        left = max(MOST_DAYS - snapshot.extended, 0)
        if not 1 <= days <= MOST_DAYS:
            raise Refused("extend_days", most=MOST_DAYS, left=left)
        once = f"extended:{seat or 'all'}:{days}:{seen[:400]}"
        if seen != deadline_marks(snapshot, now, seat):
            if notices.told_once(connection, match_id, once):
                return False
            raise Closed("moved_on", match_id=match_id)
        if days > left:
            raise Refused("extend_days", most=MOST_DAYS, left=left)
        matches.add_extension(connection, match_id, days)
        found = {
            one: question
            for one, question in turn_clocks.turns(snapshot).items()
            if seat in (None, one) and snapshot.holder(one).open_since is None
        }
        if not found:
            raise Closed("no_clock_runs", match_id=match_id)
        for one, question in found.items():
            allowed = turn_clocks.turn_left(snapshot, question, now) + timedelta(days=days)
            snapshot = turn_clocks.wind(connection, now, snapshot, one, allowed)
        others = [holder for holder in snapshot.holders if holder.seat in found and holder.seat != own]
        return announce(
            connection, now, match_id, "extended", once=once, to=others, seat=seat, by_seat=own, days=days
        )


def deadline_marks(snapshot: MatchSnapshot, now: datetime, seat: Seat | None = None) -> str:
    """A text that differs whenever a deadline, of the seat or (None) of any, has changed."""
    found = turn_clocks.deadlines(snapshot, now)
    return " ".join(one.mark for one in found if seat in (None, one.seat))


def call_off(store: Store, viewer: Viewer, match_id: int) -> bool:
    """End the match without a result, and write to everybody who ever played in it. False: it was ended so.

    Raises NotFound, Closed("over"), Refused("not_organiser").
    """
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)
        snapshot = reading.by_match(connection, match_id, viewer.token)
        if snapshot is not None and snapshot.called_off and snapshot.seat_of(viewer) is not None:
            return False
        snapshot, own = _organised(connection, match_id, viewer)
        announce(connection, now, match_id, CALLED_OFF, once=CALLED_OFF, by_seat=own)
        outcome = Outcome({}, {}, CALLED_OFF)
        record(connection, now, snapshot, [], snapshot.load(), None, source="house", outcome=outcome)
        return True


def open_silent_seat(store: Store, viewer: Viewer, match_id: int, seat: Seat) -> bool:
    """Let others take the seat of a silent player. False: they already can.

    Raises NotFound, Closed("over"), Refused("not_organiser", "own_seat", "nobodys_seat", "not_late",
    "not_silent").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, own = _organised(connection, match_id, viewer)
        if seat not in snapshot.seats:
            raise NotFound("match")
        holder = snapshot.holder(seat)
        if holder.open_since is not None:
            return False
        if seat == own:
            raise Refused("own_seat")
        if holder.player_id is None or holder.resigned:
            raise Refused("nobodys_seat", name=holder.name)
        if not is_silent(snapshot, seat, now):
            clocked = snapshot.rule.kind != "none"
            raise Refused("not_late" if clocked else "not_silent", name=holder.name, days=SILENT_AFTER.days)
        return open_seat(connection, now, snapshot, seat, own)


def is_silent(snapshot: MatchSnapshot, seat: Seat, now: datetime) -> bool:
    """Whether the seat is overdue; without a clock, whether its question is open for SILENT_AFTER."""
    if not snapshot.asked(seat):
        return False
    if snapshot.rule.kind == "none":
        asked = min(one.asked_at for one in snapshot.open if one.seat == seat and not one.optional)
        return rules.spent(asked, now, snapshot.calendar(seat)) >= SILENT_AFTER
    return any(
        one.late or one.overdue(now) for one in turn_clocks.deadlines(snapshot, now) if one.seat == seat
    )


def hand_over(store: Store, viewer: Viewer, match_id: int, seat: Seat) -> bool:
    """Make another player of the match its organiser. False: they are already.

    Raises NotFound, Closed("over"), Refused("not_organiser", "nobodys_seat").
    """
    now = clock.now()
    with store.transaction() as connection:
        snapshot, _ = held(connection, match_id, viewer)
        if seat == keys(snapshot):
            return False
        snapshot, own = _organised(connection, match_id, viewer)
        holder = next((one for one in played_by_people(snapshot) if one.seat == seat), None)
        if holder is None or holder.open_since is not None:
            raise Refused("nobodys_seat", name=cut(seat, 40))
        matches.set_organiser(connection, match_id, holder.player_id)
        once = f"organiser:{now.isoformat()}:{seat}"
        return announce(
            connection, now, match_id, "organiser", once=once, to=[holder], seat=seat, by_seat=own
        )


def _organised(connection: Connection, match_id: int, viewer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The running match, locked, and the seat of the viewer, its organiser. Raises as `held`, Refused."""
    snapshot, seat = held(connection, match_id, viewer)
    if seat != keys(snapshot):
        raise Refused("not_organiser")
    return snapshot, seat
