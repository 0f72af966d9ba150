"""Absences of a player: the clocks in all their matches stand still, and the other players see it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec

from app import clock
from app.engine.game import Game, Seat
from app.people import absences as rows
from app.people.absences import DAY, Absence, check, left_in, midnight, today
from app.people.dates import dates_in
from app.people.errors import NotFound
from app.play.clock.rules import NO_TIME, Stop
from app.play.match import chairs, notices, reading, turn_clocks
from app.play.match.editions import known, rules_of
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import with_holder
from app.play.moves import wishes
from app.store.connection import Connection
from app.store.locks import hold_match, hold_player
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.sql import is_key

KEPT = timedelta(days=100)
"""How long after its end an absence still counts for clocks that ran during it."""


class PlayerAbsences(msgspec.Struct, frozen=True):
    """The absences of a player, on a day."""

    zone: str
    today: date
    absences: tuple[Absence, ...]
    """The earliest first."""

    @property
    def ahead(self) -> tuple[Absence, ...]:
        """The absences that are not over."""
        return tuple(one for one in self.absences if one.cancelled_at is None and one.last >= self.today)

    def left(self, year: int) -> int:
        """The days of absence that are left in a year."""
        return left_in(year, self.absences)


class DeadlineChange(msgspec.Struct, frozen=True):
    """The effect of an absence on the deadline of an open turn."""

    match_id: int
    game: Game
    seat: Seat
    before: datetime | None
    after: datetime | None
    """None: the clock stands still, with no end known."""


def absences_of(store: Store, player_id: int) -> PlayerAbsences:
    """All absences of a player, past and cancelled ones too. Raises NotFound."""
    with store.reading() as connection:
        return _absences_of(connection, player_id, clock.now())


def running_matches(store: Store, player_id: int) -> tuple[tuple[int, Game], ...]:
    """The ids and games of the player's running matches."""
    with store.reading() as connection:
        found = chairs.running_of(connection, player_id)
    return tuple(
        (one.match_id, rules_of(one.slug, one.edition)) for one in found if known(one.slug, one.edition)
    )


def preview(store: Store, player_id: int, first: date, last: date) -> tuple[DeadlineChange, ...]:
    """The deadlines that an absence would change. Raises NotFound, and Refused as `check`."""
    now = clock.now()
    changes = []
    with store.reading() as connection:
        entered = _absences_of(connection, player_id, now)
        check(first, last, entered.today, entered.absences)
        planned = Stop(max(now, midnight(first, entered.zone)), midnight(last + DAY, entered.zone))
        for one in chairs.running_of(connection, player_id):
            snapshot = reading.by_match(connection, one.match_id)
            question = turn_clocks.turns(snapshot).get(one.seat) if snapshot is not None else None
            if snapshot is None or question is None:
                continue
            holder = snapshot.holder(one.seat)
            if holder.open_since is not None:  # their time is up, and an absence gives none back
                continue
            holder = msgspec.structs.replace(holder, away=(*holder.away, planned))
            before = turn_clocks.due_of(snapshot, question)
            after = turn_clocks.due_of(with_holder(snapshot, holder), question)
            changes.append(DeadlineChange(one.match_id, snapshot.game, one.seat, before, after))
    return tuple(changes)


def enter(store: Store, player_id: int, first: date, last: date) -> Absence:
    """Enter an absence from the first to the last day, whole days in the player's time zone.

    An absence from today begins now: no past time is given back. Entering the same days again returns the
    same absence. The player's matches show it, and a letter confirms it. Raises NotFound, and Refused as
    `check`.
    """
    now = clock.now()
    with store.transaction() as connection:
        seats = _locked_seats(connection, player_id)
        entered = _absences_of(connection, player_id, now)
        for one in entered.absences:
            if one.cancelled_at is None and (one.first, one.last) == (first, last):
                return one
        check(first, last, entered.today, entered.absences)
        begins, ends = max(now, midnight(first, entered.zone)), midnight(last + DAY, entered.zone)
        absence_id = rows.insert(connection, now, player_id, begins, ends)
        _store_stops(connection, player_id, now)
        for match_id, seat in seats:
            once = f"away:{absence_id}"
            dates = {"first": first.isoformat(), "last": last.isoformat()}
            notices.tell(connection, now, match_id, "away", seat=seat, once=once, **dates)
            turn_clocks.rearm(connection, now, _snapshot(connection, match_id), (seat,))
        once = f"away:{absence_id}"
        enqueue(
            connection, now, LetterRequest(kind="away", once=once, player_id=player_id, absence_id=absence_id)
        )
        return Absence(absence_id, begins, ends, None, entered.zone)


