"""The clock of a run as it is kept: in each of the run's questions, and read back from there."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.store.statement import Wire, moment, moment_or_none, stored


class TurnClock(msgspec.Struct, frozen=True):
    """The clock of a run, as each of its questions keeps it."""

    begun_at: datetime | None = None
    """None: no clock runs for it."""
    allowed: float | None = None
    """Seconds."""
    due_at: datetime | None = None
    """The deadline as last announced."""
    remind_at: datetime | None = None
    late_at: datetime | None = None
    """The deadline passed then, and grace began."""
    announced_at: datetime | None = None
    """The deadline as announced before the clock stood still with no end known."""

    @property
    def floor(self) -> datetime | None:
        """What was announced last: no deadline is earlier."""
        return max((at for at in (self.due_at, self.announced_at) if at is not None), default=None)

    @property
    def span(self) -> timedelta:
        """The counted time that the run may take."""
        return timedelta(seconds=self.allowed or 0)

    def stored(self, connection: Wire) -> tuple[Any, ...]:
        """As the driver writes it, in the order of its fields."""
        if self.begun_at is None:
            return _NOTHING
        return tuple(
            stored(connection, value) if isinstance(value, datetime) else value
            for value in msgspec.structs.astuple(self)
        )


UNTIMED = TurnClock()
_NOTHING = msgspec.structs.astuple(UNTIMED)


def timed(row: Sequence[Any]) -> TurnClock:
    """The clock of a run from the columns of its question."""
    begun_at, allowed, *moments = row
    if begun_at is None:
        return UNTIMED
    return TurnClock(moment(begun_at), allowed, *(moment_or_none(one) for one in moments))
