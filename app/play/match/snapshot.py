"""A match as one select finds it: who sits where, what is open, and what the bearer's token is good for."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from app.engine.game import Decision, Game, Record, Seat
from app.play.clock.rules import Calendar, Rule, Stop, open_ended, standing_still
from app.play.clock.turn import UNTIMED, TurnClock, timed
from app.play.match import cache
from app.play.match.editions import rules_of
from app.play.match.links import hash_of
from app.play.match.records import SeatInfo, Viewer
from app.store.outbox import LetterRequest
from app.store.statement import Statement, Wire, is_key, moment, moment_or_none

QUESTION = re.compile("[0-9a-f]{32}")
CHAIR, OPEN = 29, 43
"""Where in a row the chair begins, and the open question."""

_rules = msgspec.json.Decoder(Rule)
_stops = msgspec.json.Decoder(tuple[Stop, ...])


class SeatHolder(msgspec.Struct, frozen=True):
    """A seat and who has it."""

    chair_id: int
    seat: Seat
    player_id: int | None
    bot: bool
    name: str
    resigned: bool
    lost: bool = False
    """Resigned by the clock."""
    zone: str = "UTC"
    away: tuple[Stop, ...] = ()
    """Its player's absences that are not over."""
    reminders: str = ""
    """When its player wants to be reminded."""
    bank: float | None = None
    """Seconds of thinking time that the last turn left."""
    orders: bool = False
    """Its player left standing orders."""
    open_since: datetime | None = None
    """The seat looks for somebody else to play it."""
    pause_wanted: bool = False

    @property
    def unmanned(self) -> bool:
        """Nobody who could be asked by letter plays here."""
        return self.bot or self.resigned

    @property
    def sitting(self) -> SeatInfo:
        """As it is shown."""
        return SeatInfo(
            self.seat,
            self.name,
            self.bot,
            self.resigned,
            lost=self.lost,
            open_since=self.open_since,
            pause_wanted=self.pause_wanted,
            away=self.away,
            bank=self.bank,
        )

    def letter(self, match_id: int, kind: str, once: str, **occasion: Any) -> LetterRequest:
        """A letter about the match to the seat's player; `occasion`: more fields of the request."""
        whose = {"seat": self.seat, "player_id": self.player_id}
        return LetterRequest(kind=kind, once=once, match_id=match_id, **{**whose, **occasion})


class Open(msgspec.Struct, frozen=True):
    """An open question."""

    id: str
    seat: Seat
    asks: str
    about: str
    fingerprint: str
    run: int
    optional: bool
    asked_at: datetime
    time: TurnClock = UNTIMED
    """The clock of its run."""


class Named(msgspec.Struct, frozen=True):
    """The question that a form names, open or closed."""

    id: str
    seat: Seat
    run: int
    closed: bool
    answer: str | None


class Turn(msgspec.Struct, frozen=True):
    """What a turn token was made for."""

    seat: Seat
    run: int
    player_id: int | None


class MatchSnapshot(msgspec.Struct, frozen=True):
    """A running or finished match, read at one moment."""

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
    barrier_seat: Seat | None
    outcome: str | None
    started_at: datetime
    ended_at: datetime | None
    state: str
    turn: Turn | None
    named: Named | None
    places: tuple[SeatHolder, ...]
    """In turn order."""
    open: tuple[Open, ...]
    rule: Rule = Rule()
    """By which its clocks run."""
    pauses: tuple[Stop, ...] = ()
    """The match's own."""
    standstills: tuple[Stop, ...] = ()
    """Of all matches: outages, and the operator's."""
    news: int = 0

    @property
    def game(self) -> Game:
        """The rules of its edition."""
        return rules_of(self.slug, self.edition)

    @property
    def running(self) -> bool:
        """Moves can be made."""
        return self.status == "running"

    @property
    def called_off(self) -> bool:
        """It was ended without a result."""
        return self.outcome is not None and msgspec.json.decode(self.outcome)["reason"] == "called_off"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """In turn order."""
        return tuple(place.seat for place in self.places)

    def load(self) -> Record:
        """The state."""
        return cache.state(self.slug, self.edition, self.state)

    def place(self, seat: Seat) -> SeatHolder:
        """Who has a seat."""
        return next(place for place in self.places if place.seat == seat)

    @property
    def paused(self) -> bool:
        """The players agreed to let its clocks stand still."""
        return open_ended(self.pauses)

    @property
    def frozen(self) -> bool:
        """The operator stopped all clocks."""
        return open_ended(self.standstills)

    def calendar(self, seat: Seat) -> Calendar:
        """When the clock of the seat's player counts, and when not."""
        place = self.place(seat)
        return Calendar(place.zone, self.rule.off, self._stops(place))

    def stopped(self, seat: Seat, now: datetime) -> bool:
        """The clock of the seat stands still, and not because of a weekday off."""
        return standing_still(now, Calendar(stops=self._stops(self.place(seat)))) is not None

    def _stops(self, place: SeatHolder) -> tuple[Stop, ...]:
        return (*self.pauses, *self.standstills, *place.away)

    def decisions(self) -> tuple[tuple[Decision, str], ...]:
        """The open decisions of its state, each with its fingerprint."""
        return cache.asked(self.slug, self.edition, self.state)

    def decision(self, seat: Seat, fingerprint: str) -> Decision:
        """What an open question of the seat asks, with the answers that it offers."""
        return next(one for one, mark in self.decisions() if (one.seat, mark) == (seat, fingerprint))

    def asked(self, seat: Seat) -> bool:
        """The match waits for the seat."""
        return any(one.seat == seat and not one.optional for one in self.open)

    def fresh(self) -> bool:
        """The bearer's token is good: its run of questions goes on, and its player still sits there."""
        turn = self.turn
        return (
            turn is not None
            and any(one.seat == turn.seat and one.run == turn.run for one in self.open)
            and turn.player_id in (None, self.place(turn.seat).player_id)
        )

    def seat_of(self, bearer: Viewer) -> Seat | None:
        """The seat for which the bearer may look and act; None: none."""
        if self.turn is not None and self.fresh():
            return self.turn.seat
        if bearer.player_id is None:
            return None
        return next((place.seat for place in self.places if place.player_id == bearer.player_id), None)


