"""How far the clock on the wall goes: elapsed time, and the hours that clocks are put forward or back. Pure.

An hour that is skipped has gone by at once; of an hour that comes twice, only the first counts.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

LONGEST = timedelta(hours=3)
"""A larger change is another date, as where an island changes sides of the date line: that skips no hours."""
NO_TIME = timedelta(0)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BLOCK = timedelta(days=64)
_SAMPLE = timedelta(days=8)
"""No zone changes its clocks twice within it."""
_SECOND = timedelta(seconds=1)


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """The zone of that name, or UTC if it is unknown."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def gone(zone: str, begins: datetime, ends: datetime, since: datetime, *, stops: bool) -> timedelta:
    """How far the clock goes between two moments, in a count that began at `since`.

    `stops`: the count stops at the end, so that hours skipped in that moment are not part of it.
    """
    counted = ends - begins
    for at, forward in _changes(zone, begins - LONGEST, ends):
        if forward > NO_TIME:
            counted += forward if since < at and begins <= at and not (stops and at == ends) else NO_TIME
        else:
            counted -= max(min(ends, at - forward) - max(begins, at), NO_TIME)
    return counted


def moment(zone: str, begins: datetime, span: timedelta, since: datetime) -> datetime:
    """The first moment by which the clock has gone so far, in a count that began at `since`."""
    ends = begins + span
    for at, forward in _changes(zone, begins - LONGEST, ends + LONGEST * 8):
        if at >= ends:
            break
        if forward > NO_TIME:
            ends = max(ends - forward, at) if since < at and begins <= at else ends
        else:
            ends += max(at - forward - max(begins, at), NO_TIME)
    return ends


def _changes(zone: str, begins: datetime, ends: datetime) -> Iterator[tuple[datetime, timedelta]]:
    """The changes of the clocks from one moment to another, each with the time by which they go forward."""
    for block in range((begins - _EPOCH) // _BLOCK, (ends - _EPOCH) // _BLOCK + 1):
        for one in _block(zone, block):
            if begins <= one[0] <= ends:
                yield one


@lru_cache(maxsize=8192)
def _block(name: str, number: int) -> tuple[tuple[datetime, timedelta], ...]:
    zone, first = zone_of(name), _EPOCH + _BLOCK * number
    samples = [first + _SAMPLE * n for n in range(_BLOCK // _SAMPLE + 1)]
    offsets = [_offset(zone, at) for at in samples]
    found = []
    for n, at in enumerate(samples[1:]):
        forward = offsets[n + 1] - offsets[n]
        if NO_TIME < abs(forward) <= LONGEST:
            found.append((_change(zone, samples[n], at), forward))
    return tuple(found)


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The moment between two at which the offset of a zone becomes that of the later one."""
    new = _offset(zone, after)
    while after - before > _SECOND:
        middle = before + (after - before) // (2 * _SECOND) * _SECOND
        if _offset(zone, middle) == new:
            after = middle
        else:
            before = middle
    return after


def _offset(zone: ZoneInfo, at: datetime) -> timedelta:
    return at.astimezone(zone).utcoffset() or NO_TIME
