"""The clock of a match and the deadlines on a page, in the reader's time zone if known."""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec
from markupsafe import Markup, escape

from app import clock, narrate
from app.engine.game import Seat
from app.people.service import Person
from app.play.clock.rules import Stop
from app.play.match.records import Deadline, PlayerView
from app.web.core.rendering import when
from app.words import formats


class TimeFormat(msgspec.Struct, frozen=True):
    """Formats moments and deadlines in a language and a time zone."""

    language: str
    zone: str | None
    """None: unknown; the page's script converts to the browser's."""

    def full(self, moment: datetime) -> Markup:
        """The weekday, date, time and zone."""
        if self.zone is None:
            return when(self.language, moment)
        local = moment.astimezone(ZoneInfo(self.zone))
        return _time(moment, narrate.moment(self.language, local), "")

    def short(self, moment: datetime) -> Markup:
        """The weekday, day and time, with the full form as its title."""
        return self._titled(moment, formats(self.language).short_moment)

    def dated(self, moment: datetime) -> Markup:
        """The date with year, time and zone, with the full form as its title."""
        return self._titled(moment, formats(self.language).dated_moment)

    def left(self, deadline: Deadline) -> str:
        """The remaining time, in days and hours."""
        return narrate.left(self.language, deadline.left)

    def skips(self, deadline: Deadline) -> bool:
        """Whether the clock runs and time that doesn't count lies before the deadline."""
        return deadline.skips(clock.now())

    def past(self, deadline: Deadline) -> bool:
        """Whether the deadline has passed without a consequence yet, as during an outage."""
        return deadline.overdue(clock.now())

    def _titled(self, moment: datetime, written: Callable[[datetime], str]) -> Markup:
        if self.zone is None:
            return when(self.language, moment)
        return _written(self, moment, written)


@lru_cache(maxsize=8192)
def _written(time_format: TimeFormat, moment: datetime, written: Callable[[datetime], str]) -> Markup:
    assert time_format.zone is not None
    local = moment.astimezone(ZoneInfo(time_format.zone))
    return _time(moment, written(local), narrate.moment(time_format.language, local))


class ClockView(msgspec.Struct, frozen=True):
    """The clock of a match as its page shows it."""

    time_format: TimeFormat
    rule: str
    """In sentences."""
    deadlines: dict[Seat, Deadline]
    away: dict[Seat, tuple[Stop, ...]]
    """Absences that are not over."""
    banks: dict[Seat, str]
    """Time banks of the seats whose clocks don't run."""

    @property
    def outages(self) -> tuple[Stop, ...]:
        """The outages during the turns that are waited for."""
        every = {stop for one in self.deadlines.values() for stop in one.stood}
        return tuple(sorted(every, key=lambda stop: stop.begins))


def clock_view(view: PlayerView, language: str, reader: Person | None) -> ClockView:
    """The clock, in the zone of the viewer's seat, else of the signed-in player."""
    now = clock.now()
    zone = view.zone if view.seat is not None else reader.zone if reader is not None else None
    return ClockView(
        TimeFormat(language, zone),
        narrate.clock_rule(language, view.rule),
        {one.seat: one for one in view.deadlines},
        {
            info.seat: tuple(stop for stop in info.away if stop.ends is None or stop.ends > now)
            for info in view.sittings
        },
        {
            info.seat: narrate.say(narrate.SITE, language, "banked", left)
            for info in view.sittings
            if (left := view.banked(info)) is not None
        },
    )


def _time(moment: datetime, text: str, title: str) -> Markup:
    titled = f' title="{escape(title)}"' if title else ""
    return Markup(  # noqa: S704 - just escaped
        f'<time datetime="{moment:%Y-%m-%dT%H:%MZ}" data-zoned{titled}>{escape(text)}</time>'
    )
