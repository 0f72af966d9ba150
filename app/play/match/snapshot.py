"""A running or finished match as it was at one moment: seats, open questions, clocks. `reading` reads it."""

from datetime import datetime
from typing import Any

import msgspec

from app.engine.game import Asking, Decision, Game, Record, Seat
from app.play.clock.rules import Calendar, Rule, Stop, open_ended, standing_still
from app.play.clock.turn import UNTIMED, TurnClock
from app.play.match import cache
from app.play.match.editions import rules_of
from app.play.match.questions import Name
from app.play.match.records import SeatInfo, Viewer
from app.store.outbox import LetterRequest


class SeatHolder(msgspec.Struct, frozen=True):
    """A seat and its holder: a player or a bot."""

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
    """The player's absences that are not over."""
    reminders: str = ""
    """When the player wants to be reminded."""
    bank: float | None = None
    """Seconds of thinking time that the last turn left."""
    orders: bool = False
    """The player left standing orders."""
    open_since: datetime | None = None
    """Since then others may take the seat."""
    pause_wanted: bool = False
    credited: float = 0
    """Seconds given back to the clock because emails could not be delivered."""
    credited_until: datetime | None = None
    """Until when that was reckoned."""

    @property
    def automated(self) -> bool:
        """The server plays here: for a bot, or for a player who resigned."""
        return self.bot or self.resigned

    @property
    def info(self) -> SeatInfo:
        """The public facts of it."""
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
        """An email about the match to the seat's player; `occasion`: more fields of the request."""
        whose = {"seat": self.seat, "player_id": self.player_id}
        return LetterRequest(kind=kind, once=once, match_id=match_id, **{**whose, **occasion})


class OpenQuestion(msgspec.Struct, frozen=True):
    """An open question."""

    name: Name
    place: int
    """Of its row, among those of the seat."""
    seat: Seat
    asks: str
    about: str
    turn: int
    """The ply at which the seat's turn began: its unbroken row of questions."""
    optional: bool
    asked_at: datetime
    time: TurnClock = UNTIMED
    """The clock of its turn."""

    @property
    def id(self) -> str:
        """Its name, as forms write it."""
        return str(self.name)

    def is_of(self, one: Asking | Decision) -> bool:
        """Whether it asks for this decision."""
        return (self.seat, self.asks, self.about) == (one.seat, one.asks, one.about)


class Named(msgspec.Struct, frozen=True):
    """The question that a form names, open or closed."""

    name: Name
    seat: Seat | None
    """None: it was closed without an answer; then nobody knows whose it was."""
    turn: int
    """Of a closed one, its last possible turn: the ply that opened it."""
    closed: bool = False
    moves: tuple[str, ...] = ()
    """The answer to a closed one, as it was logged."""
    typed: str | None = None
    """A digest of that answer, if it was typed otherwise."""


class TurnToken(msgspec.Struct, frozen=True):
    """The turn that the viewer's token is for."""

    seat: Seat
    turn: int
    player_id: int | None
    ended: bool = False
    """Its player ended all links."""


