"""Values that play returns: what viewers, lists and logs show. And its errors."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.engine.game import Decision, Event, Game, Outcome, Seat, View
from app.people.errors import Closed, NotFound, Refused, SiteError
from app.play.clock.rules import Rule, Stop
from app.play.match.plan import Plan

__all__ = ["Closed", "NotFound", "Refused", "SiteError"]


class Viewer(msgspec.Struct, frozen=True):
    """The viewer of a match: the holder of a turn token, a signed-in player, or (all None) anybody."""

    token: str | None = None
    """The token itself, not its hash. It is kept in memory only."""
    player_id: int | None = None
    chair_id: int | None = None
    """The seat that a browser may play because it played a turn by its link."""

    def __repr__(self) -> str:
        return f"<Viewer {'token' if self.token else self.player_id}>"


ANYBODY = Viewer()


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat and its holder, as everybody may see them."""

    seat: Seat
    name: str
    bot: bool = False
    resigned: bool = False
    lost: bool = False
    """The seat was lost on time."""
    open_since: datetime | None = None
    """Since then others may take the seat."""
    pause_wanted: bool = False
    away: tuple[Stop, ...] = ()
    """Absences of the player, current and planned."""
    bank: float | None = None
    """Seconds of thinking time left after the last turn; None: no turn yet, or no bank."""


class Deadline(msgspec.Struct, frozen=True):
    """The deadline of a seat whose turn it is."""

    seat: Seat
    due_at: datetime | None
    """None: the clock stands still, with no end known."""
    left: timedelta
    """The time until then that counts."""
    late: bool = False
    """The deadline has passed; `due_at` is the end of the grace."""
    stands: bool = False
    """The clock stands still now."""
    stands_until: datetime | None = None
    """The end of standing still; None: unknown."""
    why: str = ""
    """The reason of standing still: paused, frozen (by the operator), away, off (a weekday)."""
    mark: str = ""
    """A text that differs for each deadline, so that a form can say which one it showed."""
    stood: tuple[Stop, ...] = ()
    """Times since its clock began in which all clocks stood still: they made it later than announced."""

    def overdue(self, now: datetime) -> bool:
        """The time is up."""
        return self.due_at is not None and self.due_at <= now

    def skips(self, now: datetime) -> bool:
        """The clock runs, but some time until the deadline doesn't count: days off, or an absence."""
        if self.late or self.stands or self.due_at is None:
            return False
        return self.due_at - now - self.left > timedelta(hours=1)


class Notice(msgspec.Struct, frozen=True):
    """An entry of the public log beside the moves."""

    notice_id: int
    ply: int
    """The ply after which it was written."""
    what: str
    seat: Seat | None
    by_seat: Seat | None
    facts: dict[str, Any]
    at: datetime


class Asked(msgspec.Struct, frozen=True):
    """An open question of the viewer's seat."""

    question_id: str
    decision: Decision
    asked_at: datetime


class LogEntry(msgspec.Struct, frozen=True):
    """One ply as a seat may know it."""

    ply: int
    seat: Seat | None
    what: str
    """move, start, undo, resign, edition (newer rules took over)."""
    events: tuple[Event, ...]
    at: datetime
    move: str | None = None
    """The canonical text: of the viewer's own moves, or of all moves once the match is over."""
    by_clock: bool = False
    """The server made the move because time had run out."""
    by_orders: bool = False
    """The viewer's standing orders made the move. Others aren't told."""
    ear: Seat | None = None
    """The seat whose private events are among these, if the ply has any; None: they are what all heard."""


class SeatRequestView(msgspec.Struct, frozen=True):
    """A request for an open seat, as a player who may decide on it sees it."""

    invitation_id: int
    seat: Seat
    name: str
    """Of the person who asks."""
    asked_at: datetime
    by_vote: bool
    """The viewer's word counts as one of several."""
    mine: bool | None
    """The viewer's vote."""
    yes: int
    no: int
    voters: int


