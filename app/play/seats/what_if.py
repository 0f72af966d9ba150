"""A game that a player plays on in thought (“what if”). It belongs to their time on the seat, like notes."""

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from app import clock
from app.engine.game import Seat
from app.play.match.imagined import MOST_LINES, Imagined, Line
from app.play.match.locking import seated
from app.play.match.records import Closed, NotFound, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot
from app.play.moves import orders
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query

MOST_DEALS = 1_000_000


class Kept(msgspec.Struct, frozen=True):
    """A row of the table."""

    deal: int
    lines: tuple[Line, ...]


class Thought(msgspec.Struct, frozen=True):
    """The thoughts of a player so far, on a match as it was read."""

    match: MatchSnapshot
    seat: Seat
    world: Imagined
    deal: int
    """The number of the world; another one is dealt with another."""

    @property
    def chair_id(self) -> int:
        """The player's time on the seat."""
        return self.match.holder(self.seat).chair_id

    @property
    def begun(self) -> tuple[str, ...]:
        """The moves of the own seat with which the lines begin."""
        own = takewhile(lambda one: one.seat == self.seat, self.world.lines)
        return tuple(one.text for one in own)

    def otherwise(self, deal: int, lines: Sequence[Line]) -> Imagined:
        """Another world, or other lines, on the same match."""
        return Imagined(self.match.game, self.match.load(), self.seat, deal, lines)


_of_chair = Query(Kept, "SELECT deal, lines FROM whatif WHERE chair_id = :chair_id")
_keep = Command(
    """INSERT INTO whatif (chair_id, match_id, deal, lines, at)
       VALUES (:chair_id, :match_id, :deal, :lines, :now)
       ON CONFLICT (chair_id) DO UPDATE SET deal = excluded.deal, lines = excluded.lines, at = excluded.at"""
)
_forget = Command("DELETE FROM whatif WHERE chair_id = :chair_id")
_delete_of_match = Command(
    """DELETE FROM whatif
       WHERE chair_id IN (SELECT chair_id FROM whatif WHERE match_id = :match_id LIMIT :most)"""
)


def thought(store: Store, viewer: Viewer, match_id: int) -> Thought:
    """The thoughts of the viewer, on the match as it now stands, as far as it still goes there.

    Raises Refused("what_if_needs_seat"): not a player of it; Closed("over", "moved").
    """
    with store.reading() as connection:
        return _thought(connection, viewer, match_id)


def play_on(store: Store, viewer: Viewer, match_id: int, line: Line | None, *, after: int) -> None:
    """Add a line behind the first `after` ones; without a line the bot's. The same again changes nothing.

    Raises Closed("over", "moved"), Refused("what_if_full", "what_if_needs_seat"), RulesError.
    """
    with store.transaction() as connection:
        found = _thought(connection, viewer, match_id)
        if len(found.world.lines) != after:
            return
        if after >= MOST_LINES:
            raise Refused("what_if_full", most=MOST_LINES)
        if line is None and not found.world.asked:
            raise Closed("over", match_id=match_id)
        found.world.add(line or found.world.by_bot())
        _write(connection, found, found.deal, found.world.lines)


def until_own(store: Store, viewer: Viewer, match_id: int) -> None:
    """Let the computer play for the others until the viewer's seat is asked, or there is no room for more.

    The same again changes nothing. Errors as `thought`.
    """
    with store.transaction() as connection:
        found = _thought(connection, viewer, match_id)
        world = found.world
        while world.asked and len(world.lines) < MOST_LINES:
            if any(one.seat == found.seat and not one.optional for one in world.asked):
                break
            world.add(world.by_bot())
        _write(connection, found, found.deal, world.lines)


def choose(store: Store, viewer: Viewer, match_id: int, at: int, shown: tuple[str, ...]) -> None:
    """Say what chance shows in a line; what follows and can't happen any more is dropped.

    Errors as `thought`.
    """
    with store.transaction() as connection:
        found = _thought(connection, viewer, match_id)
        lines = list(found.world.lines)
        if 0 <= at < len(lines):
            lines[at] = msgspec.structs.replace(lines[at], shown=shown)
            _write(connection, found, found.deal, found.otherwise(found.deal, lines).lines)


def go_back(store: Store, viewer: Viewer, match_id: int, to: int) -> None:
    """Keep the first `to` lines only. Errors as `thought`."""
    with store.transaction() as connection:
        found = _thought(connection, viewer, match_id)
        _write(connection, found, found.deal, found.world.lines[: max(to, 0)])


def deal_anew(store: Store, viewer: Viewer, match_id: int, deal: int) -> None:
    """Play the lines in another world, as far as they go there. Errors as `thought`."""
    with store.transaction() as connection:
        found = _thought(connection, viewer, match_id)
        number = abs(deal) % MOST_DEALS
        _write(connection, found, number, found.otherwise(number, found.world.lines).lines)


def forget(store: Store, viewer: Viewer, match_id: int) -> None:
    """Begin again from the match as it stands. Errors as `thought`."""
    with store.transaction() as connection:
        _forget.run(connection, chair_id=_thought(connection, viewer, match_id).chair_id)


def as_orders(store: Store, viewer: Viewer, match_id: int) -> None:
    """Leave the viewer's own lines as conditional moves, behind those they have. Errors as `orders.leave`.

    Lines with which their list ends already, or that stand in it in this order, are not left twice.
    """
    found = thought(store, viewer, match_id)
    before = [one.line for one in orders.orders(store, viewer, match_id).wishes]
    own = [one.text for one in found.world.lines if one.seat == found.seat]
    orders.leave(store, viewer, match_id, "\n".join(joined(before, own)))


def joined(before: list[str], own: list[str]) -> list[str]:
    """Both lists, without what both have where they meet. A move may stand in them more than once."""
    if any(before[at : at + len(own)] == own for at in range(len(before))):
        return before
    shared = max(many for many in range(len(own) + 1) if before[len(before) - many :] == own[:many])
    return [*before, *own[shared:]]


def delete_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Delete all that was imagined of a match, so many rows at most; returns how many."""
    return _delete_of_match.run(connection, match_id=match_id, most=most)


def _thought(connection: Connection, viewer: Viewer, match_id: int) -> Thought:
    try:
        match, seat = seated(connection, match_id, viewer)
    except NotFound:
        raise Refused("what_if_needs_seat") from None
    if not match.running:
        raise Closed(match.why_closed, match_id=match_id)
    kept = _of_chair.first(connection, chair_id=match.holder(seat).chair_id) or Kept(1, ())
    world = Imagined(match.game, match.load(), seat, kept.deal, kept.lines)
    return Thought(match, seat, world, kept.deal)


def _write(connection: Connection, found: Thought, deal: int, lines: tuple[Line, ...]) -> None:
    text = msgspec.json.encode(lines).decode()
    about = {"chair_id": found.chair_id, "match_id": found.match.match_id}
    _keep.run(connection, **about, deal=deal, lines=text, now=clock.now())