def enter_by_line(store: Store, player_id: int, text: str, language: str = "") -> Absence:
    """As `enter`, for a line of an email such as "from 3 Dec to 10 Dec 2026"; `language` is its writer's.

    Raises as `enter` and `dates_in` do.
    """
    with store.reading() as connection:
        now = _absences_of(connection, player_id, clock.now()).today
    return enter(store, player_id, *dates_in(text, now, language))


def cancel(store: Store, player_id: int, absence_id: int) -> Absence:
    """End an absence early, or before its start: the clocks go on from now. Twice is once.

    No announced deadline moves earlier. The days that a deadline keeps count as used, or else the yearly
    limit could be evaded. Policies that were to hold until the absence's end are withdrawn. Raises NotFound.
    """
    now = clock.now()
    with store.transaction() as connection:
        seats = _locked_seats(connection, player_id)
        entered = _absences_of(connection, player_id, now)
        found = next((one for one in entered.absences if one.absence_id == absence_id), None)
        if found is None:
            raise NotFound("absence")
        if found.until <= now:
            return found
        if rows.cancel(connection, now, absence_id):
            before = [_time_left(connection, now, *one) for one in seats]
            _store_stops(connection, player_id, now)
            after = [_time_left(connection, now, *one) for one in seats]
            gained = [have - had for have, had in zip(after, before, strict=True)]
            used = min(found.ends, max(now, found.begins) + max(gained, default=NO_TIME))
            rows.set_used(connection, absence_id, used)
            planned = now < found.begins
            for match_id, seat in seats:
                _withdraw_policies(connection, now, match_id, seat, found.ends)
                once = f"back:{absence_id}"
                notices.tell(connection, now, match_id, "back", seat=seat, once=once, planned=planned)
                turn_clocks.rearm(connection, now, _snapshot(connection, match_id), (seat,))
            found = msgspec.structs.replace(found, used_until=used)
        return msgspec.structs.replace(found, cancelled_at=found.cancelled_at or now)


def _locked_seats(connection: Connection, player_id: int) -> Sequence[tuple[int, Seat]]:
    """The seats of the player, with their matches locked and then the player: the order of `app.store.locks`.

    Raises NotFound.
    """
    if not is_key(player_id):
        raise NotFound("player")
    locked = {one.match_id for one in chairs.running_of(connection, player_id)}
    for match_id in sorted(locked):
        hold_match(connection, match_id)
    hold_player(connection, player_id)
    seats = chairs.running_of(connection, player_id)  # they may have changed until the locks were taken
    return [(one.match_id, one.seat) for one in seats if one.match_id in locked]


def _absences_of(connection: Connection, player_id: int, now: datetime) -> PlayerAbsences:
    zone = rows.zone_of(connection, player_id)
    return PlayerAbsences(zone, today(now, zone), rows.of_player(connection, player_id))


def _time_left(connection: Connection, now: datetime, match_id: int, seat: Seat) -> timedelta:
    """The time left of the seat's turn, as its clock counts; none unless a clock runs to a known end."""
    snapshot = _snapshot(connection, match_id)
    question = turn_clocks.turns(snapshot).get(seat)
    if question is None or turn_clocks.due_of(snapshot, question) is None:
        return NO_TIME
    return turn_clocks.left_of(snapshot, question, now)


def _store_stops(connection: Connection, player_id: int, now: datetime) -> None:
    """Store the stops of the player's clocks, as far back as a running clock can need them."""
    stops = tuple(
        Stop(one.begins, one.until)
        for one in rows.of_player(connection, player_id)
        if one.begins < one.until and one.until > now - KEPT
    )
    rows.set_stops(connection, player_id, stops)


def _withdraw_policies(
    connection: Connection, now: datetime, match_id: int, seat: Seat, until: datetime
) -> None:
    """Withdraw the policies that answer for the player until the absence ends."""
    snapshot = _snapshot(connection, match_id)
    holder = snapshot.holder(seat)
    policies = wishes.orders(connection, holder.chair_id, now, most=0).policies
    if ids := [one.order_id for one in policies if one.until == until]:
        wishes.close(connection, now, holder, ids, snapshot.ply, "withdrawn")


def _snapshot(connection: Connection, match_id: int) -> MatchSnapshot:
    snapshot = reading.by_match(connection, match_id)
    assert snapshot is not None
    return snapshot
