"""The ways from one position of a match to its others."""

import msgspec

from app.engine.game import Seat
from app.play.match.records import PlayerView
from app.web.match.log import known_until


class Eyes(msgspec.Struct, frozen=True):
    """A seat with whose knowledge an earlier position can be shown."""

    seat: Seat
    """Empty: the public view."""
    chosen: bool


class History(msgspec.Struct, frozen=True):
    """Addresses of the first, the earlier, the later and the last position."""

    ply: int
    last: int
    base: str
    """The address of the match."""
    query: str
    """Keeps the chosen eyes from position to position."""
    replay_from: int
    """The ply after which a replay begins."""
    eyes: tuple[Eyes, ...]
    """The choice of eyes at an earlier position of a match that is over; else none."""

    def address(self, ply: int) -> str:
        """The address of a position; the last one is the match's own page."""
        return self.base if ply >= self.last else f"{self.base}/{ply}{self.query}"


def history(view: PlayerView, past_ply: int | None) -> History:
    """The history at the position that the view shows."""
    over = view.status == "over" and past_ply is not None
    seats = ("", *(info.seat for info in view.sittings)) if over else ()
    return History(
        ply=view.ply,
        last=view.last_ply,
        base=f"/m/{view.match_id}",
        query=f"?as={view.eyes or 'all'}" if over else "",
        replay_from=0 if view.status == "over" else max(known_until(view), 0),
        eyes=tuple(Eyes(seat, seat == (view.eyes or "")) for seat in seats),
    )
