"""The players who may give an open seat to a person who asks for it. Pure.

The organiser may. Where the organiser is gone, the others decide by majority: once the organiser's own seat
has been open for seven days, or the organiser plays no longer, or a request was left unanswered for as long.
If nobody is left to decide, or the game was started so, a person who asks gets the seat at once.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from app.engine.game import Seat
from app.play.clock import rules
from app.play.clock.rules import Calendar
from app.play.match.locking import played_by_people
from app.play.match.snapshot import MatchSnapshot, SeatHolder

GONE_AFTER = timedelta(days=7)
ANYBODY, HOST = "anybody", "host"


class Deciders(msgspec.Struct, frozen=True):
    """The seats whose players may decide on a request for an open seat."""

    host: Seat | None
    """The organiser's, who decides alone."""
    others: tuple[Seat, ...]
    """Those who decide by majority; empty: not yet."""
    free: bool = False
    """Nobody needs to agree."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All of them."""
        return (*(() if self.host is None else (self.host,)), *self.others)


def deciders(match: MatchSnapshot, seat: Seat, asked_at: datetime, now: datetime) -> Deciders:
    """The seats that may decide on a request for a seat, made at a moment."""
    host = organiser(match)
    others = tuple(
        one.seat
        for one in played_by_people(match)
        if one.open_since is None and one.seat != seat and (host is None or one.seat != host.seat)
    )
    if match.seat_giver == ANYBODY:
        return Deciders(None, (), free=True)
    if host is not None and host.open_since is None:
        return Deciders(host.seat, others if _since(match, asked_at, now) >= GONE_AFTER else ())
    gone = host is None or host.open_since is None or _since(match, host.open_since, now) >= GONE_AFTER
    return Deciders(None, others if gone else (), free=gone and not others)


def organiser(match: MatchSnapshot) -> SeatHolder | None:
    """The seat of the organiser, if they still play."""
    return next((one for one in played_by_people(match) if one.player_id == match.organiser_id), None)


def agreed(others: tuple[Seat, ...], votes: Mapping[Seat, bool]) -> bool | None:
    """Whether a majority of the seats agrees or can't any more; None: it is open."""
    cast = [votes[seat] for seat in others if seat in votes]
    if sum(cast) * 2 > len(others):
        return True
    return False if (len(others) - cast.count(False)) * 2 <= len(others) else None


def _since(match: MatchSnapshot, begun: datetime, now: datetime) -> timedelta:
    """The time since then in which not all clocks stood still."""
    return rules.spent(begun, now, Calendar(stops=match.standstills))
