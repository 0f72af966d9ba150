"""What the door hands out: plain values, never rows. And the ways in which it says no."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.engine.game import Decision, Event, Game, Outcome, Seat, View
from app.people.errors import Closed, NotFound, Refused, SiteError
from app.play.clock.rules import Rule, Stop

__all__ = ["Closed", "NotFound", "Refused", "SiteError"]


class Viewer(msgspec.Struct, frozen=True):
    """Who asks: the holder of a turn token, a signed-in player, or (both None) anybody."""

    token: str | None = None
    """The token itself, not its hash. Only in memory."""
    player_id: int | None = None

    def __repr__(self) -> str:
        return f"<Bearer {'token' if self.token else self.player_id}>"


ANYBODY = Viewer()


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits on a seat."""

    seat: Seat
    name: str
    bot: bool = False
    resigned: bool = False
    lost: bool = False
    """Resigned by the clock."""
    open_since: datetime | None = None
    """Somebody else may take the seat."""
    pause_wanted: bool = False
    away: tuple[Stop, ...] = ()
    """When its player is away, now or later."""
    bank: float | None = None
    """Seconds that its last turn left; None: it had none yet, or there is no bank."""


class Deadline(msgspec.Struct, frozen=True):
    """Until when a seat that is asked should answer."""

    seat: Seat
    due_at: datetime | None
    """None: its clock stands still, and nobody knows until when."""
    left: timedelta
    """What counts of the time until then."""
    late: bool = False
    """The deadline is past, and this is the end of the grace."""
    stands: bool = False
    """Its clock stands still now."""
    stands_until: datetime | None = None
    """Until then; None: nobody knows."""
    why: str = ""
    """Why it stands still: paused, frozen (all clocks are stopped), away, off (a weekday that is)."""
    mark: str = ""
    """Another one, another deadline: by it a form says which one it showed."""
    stood: tuple[Stop, ...] = ()
    """When the whole house stood still since its clock began: why it ends later than was announced."""

    def overdue(self, now: datetime) -> bool:
        """Its time is up."""
        return self.due_at is not None and self.due_at <= now

    def skips(self, now: datetime) -> bool:
        """Its clock runs, and between now and then lies time that does not count: days off, or an absence."""
        if self.late or self.stands or self.due_at is None:
            return False
        return self.due_at - now - self.left > timedelta(hours=1)


class Notice(msgspec.Struct, frozen=True):
    """What the house told the whole table."""

    notice_id: int
    ply: int
    """After which."""
    what: str
    seat: Seat | None
    by_seat: Seat | None
    facts: dict[str, Any]
    at: datetime


class Asked(msgspec.Struct, frozen=True):
    """An open question of the bearer's own."""

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
    """The canonical text: only one's own, or anybody's when the match is over."""
    by_clock: bool = False
    """The time was over: it was played for its seat."""
    by_orders: bool = False
    """Its owner's standing orders played it. Nobody else is told."""


class PlayerView(msgspec.Struct, frozen=True):
    """A match as one bearer may see it now."""

    match_id: int
    game: Game
    status: str
    """open, running, over, called_off."""
    options: dict[str, str]
    ply: int
    seat: Seat | None
    """The bearer's seat; None: an onlooker."""
    by_token: bool
    """The bearer came by a letter's link."""
    stale: bool
    """The link was good for a turn that is over: this is what everybody may see."""
    view: View
    sittings: tuple[SeatInfo, ...]
    to_move: tuple[Seat, ...]
    """Who is waited for."""
    asked: tuple[Asked, ...]
    heard: tuple[LogEntry, ...]
    """The last plies, oldest first."""
    can_take_back: bool
    demo: bool
    outcome: Outcome | None
    commitment: str
    """SHA-256 of the secret in hex."""
    words: tuple[str, ...]
    secret: str | None
    """In hex; only when the match is over."""
    last_ply: int
    """Of the match, where an earlier one is looked at."""
    started_at: datetime | None
    ended_at: datetime | None
    zone: str = "UTC"
    """Of the bearer's seat."""
    rule: Rule = Rule()
    deadlines: tuple[Deadline, ...] = ()
    """Of the seats that are waited for, where clocks run."""
    paused: bool = False
    frozen: bool = False
    """The operator stopped all clocks."""
    keys: Seat | None = None
    """Whose player may do what the organiser may."""
    nudges: tuple[Seat, ...] = ()
    """Whom the bearer may remind that he is waited for."""
    notices: tuple[Notice, ...] = ()
    """Those since the first of the plies told here, oldest first."""

    def banked(self, one: SeatInfo) -> float | None:
        """Seconds of thinking time that a seat has for its next turn; None: no bank, or its clock runs."""
        plays = self.status == "running" and not one.bot and not one.resigned and one.open_since is None
        runs = any(due.seat == one.seat for due in self.deadlines)
        if self.rule.kind != "bank" or not plays or runs or self.ply != self.last_ply:
            return None
        return float(self.rule.bank) if one.bank is None else one.bank

    def name(self, seat: Seat) -> str:
        """The name of who sits on the seat."""
        return next((one.name for one in self.sittings if one.seat == seat), seat)

    def name_then(self, seat: Seat, at: datetime) -> str:
        """The name of who sat on the seat when something happened: nobody answers for whose seat he took."""
        for one in self.notices:
            if one.what == "seat_taken" and one.seat == seat and at < one.at:
                return str(one.facts["before"])
        return self.name(seat)

    def names_then(self, at: datetime) -> Callable[[Seat], str]:
        """`name_then` of a moment."""
        return lambda seat: self.name_then(seat, at)


class Done(msgspec.Struct, frozen=True):
    """A line that was played, or had been."""

    match_id: int
    seat: Seat
    ply: int
    """After it."""
    moves: tuple[str, ...]
    again: bool = False
    """The same answer had been given before; nothing was done now."""


class MatchLine(msgspec.Struct, frozen=True):
    """A match in a list."""

    match_id: int
    game: Game
    status: str
    """open, running, over."""
    seat: Seat | None
    """Of whose list it is; None in the public one, and before the start."""
    waiting: bool
    """It waits for that seat."""
    organised: bool
    """The player opened the table."""
    sittings: tuple[SeatInfo, ...]
    """Empty before the start."""
    to_move: tuple[Seat, ...]
    demo: bool
    at: datetime
    """When it ended, was started or was opened, whichever came last."""
    deadline: Deadline | None = None
    """Until when it waits for the player whose list it is."""
