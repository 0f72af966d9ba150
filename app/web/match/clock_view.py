"""Deadlines on a page: in the reader's own time where the house knows it, and as what is left of them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from markupsafe import Markup

from app import clock, narrate
from app.engine.game import Seat
from app.people.service import Person
from app.play.clock.rules import Stop
from app.play.match.records import Deadline, PlayerView
from app.web.core.rendering import when


class Times(msgspec.Struct, frozen=True):
    """What a page says of clocks, in a language and a zone."""

    language: str
    zone: str | None
    """None: nobody knows; the script puts moments into the browser's."""

    def at(self, moment: datetime) -> Markup:
        """A moment in full: the day, the time, the zone."""
        if self.zone is None:
            return when(moment)
        local = moment.astimezone(ZoneInfo(self.zone))
        return _time(moment, narrate.moment(self.language, local), "")

    def briefly(self, moment: datetime) -> Markup:
        """A moment as short as can be; all of it is its title."""
        return self._short(moment, "short_moment")

    def dated(self, moment: datetime) -> Markup:
        """A moment of any year with its zone, on one line of a log; all of it is its title."""
        return self._short(moment, "dated_moment")

    def left(self, deadline: Deadline) -> str:
        """How much of the time is left, in days and hours."""
        return narrate.left(self.language, deadline.left)

    def skips(self, deadline: Deadline) -> bool:
        """Whether its clock runs, and time that does not count lies before it."""
        return deadline.skips(clock.now())

    def past(self, deadline: Deadline) -> bool:
        """Whether its time is up and nothing has followed yet, as while the house is away."""
        return deadline.overdue(clock.now())

    def why(self, deadline: Deadline) -> str:
        """Why its clock stands still."""
        return narrate.say(narrate.HOUSE, self.language, f"stands_{deadline.why}")

    def _short(self, moment: datetime, macro: str) -> Markup:
        if self.zone is None:
            return when(moment)
        local = moment.astimezone(ZoneInfo(self.zone))
        short = narrate.say(narrate.HOUSE, self.language, macro, local)
        return _time(moment, short, narrate.moment(self.language, local))


class Clock(msgspec.Struct, frozen=True):
    """The clock of a match for its page."""

    times: Times
    rule: str
    """In sentences."""
    follows: str
    """What follows the grace, as part of a sentence."""
    until: dict[Seat, Deadline]
    away: dict[Seat, tuple[Stop, ...]]
    """Absences that are not over."""
    banks: dict[Seat, str]
    """What the seats that are not asked have left for their next turn."""

    @property
    def stood(self) -> tuple[Stop, ...]:
        """When the house stood still in the time of those who are waited for."""
        every = {stop for one in self.until.values() for stop in one.stood}
        return tuple(sorted(every, key=lambda stop: stop.begins))


def of(sight: PlayerView, language: str, reader: Person | None) -> Clock:
    """The clock of what somebody sees: his seat's zone counts, else the zone of who is signed in."""
    now = clock.now()
    zone = sight.zone if sight.seat is not None else reader.zone if reader is not None else None
    return Clock(
        Times(language, zone),
        narrate.clock_rule(language, sight.rule),
        narrate.say(narrate.HOUSE, language, f"clock_then_{sight.rule.then}"),
        {one.seat: one for one in sight.deadlines},
        {
            one.seat: tuple(stop for stop in one.away if stop.ends is None or stop.ends > now)
            for one in sight.sittings
        },
        {
            one.seat: narrate.say(narrate.HOUSE, language, "banked", left)
            for one in sight.sittings
            if (left := sight.banked(one)) is not None
        },
    )


def _time(moment: datetime, text: str, title: str) -> Markup:
    marked = Markup(' title="{}"').format(title) if title else ""
    return Markup('<time datetime="{}" data-zoned{}>{}</time>').format(
        moment.strftime("%Y-%m-%dT%H:%MZ"), marked, text
    )