class MatchSnapshot(msgspec.Struct, frozen=True):
    """A running or finished match, or one that was moved to another server, read at one moment."""

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
    token: TurnToken | None
    holders: tuple[SeatHolder, ...]
    """In turn order."""
    open: tuple[OpenQuestion, ...]
    rule: Rule = Rule()
    """Of its clocks."""
    pauses: tuple[Stop, ...] = ()
    """The match's own."""
    standstills: tuple[Stop, ...] = ()
    """Of all matches: outages, and the operator's."""
    news: int = 0
    dice: int = 1
    """The formula of its dice (`app.engine.dice`)."""
    seat_giver: str = "host"
    """The giver of an open seat: host, anybody."""
    extended: int = 0
    """Days by which the organiser has extended deadlines, in all."""
    pause_asked_at: datetime | None = None
    """When its players were last asked whether their pause is to go on."""
    named: Named | None = None

    @property
    def game(self) -> Game:
        """The rules of its edition."""
        return rules_of(self.slug, self.edition)

    @property
    def running(self) -> bool:
        """Moves can be made."""
        return self.status == "running"

    @property
    def over(self) -> bool:
        """It has ended, here: all of it may be seen. A match that was moved away has not."""
        return self.status == "over"

    @property
    def why_closed(self) -> str:
        """The reason for which no moves can be made in a match that doesn't run: over, moved."""
        return "moved" if self.status == "moved" else "over"

    @property
    def called_off(self) -> bool:
        """It was ended without a result."""
        return self.outcome is not None and msgspec.json.decode(self.outcome)["reason"] == "called_off"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """In turn order."""
        return tuple(holder.seat for holder in self.holders)

    def load(self) -> Record:
        """The state."""
        return cache.state(self.slug, self.edition, self.state)

    def holder(self, seat: Seat) -> SeatHolder:
        """The holder of a seat."""
        return next(holder for holder in self.holders if holder.seat == seat)

    @property
    def paused(self) -> bool:
        """Its clocks stand still, as its players agreed."""
        return open_ended(self.pauses)

    @property
    def paused_since(self) -> datetime | None:
        """When the pause began that goes on; None: it is not paused."""
        return next((stop.begins for stop in self.pauses if stop.ends is None), None)

    @property
    def frozen(self) -> bool:
        """The operator stopped all clocks."""
        return open_ended(self.standstills)

    def calendar(self, seat: Seat, *, anew: bool = False) -> Calendar:
        """The calendar of a seat's clock: weekdays off, and stops.

        A clock keeps the time zone in which it began: only the next one goes by another zone of its player,
        or (`anew`) one that begins now.
        """
        holder = self.holder(seat)
        begun = "" if anew else next((one.time.zone for one in self.open if one.seat == seat), "")
        return Calendar(begun or holder.zone, self.rule.off, self._stops(holder))

    def stopped(self, seat: Seat, now: datetime) -> bool:
        """The clock of the seat stands still, and not because of a weekday off."""
        return standing_still(now, Calendar(stops=self._stops(self.holder(seat)))) is not None

    def _stops(self, holder: SeatHolder) -> tuple[Stop, ...]:
        return (*self.pauses, *self.standstills, *holder.away)

    def decisions(self) -> tuple[Decision, ...]:
        """The open decisions of its state."""
        return cache.decisions(self.slug, self.edition, self.state)

    def decision(self, question: OpenQuestion) -> Decision:
        """The decision that an open question asks for, with its options."""
        return next(one for one in self.decisions() if question.is_of(one))

    def asked(self, seat: Seat) -> bool:
        """The match waits for the seat."""
        return any(one.seat == seat and not one.optional for one in self.open)

    def fresh(self) -> bool:
        """The viewer's token is good: its turn goes on, and its player still holds the seat."""
        token = self.token
        return (
            token is not None
            and not token.ended
            and any((one.seat, one.turn) == (token.seat, token.turn) for one in self.open)
            and token.player_id in (None, self.holder(token.seat).player_id)
        )

    def seat_of(self, viewer: Viewer) -> Seat | None:
        """The seat for which the viewer may look and act, or None."""
        if self.token is not None and self.fresh():
            return self.token.seat
        signed_in, chair_id = viewer.player_id, viewer.chair_id
        own = [one.seat for one in self.holders if signed_in is not None and one.player_id == signed_in]
        own += [one.seat for one in self.holders if one.chair_id == chair_id]
        return own[0] if own else None

    def limited(self, viewer: Viewer) -> bool:
        """The viewer holds a seat, but not because they signed in: they may only play and look."""
        seat = self.seat_of(viewer)
        if seat is None:
            return False
        return viewer.player_id is None or self.holder(seat).player_id != viewer.player_id