def _statement(where: str) -> Statement:
    return Statement(
        f"""SELECT m.id, m.game, m.options, m.status, m.demo, m.organiser_id, m.secret, m.seed, m.words,
                   m.ply, m.barrier_ply, m.barrier_seat, m.outcome, m.started_at, m.ended_at,
                   m.state, t.seat, t.run, t.player_id,
                   q.id, q.seat, q.run, q.closed_at, q.answer,
                   m.clock, m.stops, (SELECT stops FROM house WHERE id = 1), m.news, m.edition,
                   c.id, c.seat, c.player_id, c.bot, COALESCE(p.name, c.name), c.resigned_at, c.lost,
                   p.zone, p.away, p.reminders, c.bank, c.orders, c.open_since, c.pause_wanted_at,
                   o.id, o.asks, o.about, o.fingerprint, o.run, o.optional, o.asked_at,
                   o.begun_at, o.allowed, o.due_at, o.remind_at, o.late_at,
                   o.announced_at
            FROM "match" m
            JOIN chair c ON c.match_id = m.id AND c.until IS NULL
            LEFT JOIN player p ON p.id = c.player_id
            LEFT JOIN question o ON o.match_id = m.id AND o.seat = c.seat AND o.closed_at IS NULL
            LEFT JOIN token t ON t.hash = ? AND t.purpose = 'turn' AND t.match_id = m.id
            LEFT JOIN question q ON q.id = ? AND q.match_id = m.id
            WHERE m.status IN ('running', 'over') AND m.id = {where}"""  # noqa: S608 - constants
    )


_by_question = _statement("(SELECT match_id FROM question WHERE id = ?)")
_by_match = _statement("?")
_by_token = _statement("(SELECT match_id FROM token WHERE hash = ? AND purpose = 'turn')")


def by_question(connection: Wire, question_id: str, token: str | None) -> MatchSnapshot | None:
    """The match of a question, or None."""
    if not QUESTION.fullmatch(question_id):
        return None
    return _standing(_by_question.fetch(connection, _hash(token), question_id, question_id))


def by_match(connection: Wire, match_id: int, token: str | None = None) -> MatchSnapshot | None:
    """The match, or None where there is none or it has not started."""
    if not is_key(match_id):
        return None
    return _standing(_by_match.fetch(connection, _hash(token), "", match_id))


def by_token(connection: Wire, token: str) -> MatchSnapshot | None:
    """The match of a turn token, stale or not; None: there was never such a token."""
    return _standing(_by_token.fetch(connection, hash_of(token), "", hash_of(token)))


def _hash(token: str | None) -> str:
    return "" if token is None else hash_of(token)


def _standing(rows: Sequence[Any]) -> MatchSnapshot | None:
    if not rows:
        return None
    first = rows[0]
    slug, edition = first[1], first[28]
    places: dict[Seat, SeatHolder] = {}
    questions = []
    for row in rows:
        seat = row[CHAIR + 1]
        if seat not in places:
            places[seat] = _place(row[CHAIR:OPEN])
        if row[OPEN] is not None:
            questions.append(_open(seat, row[OPEN:]))
    named = first[19] and Named(first[19], first[20], first[21], first[22] is not None, first[23])
    return MatchSnapshot(
        match_id=first[0],
        slug=slug,
        edition=edition,
        options=first[2],
        status=first[3],
        demo=bool(first[4]),
        organiser_id=first[5],
        secret=bytes(first[6]),
        seed=bytes(first[7]),
        words=first[8],
        ply=first[9],
        barrier_ply=first[10],
        barrier_seat=first[11],
        outcome=first[12],
        started_at=moment(first[13]),
        ended_at=moment_or_none(first[14]),
        state=first[15],
        turn=Turn(*first[16:19]) if first[16] is not None else None,
        named=named or None,
        places=tuple(places[seat] for seat in rules_of(slug, edition).colours if seat in places),
        open=tuple(questions),
        rule=rule(first[24]),
        pauses=stops(first[25]),
        standstills=stops(first[26] or "[]"),
        news=first[27],
    )


def _place(row: Sequence[Any]) -> SeatHolder:
    chair_id, seat, player_id, bot, name, resigned_at, lost, zone, away, reminders, *rest = row
    bank, orders, open_since, pause_wanted_at = rest
    return SeatHolder(
        chair_id,
        seat,
        player_id,
        bool(bot),
        name,
        resigned_at is not None,
        bool(lost),
        zone or "UTC",
        stops(away or "[]"),
        reminders or "",
        bank,
        bool(orders),
        moment_or_none(open_since),
        pause_wanted_at is not None,
    )


def _open(seat: Seat, row: Sequence[Any]) -> Open:
    question_id, asks, about, fingerprint, run, optional, asked_at, *times = row
    what = (question_id, seat, asks, about, fingerprint, run, bool(optional), moment(asked_at))
    return Open(*what, timed(times))


@lru_cache(maxsize=512)
def rule(text: str) -> Rule:
    """The rule of a match's clocks."""
    return _rules.decode(text)


@lru_cache(maxsize=512)
def stops(text: str) -> tuple[Stop, ...]:
    """When clocks stand still."""
    return _stops.decode(text)
