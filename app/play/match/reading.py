"""The one place where a match is read: a single select for seats, open questions and the viewer's token."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.people.names import told_apart
from app.play.clock.rules import Rule, Stop
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match import log
from app.play.match.editions import rules_of
from app.play.match.links import key_of
from app.play.match.questions import Name
from app.play.match.snapshot import MatchSnapshot, Named, OpenQuestion, SeatHolder, TurnToken
from app.store.connection import Connection
from app.store.sql import Query, is_key


class _Row(msgspec.Struct, frozen=True):
    """A seat of a match, once for each of its open questions; of the match, the same in each row."""

    match_id: int
    slug: str
    edition: int
    options: str
    status: str
    demo: bool
    organiser_id: int | None
    secret: bytes
    seed: bytes
    words: str
    ply: int
    barrier_ply: int
    barrier_seat: str | None
    outcome: str | None
    started_at: datetime
    ended_at: datetime | None
    state: str
    rule: Rule
    pauses: tuple[Stop, ...]
    standstills: tuple[Stop, ...] | None
    news: int
    dice: int
    seat_giver: str
    extended: int
    pause_asked_at: datetime | None
    turn_order: str
    token_seat: str | None
    token_turn: int
    token_player_id: int | None
    token_ended: bool
    chair_id: int
    seat: str
    player_id: int | None
    bot: bool
    name: str
    resigned: bool
    lost: bool
    zone: str | None
    away: tuple[Stop, ...] | None
    reminders: str | None
    bank: float | None
    orders: bool
    open_since: datetime | None
    pause_wanted: bool
    credited: float
    credited_until: datetime | None
    number: int | None
    place: int
    asks: str
    about: str
    turn: int
    optional: bool
    asked_at: datetime
    begun_at: datetime | None
    allowed: float | None
    due_at: datetime | None
    remind_at: datetime | None
    late_at: datetime | None
    announced_at: datetime | None
    clock_zone: str
    reminded: str


def _query(where: str) -> Query[_Row]:
    return Query(
        _Row,
        f"""SELECT m.id AS match_id, m.game AS slug, m.edition, m.options, m.status, m.demo, m.organiser_id,
                   m.secret, m.seed, m.words, m.ply, m.barrier_ply, m.barrier_seat, m.outcome,
                   m.started_at, m.ended_at, m.state, m.clock AS rule, m.stops AS pauses,
                   (SELECT stops FROM house WHERE id = 1) AS standstills, m.news,
                   m.dice, m.seat_giver, m.extended, m.pause_asked_at, m.turn_order,
                   t.seat AS token_seat, t.run AS token_turn, t.player_id AS token_player_id,
                   t.ended_at IS NOT NULL AS token_ended,
                   c.id AS chair_id, c.seat, c.player_id, c.bot, COALESCE(p.name, c.name) AS name,
                   c.resigned_at IS NOT NULL AS resigned, c.lost, p.zone, p.away, p.reminders, c.bank,
                   c.orders, c.open_since, c.pause_wanted_at IS NOT NULL AS pause_wanted, c.credited,
                   c.credited_until,
                   o.number, o.place, o.asks, o.about, o.run AS turn, o.optional,
                   o.asked_at, o.begun_at, o.allowed, o.due_at, o.remind_at, o.late_at, o.announced_at,
                   o.zone AS clock_zone, o.reminded
            FROM "match" m
            JOIN chair c ON c.match_id = m.id AND c.until IS NULL
            LEFT JOIN player p ON p.id = c.player_id
            LEFT JOIN question o ON o.match_id = m.id AND o.seat = c.seat AND o.closed_at IS NULL
            LEFT JOIN token t ON t.hash = :token AND t.purpose = 'turn' AND t.match_id = m.id
            WHERE m.status IN ('running', 'over', 'moved') AND m.id = {where}""",  # noqa: S608 - constants
    )


_by_match = _query(":match_id")
_by_token = _query("(SELECT match_id FROM token WHERE hash = :token AND purpose = 'turn')")


def by_question(connection: Connection, name: Name, token: str | None = None) -> MatchSnapshot | None:
    """The match of a question, or None: there is no such match, or it never came to that question."""
    found = by_match(connection, name.match_id, token)
    if found is None or name.ply > found.ply:
        return None
    for one in found.open:
        if one.name == name:
            return msgspec.structs.replace(found, named=Named(name, one.seat, one.turn))
    answer = log.answer(connection, name.match_id, name.number, name.ply)
    seat = answer[0].seat if answer else None
    typed = answer[0].typed if answer else None
    moves = tuple(one.move for one in answer)
    return msgspec.structs.replace(found, named=Named(name, seat, name.ply, True, moves, typed))


def by_match(connection: Connection, match_id: int, token: str | None = None) -> MatchSnapshot | None:
    """The match, or None if there is none or it has not started."""
    if not is_key(match_id):
        return None
    return _snapshot(_by_match.all(connection, token=_key(token), match_id=match_id))


def by_token(connection: Connection, token: str) -> MatchSnapshot | None:
    """The match of a turn token, also after its turn; None: there was never such a token."""
    return _snapshot(_by_token.all(connection, token=key_of(token)))


def _key(token: str | None) -> bytes:
    return b"" if token is None else key_of(token)


def _snapshot(rows: Sequence[_Row]) -> MatchSnapshot | None:
    if not rows:
        return None
    first = rows[0]
    by_seat = {row.seat: row for row in reversed(rows)}
    seats = [seat for seat in _order(first) if seat in by_seat]
    names = told_apart([by_seat[seat].name for seat in seats])
    token = None
    if first.token_seat is not None:
        token = TurnToken(first.token_seat, first.token_turn, first.token_player_id, first.token_ended)
    return MatchSnapshot(
        match_id=first.match_id,
        slug=first.slug,
        edition=first.edition,
        options=first.options,
        status=first.status,
        demo=first.demo,
        organiser_id=first.organiser_id,
        secret=first.secret,
        seed=first.seed,
        words=first.words,
        ply=first.ply,
        barrier_ply=first.barrier_ply,
        barrier_seat=first.barrier_seat,
        outcome=first.outcome,
        started_at=first.started_at,
        ended_at=first.ended_at,
        state=first.state,
        token=token,
        holders=tuple(_holder(by_seat[seat], name) for seat, name in zip(seats, names, strict=True)),
        open=tuple(_question(row.number, row) for row in rows if row.number is not None),
        rule=first.rule,
        pauses=first.pauses,
        standstills=first.standstills or (),
        news=first.news,
        dice=first.dice,
        seat_giver=first.seat_giver,
        extended=first.extended,
        pause_asked_at=first.pause_asked_at,
    )


def _order(row: _Row) -> Sequence[Seat]:
    return row.turn_order.split() or rules_of(row.slug, row.edition).colours


def _holder(row: _Row, name: str) -> SeatHolder:
    return SeatHolder(
        row.chair_id,
        row.seat,
        row.player_id,
        row.bot,
        name,
        row.resigned,
        row.lost,
        row.zone or "UTC",
        row.away or (),
        row.reminders or "",
        row.bank,
        row.orders,
        row.open_since,
        row.pause_wanted,
        row.credited,
        row.credited_until,
    )


def _question(number: int, row: _Row) -> OpenQuestion:
    time = UNTIMED
    if row.begun_at is not None:
        time = TurnClock(
            row.begun_at,
            row.allowed,
            row.due_at,
            row.remind_at,
            row.late_at,
            row.announced_at,
            row.clock_zone,
            row.reminded,
        )
    return OpenQuestion(
        Name(row.match_id, number),
        row.place,
        row.seat,
        row.asks,
        row.about,
        row.turn,
        row.optional,
        row.asked_at,
        time,
    )
