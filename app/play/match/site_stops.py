"""The times in which all clocks stand still, as they are known at a moment: also an outage that goes on."""

from datetime import datetime, timedelta

from app.play.clock.rules import Stop
from app.play.clock.stoppages import decoded
from app.store import heartbeat, standstills
from app.store.connection import Connection

TICK = "tick"
"""The heartbeat of the sweeps."""
GAP = timedelta(minutes=5)
"""A longer time without a sweep is an outage."""


def known(connection: Connection, now: datetime) -> tuple[Stop, ...]:
    """The stops of all clocks. While no sweep runs, the clocks stand still since the last."""
    stops = decoded(standstills.read(connection))
    last = heartbeat.last_in(connection, TICK)
    return stops if last is None or now - last <= GAP else (*stops, Stop(last))
