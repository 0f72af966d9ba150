"""When all clocks of the house stand still: nothing swept for a while, or the operator stopped them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from app import clock
from app.engine import codec
from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop
from app.play.match.snapshot import stops
from app.store.session import Store
from app.store.statement import Statement, Wire, moment, stored

TICK = "tick"
"""The heartbeat of the sweeps."""
GAP = timedelta(minutes=5)
"""Without a tick for longer than this, the house was away."""
RECOVERY = timedelta(minutes=5)
"""After that its clocks stand still for so much longer: nobody's time is up before he can open a page."""

_last = Statement("SELECT at FROM heartbeat WHERE name = ?")
_beat = Statement("UPDATE heartbeat SET at = ? WHERE name = ? AND at = ?")
_first = Statement("INSERT INTO heartbeat (name, at) VALUES (?, ?)", after="ON CONFLICT (name) DO NOTHING")
_stops = Statement("SELECT stops FROM house WHERE id = 1")
_house = Statement("INSERT INTO house (id, stops) VALUES (1, '[]')", after="ON CONFLICT (id) DO NOTHING")
_stop = Statement("UPDATE house SET stops = ? WHERE id = 1 AND stops = ?")
_oldest = Statement("SELECT MIN(begun_at) FROM question WHERE closed_at IS NULL AND begun_at IS NOT NULL")
_look_again = Statement(
    """UPDATE question SET due_at = ?
       WHERE closed_at IS NULL AND begun_at IS NOT NULL AND due_at IS NULL"""
)


def beat(store: Store) -> bool:
    """Say that the sweeps run. True: they had not for longer than GAP, and all clocks stood still meanwhile.

    Of several at once, one finds the gap. The very first beat of a house finds none.
    """
    with store.statements() as connection:
        now = clock.now()
        at = stored(connection, now)
        if _first.run(connection, TICK, at):
            return False
        last = _last.fetch(connection, TICK)[0][0]
        while _beat.run(connection, at, TICK, last) != 1:  # another was faster: by its beat there is no gap
            last = _last.fetch(connection, TICK)[0][0]
        gap = Stop(moment(last), now + RECOVERY)
        return now - gap.begins > GAP and _change(connection, lambda known: (*known, gap))


def freeze(store: Store) -> bool:
    """Stop all clocks until `thaw`. False: they stood still by the operator's word already."""
    now = clock.now()

    def frozen(known: tuple[Stop, ...]) -> tuple[Stop, ...]:
        return known if rules.open_ended(known) else (*known, Stop(now))

    with store.statements() as connection:
        return _change(connection, frozen)


def thaw(store: Store) -> bool:
    """Let all clocks go on with what was left. False: the operator had not stopped them."""
    now = clock.now()

    def thawed(known: tuple[Stop, ...]) -> tuple[Stop, ...]:
        return tuple(Stop(stop.begins, stop.ends or max(now, stop.begins)) for stop in known)

    with store.statements() as connection:
        changed = _change(connection, thawed)
        if changed:  # what began meanwhile has no deadline yet: the sweep works out the truth of each
            _look_again.run(connection, stored(connection, now))
    return changed


def all_stopped_now(connection: Wire) -> bool:
    """The whole house stands still at this moment."""
    return all_stopped(_known(connection)[1])


def all_stopped(known: tuple[Stop, ...]) -> bool:
    """By these stops of the house all its clocks stand still at this moment."""
    return rules.standing_still(clock.now(), Calendar(stops=known)) is not None


def _known(connection: Wire) -> tuple[str, tuple[Stop, ...]]:
    found = _stops.fetch(connection)
    text: Any = found[0][0] if found else "[]"
    return text, stops(text)


def _change(connection: Wire, make: Callable[[tuple[Stop, ...]], tuple[Stop, ...]]) -> bool:
    """Change the house's stops, compared and set; whether that made a difference.

    Those that ended before the oldest clock that still runs began are left out: they matter to nobody.
    """
    _house.run(connection)
    while True:
        text, known = _known(connection)
        wanted = make(known)
        if wanted == known:
            return False
        begun = _oldest.fetch(connection)[0][0]
        oldest = clock.now() if begun is None else moment(begun)
        kept = [stop for stop in wanted if stop.ends is None or stop.ends >= oldest]
        if _stop.run(connection, codec.dumps(kept), text) == 1:
            return True
