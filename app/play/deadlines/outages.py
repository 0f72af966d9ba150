"""Times in which all clocks stand still: outages, noticed by missing sweeps, and stops by the operator."""

from collections.abc import Callable
from datetime import timedelta

from app import clock
from app.engine import codec
from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop
from app.play.clock.stoppages import decoded
from app.play.match import invitations, matches, questions, site_stops
from app.store import heartbeat, standstills
from app.store.connection import Connection
from app.store.session import Store

RECOVERY = timedelta(minutes=5)
"""How long clocks still stand after an outage, so that players can open a page before time runs out."""


def beat(store: Store) -> bool:
    """Record a sweep. Returns whether an outage had preceded it, in which all clocks stood still.

    Of several sweeps at once, one notices the outage. The first sweep ever notices none.
    """
    with store.statements() as connection:
        now = clock.now()
        last = heartbeat.beat(connection, site_stops.TICK, now)
        if last is None or now - last <= site_stops.GAP:
            return False
        outage = Stop(last, now + RECOVERY)
        return _change(connection, lambda known: (*known, outage))


def freeze(store: Store) -> bool:
    """Stop all clocks until `thaw`. False: the operator had stopped them before."""
    now = clock.now()

    def frozen(known: tuple[Stop, ...]) -> tuple[Stop, ...]:
        return known if rules.open_ended(known) else (*known, Stop(now))

    with store.statements() as connection:
        return _change(connection, frozen)


def thaw(store: Store) -> bool:
    """Let all clocks go on with the time they had left. False: the operator had not stopped them."""
    now = clock.now()

    def thawed(known: tuple[Stop, ...]) -> tuple[Stop, ...]:
        return tuple(Stop(stop.begins, stop.ends or max(now, stop.begins)) for stop in known)

    with store.statements() as connection:
        changed = _change(connection, thawed)
        if changed:  # clocks begun meanwhile have no deadline yet: the sweep works them out
            questions.look_again_at_all(connection, now)
    return changed


def all_stopped_now(connection: Connection) -> bool:
    """Whether all clocks stand still at this moment."""
    return all_stopped(decoded(standstills.read(connection)))


def all_stopped(known: tuple[Stop, ...]) -> bool:
    """Whether these stops of all clocks hold at this moment."""
    return rules.standing_still(clock.now(), Calendar(stops=known)) is not None


def _change(connection: Connection, make: Callable[[tuple[Stop, ...]], tuple[Stop, ...]]) -> bool:
    """Change the stops of all clocks by compare and set. Returns whether that made a difference.

    Stops that ended before the oldest of all clocks began are dropped: nothing depends on them.
    """
    while True:
        before = standstills.read(connection)
        known = decoded(before)
        changed = make(known)
        if changed == known:
            return False
        found = (one.oldest_clock(connection) for one in (invitations, matches))
        oldest = min((at for at in found if at is not None), default=clock.now())
        kept = [stop for stop in changed if stop.ends is None or stop.ends >= oldest]
        if standstills.replace(connection, before, codec.dumps(kept)):
            return True
