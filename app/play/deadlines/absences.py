"""A player is away: his clocks in all matches stand still, those that run now too, and the others see it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import Connection

from app import clock
from app.engine import codec
from app.engine.game import Game, Seat
from app.people.absence import DAY, Away, check, dates_in, left_in, midnight, today
from app.play.clock.rules import NO_TIME, Stop
from app.play.match import notices, turn_clocks
from app.play.match import snapshot as reading
from app.play.match.editions import known, rules_of
from app.play.match.locking import hold
from app.play.match.records import NotFound
from app.play.match.snapshot import MatchSnapshot
from app.play.match.vacancies import with_place
from app.play.moves import wishes
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, is_key, moment, moment_or_none, stored

KEPT = timedelta(days=100)
"""So long after its end an absence still counts in clocks that ran then."""

_seats = Statement(
    """SELECT c.match_id, c.seat, m.game, m.edition
       FROM chair c JOIN "match" m ON m.id = c.match_id AND m.status = 'running'
       WHERE c.player_id = ? AND c.until IS NULL AND c.resigned_at IS NULL ORDER BY c.match_id"""
)
_zone = Statement("SELECT zone FROM player WHERE id = ?")
_hold_player = Statement("SELECT zone FROM player WHERE id = ? FOR UPDATE")
_known = Statement(
    "SELECT id, begins, ends, cancelled_at, used_until FROM absence WHERE player_id = ? ORDER BY begins, id"
)
_enter = Statement(
    "INSERT INTO absence (player_id, begins, ends, created_at) VALUES (?, ?, ?, ?)", after="RETURNING id"
)
_cancel = Statement("UPDATE absence SET cancelled_at = ? WHERE id = ? AND cancelled_at IS NULL")
_use = Statement("UPDATE absence SET used_until = ? WHERE id = ?")
_away = Statement("UPDATE player SET away = ? WHERE id = ?")


class Leave(msgspec.Struct, frozen=True):
    """A player's absences, and what the limit leaves."""

    zone: str
    today: date
    absences: tuple[Away, ...]
    """The earliest first."""

    @property
    def ahead(self) -> tuple[Away, ...]:
        """Those that are not over."""
        return tuple(one for one in self.absences if one.cancelled_at is None and one.last >= self.today)

    def left(self, year: int) -> int:
        """Days of the year that he may still be away."""
        return left_in(year, self.absences)


class Effect(msgspec.Struct, frozen=True):
    """What an absence does to the deadline of a turn that waits for the player."""

    match_id: int
    game: Game
    seat: Seat
    before: datetime | None
    after: datetime | None
    """None: the clock stands still, and nobody knows until when."""


def absences(store: Store, player_id: int) -> Leave:
    """All absences of a player, past ones and cancelled ones too. Raises NotFound."""
    with store.reading() as connection:
        return _leave(connection, player_id, clock.now())


def games_of(store: Store, player_id: int) -> tuple[tuple[int, Game], ...]:
    """The running matches in which he plays, and their games."""
    with store.reading() as connection:
        found = _seats.fetch(connection, player_id)
    return tuple(
        (match_id, rules_of(slug, edition)) for match_id, _, slug, edition in found if known(slug, edition)
    )


def preview(store: Store, player_id: int, first: date, last: date) -> tuple[Effect, ...]:
    """The deadlines that would change, now and then. Raises NotFound and what `check` raises."""
    now = clock.now()
    effects = []
    with store.reading() as connection:
        leave = _leave(connection, player_id, now)
        check(first, last, leave.today, leave.absences)
        planned = Stop(max(now, midnight(first, leave.zone)), midnight(last + DAY, leave.zone))
        for match_id, seat, *_ in _seats.fetch(connection, player_id):
            standing = reading.by_match(connection, match_id)
            question = turn_clocks.runs(standing).get(seat) if standing is not None else None
            if standing is None or question is None:
                continue
            place = standing.place(seat)
            if place.open_since is not None:  # his time is over: an absence gives none back
                continue
            place = msgspec.structs.replace(place, away=(*place.away, planned))
            then = turn_clocks.due_of(with_place(standing, place), question)
            effects.append(
                Effect(match_id, standing.game, seat, turn_clocks.due_of(standing, question), then)
            )
    return tuple(effects)


def enter(store: Store, player_id: int, first: date, last: date) -> Away:
    """Be away from the first to the last day, whole days in the player's own zone.

    An absence from today on begins now: no time that has passed comes back. The same once more is the same
    absence. His matches are told, and he gets a letter that confirms it. Raises NotFound and what `check`
    raises.
    """
    now = clock.now()
    with store.transaction() as connection:
        seats = _held(connection, player_id)
        leave = _leave(connection, player_id, now)
        for one in leave.absences:
            if one.cancelled_at is None and (one.first, one.last) == (first, last):
                return one
        check(first, last, leave.today, leave.absences)
        begins, ends = max(now, midnight(first, leave.zone)), midnight(last + DAY, leave.zone)
        values = (player_id, *(stored(connection, at) for at in (begins, ends, now)))
        absence_id = int(_enter.fetch(connection, *values)[0][0])
        _keep(connection, player_id, now)
        for match_id, seat in seats:
            once = f"away:{absence_id}"
            dates = {"first": first.isoformat(), "last": last.isoformat()}
            notices.tell(connection, now, match_id, "away", seat=seat, once=once, **dates)
            turn_clocks.rearm(connection, now, _standing(connection, match_id), (seat,))
        once = f"away:{absence_id}"
        enqueue(
            connection, now, LetterRequest(kind="away", once=once, player_id=player_id, absence_id=absence_id)
        )
        return Away(absence_id, begins, ends, None, leave.zone)


