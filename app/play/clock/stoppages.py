"""When the whole house stood still, as it is told to those whose time it did not count for."""

from datetime import datetime
from functools import lru_cache

from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop


def stood(house: tuple[Stop, ...], since: datetime, now: datetime) -> tuple[Stop, ...]:
    """The stretches of it from a moment until now, in order; what goes on until further notice is none yet.

    `house`: its stops. The last stretch may end some minutes from now, after an outage.
    """
    whole = _whole(house) if house else ()
    return tuple(one for one in whole if one.ends is not None and since < one.ends and one.begins <= now)


@lru_cache(maxsize=64)
def _whole(house: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """Those that touch are one."""
    calendar = Calendar(stops=house)
    begun = sorted({stop.begins for stop in house})
    found = (rules.standing_still(at, calendar) for at in begun)
    return tuple(dict.fromkeys(one for one in found if one is not None))
