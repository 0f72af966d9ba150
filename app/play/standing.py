"""A match as one select finds it: who sits where, what is open, and what the bearer's token is good for."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from app import games
from app.engine.game import Game, Record, Seat
from app.play import remembering
from app.play.links import hash_of
from app.play.records import Bearer, Sitting
from app.store.statement import Statement, Wire, is_key, moment, moment_or_none

QUESTION = re.compile("[0-9a-f]{32}")


class Place(msgspec.Struct, frozen=True):
    """A seat and who has it."""

    chair_id: int
    seat: Seat
    player_id: int | None
    bot: bool
    name: str
    resigned: bool

    @property
    def unmanned(self) -> bool:
        """Nobody who could be asked by letter plays here."""
        return self.bot or self.resigned

    @property
    def sitting(self) -> Sitting:
        """As it is shown."""
        return Sitting(self.seat, self.name, self.bot, self.resigned)


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


class Standing(msgspec.Struct, frozen=True):
    """A running or finished match, read at one moment."""

    match_id: int
    slug: str
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
    places: tuple[Place, ...]
    """In turn order."""
    open: tuple[Open, ...]

    @property
    def game(self) -> Game:
        """Its rules."""
        return games.shelf()[self.slug]

    @property
    def running(self) -> bool:
        """Moves can be made."""
        return self.status == "running"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """In turn order."""
        return tuple(place.seat for place in self.places)

    def load(self) -> Record:
        """The state."""
        return remembering.state(self.slug, self.state)

    def place(self, seat: Seat) -> Place:
        """Who has a seat."""
        return next(place for place in self.places if place.seat == seat)

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

    def seat_of(self, bearer: Bearer) -> Seat | None:
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
                   c.id, c.seat, c.player_id, c.bot, COALESCE(p.name, c.name), c.resigned_at,
                   o.id, o.asks, o.about, o.fingerprint, o.run, o.optional, o.asked_at
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


def by_question(connection: Wire, question_id: str, token: str | None) -> Standing | None:
    """The match of a question, or None."""
    if not QUESTION.fullmatch(question_id):
        return None
    return _standing(_by_question.fetch(connection, _hash(token), question_id, question_id))


def by_match(connection: Wire, match_id: int, token: str | None = None) -> Standing | None:
    """The match, or None where there is none or it has not started."""
    if not is_key(match_id):
        return None
    return _standing(_by_match.fetch(connection, _hash(token), "", match_id))


def by_token(connection: Wire, token: str) -> Standing | None:
    """The match of a turn token, stale or not; None: there was never such a token."""
    return _standing(_by_token.fetch(connection, hash_of(token), "", hash_of(token)))


def _hash(token: str | None) -> str:
    return "" if token is None else hash_of(token)


def _standing(rows: Sequence[Any]) -> Standing | None:
    if not rows:
        return None
    first = rows[0]
    slug = first[1]
    places: dict[Seat, Place] = {}
    questions = []
    for row in rows:
        chair_id, seat, player_id, bot, name, resigned_at = row[24:30]
        places[seat] = Place(chair_id, seat, player_id, bool(bot), name, resigned_at is not None)
        if row[30] is not None:
            question_id, asks, about, fingerprint, run, optional, asked_at = row[30:37]
            questions.append(
                Open(question_id, seat, asks, about, fingerprint, run, bool(optional), moment(asked_at))
            )
    named = first[19] and Named(first[19], first[20], first[21], first[22] is not None, first[23])
    return Standing(
        match_id=first[0],
        slug=slug,
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
        places=tuple(places[seat] for seat in games.shelf()[slug].colours if seat in places),
        open=tuple(questions),
    )
