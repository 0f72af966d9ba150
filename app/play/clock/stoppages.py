"""The times in which all clocks stood still."""

from datetime import datetime
from functools import lru_cache

import msgspec

from app.play.clock import rules
from app.play.clock.rules import Calendar, Stop


@lru_cache(maxsize=64)
def decoded(text: str) -> tuple[Stop, ...]:
    """The stops of all clocks, from the JSON that is stored."""
    return msgspec.json.decode(text, type=tuple[Stop, ...])


def stood(stops: tuple[Stop, ...], since: datetime, now: datetime) -> tuple[Stop, ...]:
    """The finished stretches of these stops from a moment until now, in order.

    The last may end some minutes from now, after an outage. One that is open-ended is left out.
    """
    whole = _whole(stops) if stops else ()
    return tuple(one for one in whole if one.ends is not None and since < one.ends and one.begins <= now)


@lru_cache(maxsize=64)
def _whole(stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """The stretches of stops, those that touch as one."""
    calendar = Calendar(stops=stops)
    begun = sorted({stop.begins for stop in stops})
    found = (rules.standing_still(at, calendar) for at in begun)
    return tuple(dict.fromkeys(one for one in found if one is not None))
