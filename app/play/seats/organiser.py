"""What the organiser of a running match may do. All of it is public, and who is concerned hears of it."""

from datetime import datetime, timedelta

from app import clock
from app.engine.game import Outcome, Seat
from app.play.clock import rules
from app.play.match import reading, turn_clocks
from app.play.match.announce import announce
from app.play.match.locking import held, hold, keys, played_by_people
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import open_seat
from app.play.moves.commit import record
from app.store.session import Store
from app.store.statement import Statement, Wire

MOST_DAYS = 30
SILENT_AFTER = timedelta(days=7)
"""Without a clock: so long after he was asked, a player's seat may be opened; days away do not count."""
CALLED_OFF = "called_off"

_known = Statement("SELECT 1 FROM notice WHERE once = ?")
_organiser = Statement('UPDATE "match" SET organiser_id = ? WHERE id = ?')


def extend(
    store: Store, bearer: Viewer, match_id: int, days: int, seat: Seat | None = None, *, seen: str
) -> bool:
    """Give a seat, or (None) all whose clocks run, so many days more. False: this was done already.

    `seen` is the `deadline_marks` of the form, so that the same request sent six times is one extension. The
    seat is no longer late. Raises NotFound, Closed("over", "no_clock_runs", "moved_on"),
    Refused("not_organiser", "extend_days").
    """
    if not 1 <= days <= MOST_DAYS:
        raise Refused("extend_days", most=MOST_DAYS)
    now = clock.now()
    with store.transaction() as connection:
        standing, mine = _keyed(connection, match_id, bearer)
        once = f"extended:{seat or 'all'}:{days}:{seen[:400]}"
        if seen != deadline_marks(standing, now, seat):
            if _known.fetch(connection, f"{match_id}:{once}"):
                return False
            raise Closed("moved_on", match_id=match_id)
        found = {
            one: runs
            for one, runs in turn_clocks.runs(standing).items()
            if seat in (None, one) and standing.place(one).open_since is None
        }
        if not found:
            raise Closed("no_clock_runs", match_id=match_id)
        for one, question in found.items():
            left = turn_clocks.turn_left(standing, question, now)
            standing = turn_clocks.wind(connection, now, standing, one, left + timedelta(days=days))
        concerned = [place for place in standing.places if place.seat in found and place.seat != mine]
        return announce(
            connection,
            now,
            match_id,
            "extended",
            once=once,
            to=concerned,
            seat=seat,
            by_seat=mine,
            days=days,
        )


def deadline_marks(standing: MatchSnapshot, now: datetime, seat: Seat | None = None) -> str:
    """What a form keeps of the deadlines that it shows: other marks, other deadlines."""
    found = turn_clocks.deadlines(standing, now)
    return " ".join(one.mark for one in found if seat in (None, one.seat))


def call_off(store: Store, bearer: Viewer, match_id: int) -> bool:
    """End the match without a result; everybody who ever played there is told. False: it was called off.

    Raises NotFound, Closed("over"), Refused("not_organiser").
    """
    now = clock.now()
    with store.transaction() as connection:
        hold(connection, match_id)
        standing = reading.by_match(connection, match_id, bearer.token)
        if standing is not None and standing.called_off and standing.seat_of(bearer) is not None:
            return False
        standing, mine = _keyed(connection, match_id, bearer)
        announce(connection, now, match_id, CALLED_OFF, once=CALLED_OFF, by_seat=mine)
        outcome = Outcome({}, {}, CALLED_OFF)
        record(connection, now, standing, [], standing.load(), None, source="house", outcome=outcome)
        return True


def open_silent_seat(store: Store, bearer: Viewer, match_id: int, seat: Seat) -> bool:
    """Let somebody else take the seat of a player who keeps silent. False: it is open already.

    Silent is who is overdue; without a clock, whoever was asked a week ago and was not away since. Raises
    NotFound, Closed("over"), Refused("not_organiser", "own_seat", "nobodys_seat", "not_late", "not_silent").
    """
    now = clock.now()
    with store.transaction() as connection:
        standing, mine = _keyed(connection, match_id, bearer)
        if seat not in standing.seats:
            raise NotFound("match")
        place = standing.place(seat)
        if place.open_since is not None:
            return False
        if seat == mine:
            raise Refused("own_seat")
        if place.player_id is None or place.resigned:
            raise Refused("nobodys_seat", name=place.name)
        if not silent(standing, seat, now):
            clocked = standing.rule.kind != "none"
            raise Refused("not_late" if clocked else "not_silent", name=place.name, days=SILENT_AFTER.days)
        return open_seat(connection, now, standing, seat, mine)


def silent(standing: MatchSnapshot, seat: Seat, now: datetime) -> bool:
    """The player of the seat lets the others wait for too long."""
    if not standing.asked(seat):
        return False
    if standing.rule.kind == "none":
        asked = min(one.asked_at for one in standing.open if one.seat == seat and not one.optional)
        return rules.spent(asked, now, standing.calendar(seat)) >= SILENT_AFTER
    return any(
        one.late or one.overdue(now) for one in turn_clocks.deadlines(standing, now) if one.seat == seat
    )


def hand_over(store: Store, bearer: Viewer, match_id: int, seat: Seat) -> bool:
    """Give the organiser's keys to another player of the match. False: he has them already.

    Raises NotFound, Closed("over"), Refused("not_organiser", "nobodys_seat").
    """
    now = clock.now()
    with store.transaction() as connection:
        standing, _ = held(connection, match_id, bearer)
        if seat == keys(standing):
            return False
        standing, mine = _keyed(connection, match_id, bearer)
        place = next((one for one in played_by_people(standing) if one.seat == seat), None)
        if place is None or place.open_since is not None:
            raise Refused("nobodys_seat", name=seat[:40])
        _organiser.run(connection, place.player_id, match_id)
        once = f"organiser:{now.isoformat()}:{seat}"
        return announce(
            connection, now, match_id, "organiser", once=once, to=[place], seat=seat, by_seat=mine
        )


def _keyed(connection: Wire, match_id: int, bearer: Viewer) -> tuple[MatchSnapshot, Seat]:
    """The running match and the seat of its organiser, who asks. Raises as `held`, Refused."""
    standing, seat = held(connection, match_id, bearer)
    if seat != keys(standing):
        raise Refused("not_organiser")
    return standing, seat
