"""The contents of the table page of a running match."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.play.match.records import PlayerView, SeatInfo
from app.play.seats.organiser import MOST_DAYS
from app.web.match.clock_view import ClockView

"""The words to type as a confirmation, in every language."""


class HookOfGame(msgspec.Struct, frozen=True):
    """A webhook of the game, as every reader may know it."""

    form: str
    name: str
    """Of the player who set it; empty: they don't play here any more."""


class AdminPage(msgspec.Struct, frozen=True):
    """The contents of the table page."""

    match: PlayerView
    title: str
    """Of the game."""
    clock: ClockView
    now: datetime
    address: str
    """Of the match's page."""
    done: str
    """The action just carried out."""
    refusal: str
    form: Mapping[str, str]
    """The refused form."""
    locked: bool
    """The viewer's link is too old for the organiser's tools, or is a turn's."""
    no_mailbox: frozenset[Seat] = frozenset()
    """The seats whose players' mailboxes don't exist, or are full."""
    not_reached: frozenset[Seat] = frozenset()
    """The seats whose players' providers refuse our emails."""
    may_play: bool = False
    """The viewer isn't signed in as a player of the game, but this browser may play a seat of it."""
    trusted: bool = True
    """The viewer may decide on requests for open seats: by a session or a fresh link."""
    public: bool = False
    """Anybody may see the game, so that webhooks may tell of it."""
    hooks: tuple[HookOfGame, ...] = ()
    """Those that tell of it."""
    most_days: int = MOST_DAYS

    @property
    def max_days(self) -> int:
        """The days of extensions that are left."""
        return max(self.most_days - self.match.extended, 0)

    @property
    def running(self) -> bool:
        """The match goes on."""
        return self.match.status == "running"

    @property
    def mine(self) -> SeatInfo | None:
        """The viewer's seat."""
        return next((info for info in self.match.sittings if info.seat == self.match.seat), None)

    @property
    def plays(self) -> bool:
        """The viewer still plays."""
        return self.running and self.mine is not None and not self.mine.resigned

    @property
    def organises(self) -> bool:
        """The viewer has the organiser's tools."""
        return self.plays and self.match.keys == self.match.seat

    @property
    def people(self) -> list[SeatInfo]:
        """The seats that people play."""
        return [info for info in self.match.sittings if not info.bot and not info.resigned]

    @property
    def pausing(self) -> list[SeatInfo]:
        """The seats whose players want a pause."""
        return [info for info in self.people if info.pause_wanted]

    @property
    def open_seats(self) -> list[SeatInfo]:
        """The open seats of others."""
        others = (info for info in self.match.sittings if info.seat != self.match.seat)
        return [info for info in others if info.open_since] if self.running else []

    @property
    def offers(self) -> bool:
        """The viewer may offer open seats to others, who then may take them."""
        return self.organises and self.match.seat_giver != "anybody"

    @property
    def others(self) -> list[SeatInfo]:
        """The other people's seats that are not open."""
        return [info for info in self.people if info.seat != self.match.seat and not info.open_since]

    @property
    def without_mailbox(self) -> list[SeatInfo]:
        """The others whose mailboxes don't exist, or are full."""
        return [info for info in self.others if info.seat in self.no_mailbox]

    @property
    def unreached(self) -> list[SeatInfo]:
        """The other players that emails don't reach."""
        return [info for info in self.others if info.seat in self.not_reached]

    @property
    def silent(self) -> list[SeatInfo]:
        """The others whose seats the organiser may open: overdue, or without a clock asked."""
        if self.match.rule.kind == "none":
            return [info for info in self.others if info.seat in self.match.to_move]
        late = {one.seat for one in self.match.deadlines if one.late or one.overdue(self.now)}
        return [info for info in self.others if info.seat in late]
