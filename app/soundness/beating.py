"""The pulse of beat, which asks for the sweeps."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app import clock
from app.soundness.finding import Finding

LATE = timedelta(minutes=3)


def beat(last: datetime | None) -> Iterator[Finding]:
    """Whether beat asks for sweeps, by the moment at which it did so last; None: never."""
    if last is None or clock.now() - last > LATE:
        since = "ever" if last is None else f"since {last:%Y-%m-%d %H:%M} UTC"
        yield Finding(
            f"beat has asked for no sweep {since}",
            "The workers sweep by themselves, but later: reminders and deadlines are up to two minutes late.",
            "Start `tidepost beat`, once",
        )
