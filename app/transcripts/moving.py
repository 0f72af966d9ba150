"""A match for the operator: whole, and with all that it needs to go on on another server."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime

import msgspec

from app import clock
from app.engine.game import Seat
from app.play.clock.rules import Stop
from app.play.clock.turn import TurnClock
from app.play.deadlines import moving, pauses
from app.play.match import chairs, company, questions, reading, turn_clocks
from app.play.match.locking import held_running, keys
from app.play.match.records import Closed, NotFound
from app.play.match.snapshot import MatchSnapshot, OpenQuestion
from app.play.moves import wishes
from app.play.seats import notes
from app.play.seats.giving import ANYBODY
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.transcripts.export import counted, whole
from app.transcripts.form import (
    Agreed,
    Ahead,
    Holding,
    MatchFile,
    Person,
    Span,
    Waiting,
    Written,
)


def for_operator(store: Store, match_id: int) -> MatchFile:
    """A match that is over or goes on, with its secret, its players' addresses and what they keep for it.

    The clocks of one that goes on stand still in the file, from this moment on. Raises NotFound: there is
    none, or it has not started; Closed("no_rules", "moved").
    """
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)  # a move between two of the statements would not fit to the rest
        snapshot = reading.by_match(connection, match_id)
        if snapshot is None:
            raise NotFound("match")
        if not snapshot.running and not snapshot.over:
            raise Closed(snapshot.why_closed, match_id=match_id)
        audit.keep(connection, now, "export", f"match {match_id}")
        return _file(connection, now, snapshot)


def move(store: Store, match_id: int, where: str, write: Callable[[MatchFile], None]) -> MatchFile:
    """Close a running match here, and give its file to `write`: all of that, or nothing.

    `where`: the address of the server where it goes on, or empty. Raises as `for_operator`, what `write`
    raises, and Closed("over", "moved").
    """
    now = clock.now()
    with store.transaction() as connection:
        pauses.stand_still(connection, now, held_running(connection, match_id))
        snapshot = held_running(connection, match_id)
        found = _file(connection, now, snapshot)
        moving.leave(connection, now, snapshot, where)
        audit.keep(connection, now, "export --move", f"match {match_id}")
        write(found)
    return found


def _file(connection: Connection, now: datetime, snapshot: MatchSnapshot) -> MatchFile:
    match_id, seats = snapshot.match_id, snapshot.seats
    away = {one.seat: tuple(Span(stop.begins, stop.ends) for stop in one.away) for one in snapshot.holders}
    people = {
        one.seat: Person(one.address, one.language, one.zone, away[one.seat])
        for one in company.addresses(connection, match_id)
        if one.address  # people whose account was deleted have none
    }
    found = msgspec.structs.replace(
        whole(connection, snapshot),
        host=_host(snapshot, people),
        people=tuple((seat, people[seat]) for seat in seats if seat in people),
        notes=tuple(
            (one.seat, Written(note.text, note.at))
            for one in snapshot.holders
            if one.seat in people
            for note in notes.of_chair(connection, one.chair_id)
        ),
    )
    if snapshot.over:
        return found
    stopped = _stopped(snapshot, now)
    giver = ANYBODY if snapshot.seat_giver == ANYBODY else None
    return msgspec.structs.replace(
        found,
        agreed=Agreed(_spans(stopped), snapshot.extended, giver),
        holdings=tuple(one for one in _holdings(connection, snapshot) if one[0] in people),
        waiting=tuple(_waiting(connection, now, snapshot, stopped)),
        ahead=tuple(
            (
                one.seat,
                Ahead(order.kind, order.text, order.created_at, order.ply, order.name or None, order.until),
            )
            for one in snapshot.holders
            if one.seat in people
            for order in wishes.standing(connection, one.chair_id)
        ),
    )


def _host(snapshot: MatchSnapshot, people: Collection[Seat]) -> Seat | None:
    """The seat of the host, or of the player who has taken over from one whose account was deleted."""
    organiser = snapshot.organiser_id
    own = next(
        (one.seat for one in snapshot.holders if organiser is not None and one.player_id == organiser), None
    )
    if own in people:
        return own
    return keys(snapshot) if snapshot.running else None


def _stopped(snapshot: MatchSnapshot, now: datetime) -> MatchSnapshot:
    """The match with clocks that stand still from now on, unless they did already."""
    if snapshot.rule.kind == "none" or snapshot.paused:
        return snapshot
    return msgspec.structs.replace(snapshot, pauses=(*snapshot.pauses, Stop(now)))


def _spans(match: MatchSnapshot) -> tuple[Span, ...]:
    """The stops that clocks which run still need: those of the match, and those of all matches here."""
    begun = min((one.time.begun_at for one in match.open if one.time.begun_at is not None), default=None)
    since = match.paused_since
    stops = match.pauses + tuple(Stop(one.begins, one.ends or since) for one in match.standstills)
    return tuple(
        Span(one.begins, one.ends)
        for one in sorted(stops, key=lambda stop: stop.begins)
        if one.ends is None or (begun is not None and max(begun, one.begins) < one.ends)
    )


def _holdings(connection: Connection, snapshot: MatchSnapshot) -> Iterator[tuple[Seat, Holding]]:
    told = counted(connection, snapshot)
    heard = chairs.heard(connection, snapshot.match_id)
    for one in snapshot.holders:
        if one.player_id is None:
            continue
        known = heard[one.chair_id]
        yield (
            one.seat,
            Holding(
                None if known.since == snapshot.started_at else known.since,
                one.open_since,
                one.bank,
                one.credited or None,
                one.credited_until,
                known.heard_ply,
                sum(number <= known.heard_notice for number in told),
            ),
        )


def _waiting(
    connection: Connection, now: datetime, snapshot: MatchSnapshot, stopped: MatchSnapshot
) -> Iterator[tuple[Seat, Waiting]]:
    first = set(questions.answered_first(connection, snapshot.match_id))
    for one in sorted(stopped.open, key=lambda one: (snapshot.seats.index(one.seat), one.name.number)):
        ahead = one.name.number in first and not snapshot.holder(one.seat).automated
        time = one.time
        if time.begun_at is not None and not snapshot.paused and snapshot.rule.kind != "none":
            time = turn_clocks.announced(stopped, one, now)
        yield one.seat, _question(one, time, ahead=ahead)


def _question(one: OpenQuestion, time: TurnClock, *, ahead: bool) -> Waiting:
    known = {name: fact for name, fact in msgspec.structs.asdict(time).items() if fact != ""}
    return Waiting(one.asks, one.about, one.name.number, one.turn, ahead, **known)
