"""The clock of one turn, as the rows of its questions keep it."""

from datetime import datetime, timedelta

import msgspec


class TurnClock(msgspec.Struct, frozen=True):
    """When a turn's time began, how long it may last, and what was announced."""

    begun_at: datetime | None = None
    """None: no clock runs."""
    allowed: float | None = None
    """Seconds."""
    due_at: datetime | None = None
    """The deadline as last announced."""
    remind_at: datetime | None = None
    late_at: datetime | None = None
    """When the deadline passed and the grace period began."""
    announced_at: datetime | None = None
    """The deadline announced before the clock was stopped with no known end."""
    zone: str = ""
    """The time zone in which it counts, from beginning to end; empty: that of its player."""
    reminded: str = ""
    """The reminders that have come, as `reminders.check` writes them: each comes once in a turn."""

    @property
    def floor(self) -> datetime | None:
        """The last announced deadline: no later one is earlier."""
        return max((at for at in (self.due_at, self.announced_at) if at is not None), default=None)

    @property
    def span(self) -> timedelta:
        """The counted time that the turn may take."""
        return timedelta(seconds=self.allowed or 0)


UNTIMED = TurnClock()