def enter_by_line(store: Store, player_id: int, text: str) -> Away:
    """As `enter`, for a line of a letter: "from 3 Dec to 10 Dec 2026".

    Raises as `enter` and `dates_in` do.
    """
    with store.reading() as connection:
        now = _leave(connection, player_id, clock.now()).today
    return enter(store, player_id, *dates_in(text, now))


def cancel(store: Store, player_id: int, absence_id: int) -> Away:
    """Come back early, or not go: the clocks run again from now on. Twice is once.

    No deadline moves earlier than it was announced. Days by which one stays put off count as used, else
    the yearly limit would be none. Policies that were to hold until its end hold no longer. Raises NotFound.
    """
    now = clock.now()
    with store.transaction() as connection:
        seats = _held(connection, player_id)
        leave = _leave(connection, player_id, now)
        found = next((one for one in leave.absences if one.absence_id == absence_id), None)
        if found is None:
            raise NotFound("absence")
        if found.until <= now:
            return found
        if _cancel.run(connection, stored(connection, now), absence_id) == 1:
            before = [_left(connection, now, *one) for one in seats]
            _keep(connection, player_id, now)
            gained = [_left(connection, now, *one) - had for one, had in zip(seats, before, strict=True)]
            used = min(found.ends, max(now, found.begins) + max(gained, default=NO_TIME))
            _use.run(connection, stored(connection, used), absence_id)
            planned = now < found.begins
            for match_id, seat in seats:
                _withdraw_policies(connection, now, match_id, seat, found.ends)
                once = f"back:{absence_id}"
                notices.tell(connection, now, match_id, "back", seat=seat, once=once, planned=planned)
                turn_clocks.rearm(connection, now, _standing(connection, match_id), (seat,))
            found = msgspec.structs.replace(found, used_until=used)
        return msgspec.structs.replace(found, cancelled_at=found.cancelled_at or now)


def _held(connection: Connection, player_id: int) -> Sequence[tuple[int, Seat]]:
    """The seats of the player, their matches held and then he: in the order of all who hold both."""
    if not is_key(player_id):
        raise NotFound("player")
    seats = _seats.fetch(connection, player_id)
    held = {match_id for match_id, *_ in seats}
    for match_id in sorted(held):
        hold(connection, match_id)
    if connection.dialect.name != "sqlite":
        _hold_player.fetch(connection, player_id)
        seats = _seats.fetch(connection, player_id)
    return [(match_id, seat) for match_id, seat, *_ in seats if match_id in held]


def _leave(connection: Connection, player_id: int, now: datetime) -> Leave:
    zones = _zone.fetch(connection, player_id) if is_key(player_id) else ()
    if not zones:
        raise NotFound("player")
    zone = zones[0][0]
    known = tuple(
        Away(
            absence_id,
            moment(begins),
            moment(ends),
            moment_or_none(cancelled_at),
            zone,
            moment_or_none(used_until),
        )
        for absence_id, begins, ends, cancelled_at, used_until in _known.fetch(connection, player_id)
    )
    return Leave(zone, today(now, zone), known)


def _left(connection: Connection, now: datetime, match_id: int, seat: Seat) -> timedelta:
    """The counted time of the seat's turn; none where no clock of it runs to an end that is known."""
    standing = _standing(connection, match_id)
    question = turn_clocks.runs(standing).get(seat)
    if question is None or turn_clocks.due_of(standing, question) is None:
        return NO_TIME
    return turn_clocks.left_of(standing, question, now)


def _keep(connection: Connection, player_id: int, now: datetime) -> None:
    """Write down for the player's clocks when they stand still, as far as any that runs can need it."""
    stops = tuple(
        Stop(one.begins, one.until)
        for one in _leave(connection, player_id, now).absences
        if one.begins < one.until and one.until > now - KEPT
    )
    _away.run(connection, codec.dumps(stops), player_id)


def _withdraw_policies(
    connection: Connection, now: datetime, match_id: int, seat: Seat, until: datetime
) -> None:
    """Have the player asked again: what was to answer for him until he is back."""
    standing = _standing(connection, match_id)
    place = standing.place(seat)
    left = wishes.orders(connection, place.chair_id, now, most=0).policies
    if ids := [one.order_id for one in left if one.until == until]:
        wishes.close(connection, now, place, ids, standing.ply, "withdrawn")


def _standing(connection: Connection, match_id: int) -> MatchSnapshot:
    standing = reading.by_match(connection, match_id)
    assert standing is not None
    return standing