class PlayerView(msgspec.Struct, frozen=True):
    """A match as one viewer may see it."""

    match_id: int
    game: Game
    status: str
    """open, running, over, called_off, moved."""
    options: dict[str, str]
    ply: int
    seat: Seat | None
    """The viewer's seat; None: an onlooker."""
    by_token: bool
    """The viewer came by an email's link."""
    stale: bool
    """The link's turn is over: this is the public view."""
    limited: bool
    """The viewer may play and look, by a link or because this browser played by one. What outlasts the turn
    needs them to sign in, or to confirm it by another email."""
    view: View
    sittings: tuple[SeatInfo, ...]
    to_move: tuple[Seat, ...]
    """The seats whose turn it is."""
    asked: tuple[Asked, ...]
    heard: tuple[LogEntry, ...]
    """The last plies, oldest first."""
    can_take_back: bool
    demo: bool
    outcome: Outcome | None
    commitment: str
    """SHA-256 of the secret in hex."""
    words: tuple[str, ...]
    """The players' words for the dice, in the order that the formula takes them."""
    secret: str | None
    """In hex; only when the match is over."""
    last_ply: int
    """The last ply of the match, even if `ply` is an earlier one."""
    started_at: datetime | None
    ended_at: datetime | None
    zone: str = "UTC"
    """The time zone of the viewer's seat."""
    rule: Rule = Rule()
    deadlines: tuple[Deadline, ...] = ()
    """The deadlines of the seats whose turn it is, if clocks run."""
    paused: bool = False
    frozen: bool = False
    """The operator stopped all clocks."""
    extended: int = 0
    """Days by which the organiser has extended deadlines, in all."""
    pause_ends: datetime | None = None
    """When the pause ends by itself."""
    seat_giver: str = "host"
    """The giver of open seats: host, anybody."""
    requests: tuple[SeatRequestView, ...] = ()
    """The requests for open seats on which the viewer may decide."""
    dice: int = 2
    """The formula of its dice (`app.engine.dice`)."""
    word_seats: tuple[Seat, ...] = ()
    """The seat that the player of each word was drawn."""
    keys: Seat | None = None
    """The seat whose player has the organiser's powers."""
    muted: int = 0
    """Messages that are not among the notices, because the viewer has muted those who wrote them."""
    nudges: tuple[Seat, ...] = ()
    """The seats that the viewer may nudge."""
    points: dict[str, int] = {}
    """Once the match is over: the points of all seats, and of a neutral player."""
    eyes: Seat | None = None
    """The seat whose knowledge `view` shows; None: what everybody knows."""
    notices: tuple[Notice, ...] = ()
    """The notices since the first ply of `heard`, oldest first."""
    plan: Plan | None = None
    """The viewer's next moves as planned; None if they are not asked now."""

    def banked(self, one: SeatInfo) -> float | None:
        """Seconds of thinking time for the seat's next turn; None: no bank, or its clock runs."""
        plays = self.status == "running" and not one.bot and not one.resigned and one.open_since is None
        runs = any(due.seat == one.seat for due in self.deadlines)
        if self.rule.kind != "bank" or not plays or runs or self.ply != self.last_ply:
            return None
        return float(self.rule.bank) if one.bank is None else one.bank

    def name(self, seat: Seat) -> str:
        """The name of the seat's holder."""
        return next((one.name for one in self.sittings if one.seat == seat), seat)

    def name_then(self, seat: Seat, at: datetime) -> str:
        """The name of the seat's holder at that time: a replacement isn't credited with earlier moves."""
        for one in self.notices:
            if one.what == "seat_taken" and one.seat == seat and at < one.at:
                return str(one.facts["before"])
        return self.name(seat)

    def names_then(self, at: datetime) -> Callable[[Seat], str]:
        """The names of all seats' holders at that time, as a function of the seat."""
        if any(one.what == "seat_taken" for one in self.notices):
            return lambda seat: self.name_then(seat, at)
        names = {one.seat: one.name for one in self.sittings}
        return lambda seat: names.get(seat, seat)


class Done(msgspec.Struct, frozen=True):
    """The result of an answer: its moves, as they were made."""

    match_id: int
    seat: Seat
    ply: int
    """The ply after it."""
    moves: tuple[str, ...]
    again: bool = False
    """The same answer was given before; nothing was done now."""
    goes_on: bool | None = None
    """Whether the turn that it was an answer in goes on; None: that is to be read."""


class MatchLine(msgspec.Struct, frozen=True):
    """A match in a list."""

    match_id: int
    game: Game
    status: str
    """open, running, over."""
    seat: Seat | None
    """The seat of the list's player; None in public lists, and before the start."""
    waiting: bool
    """It is that seat's turn."""
    organised: bool
    """The list's player is the organiser."""
    sittings: tuple[SeatInfo, ...]
    """Empty before the start."""
    to_move: tuple[Seat, ...]
    demo: bool
    at: datetime
    """The time of its end, start or creation, whichever came last."""
    deadline: Deadline | None = None
    """The deadline of the list's player."""
    ply: int = 0
    place: int | None = None
    """Of the list's player, once it is over."""
