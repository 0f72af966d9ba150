"""Standing orders as rows: wishes for the next turn, in order, and policies. They end with a tenure.

A chair's `orders` is true exactly while some of its orders are active. Writers hold the match.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import msgspec

from app.engine.game import Game, Seat
from app.play.match import chairs
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.connection import Connection
from app.store.sql import Command, Query

DROPPED = ("none_possible", "turn_over", "ended")
"""Results that the owner is told of: the order was not carried out."""
MOST_PAST = 12


class Order(msgspec.Struct, frozen=True):
    """One standing order."""

    order_id: int
    kind: str
    """wish, policy."""
    name: str
    """Of the policy."""
    text: str
    until: datetime | None
    created_at: datetime
    closed_at: datetime | None
    result: str
    """played, withdrawn, turn_over, none_possible, ended, resigned, replaced, over; empty while it stands."""
    closed_ply: int | None

    @property
    def line(self) -> str:
        """The text to write behind the word `orders` in a reply: of a policy with its name."""
        return f"{self.name} {self.text}".strip()


class Orders(msgspec.Struct, frozen=True):
    """The standing orders of a player on their seat."""

    wishes: tuple[Order, ...] = ()
    """In the order in which they are tried."""
    policies: tuple[Order, ...] = ()
    """One with an end comes before one without, and hides it until then."""
    expired: tuple[Order, ...] = ()
    """Policies whose time is over and that are not closed yet."""
    past: tuple[Order, ...] = ()
    """The last that were played or came to nothing, newest first, without withdrawn ones."""

    def policy(self, name: str) -> Order | None:
        """The order that counts now for a policy; None: the player is asked."""
        return next((one for one in self.policies if one.name == name), None)


class LeftAhead(msgspec.Struct, frozen=True):
    """A standing order as another server can go on with it."""

    kind: str
    name: str
    text: str
    until: datetime | None
    created_at: datetime
    ply: int
    """As `StandingOrder.ply`."""


class _Brought(msgspec.Struct, frozen=True):
    kind: str
    name: str
    place: int
    text: str
    until: datetime | None
    created_at: datetime
    ply: int


class _New(msgspec.Struct, frozen=True):
    place: int
    """Among the wishes."""
    text: str


_active = Query(
    Order,
    """SELECT id AS order_id, kind, name, text, until, created_at, closed_at, result, closed_ply
       FROM standingorder WHERE chair_id = :chair_id AND closed_at IS NULL ORDER BY kind, place, id""",
)
_past = Query(
    Order,
    """SELECT id AS order_id, kind, name, text, until, created_at, closed_at, result, closed_ply
       FROM standingorder
       WHERE chair_id = :chair_id AND closed_at IS NOT NULL AND result <> 'withdrawn' AND closed_ply > :since
       ORDER BY closed_ply DESC, id DESC LIMIT :most""",
)
_insert = Command(
    """INSERT INTO standingorder (match_id, chair_id, seat, kind, name, place, text, until, created_at, ply,
                                  result)
       VALUES (:match_id, :chair_id, :seat, :kind, :name, :place, :text, :until, :now, :ply, '')"""
)
_standing = Query(
    LeftAhead,
    """SELECT kind, name, text, until, created_at, ply FROM standingorder
       WHERE chair_id = :chair_id AND closed_at IS NULL ORDER BY kind, place, id""",
)
_bring = Command(
    """INSERT INTO standingorder (match_id, chair_id, seat, kind, name, place, text, until, created_at, ply,
                                  result)
       VALUES (:match_id, :chair_id, :seat, :kind, :name, :place, :text, :until, :created_at, :ply, '')"""
)
_close = Command(
    """UPDATE standingorder SET closed_at = :now, closed_ply = :ply, result = :result
       WHERE id = :order_id AND closed_at IS NULL"""
)
_end = Command(
    """UPDATE standingorder SET closed_at = :now, closed_ply = :ply, result = :result
       WHERE chair_id = :chair_id AND closed_at IS NULL"""
)
_end_turn = Command(
    """UPDATE standingorder SET closed_at = :now, closed_ply = :ply, result = 'turn_over'
       WHERE chair_id = :chair_id AND closed_at IS NULL AND kind = 'wish' AND ply < :turn"""
)
_try = Command(
    """UPDATE standingorder SET ply = :ply
       WHERE chair_id = :chair_id AND closed_at IS NULL AND kind = 'wish' AND ply > :ply"""
)
_played_in = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM standingorder
                      WHERE chair_id = :chair_id AND kind = 'wish' AND result = 'played'
                        AND closed_ply > :turn) AS found""",
)
_any = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM standingorder
                      WHERE chair_id = :chair_id AND closed_at IS NULL) AS active""",
)
_delete_of_match = Command(
    """DELETE FROM standingorder WHERE id IN (SELECT id FROM standingorder
           WHERE match_id = :match_id AND closed_at IS NOT NULL LIMIT :most)"""
)


def orders(
    connection: Connection, chair_id: int, now: datetime, since: int = -1, most: int = MOST_PAST
) -> Orders:
    """The orders of a chair; of past ones, those that ended after the ply `since`."""
    active = _active.all(connection, chair_id=chair_id)
    past = _past.all(connection, chair_id=chair_id, since=since, most=most) if most else []
    ended = tuple(one for one in active if one.until is not None and one.until <= now)
    policies = [one for one in active if one.kind == "policy" and one not in ended]
    return Orders(
        tuple(one for one in active if one.kind == "wish"),
        tuple(sorted(policies, key=lambda one: one.until is None)),
        ended,
        tuple(past),
    )


def keep(
    connection: Connection,
    now: datetime,
    match: MatchSnapshot,
    holder: SeatHolder,
    kind: str,
    texts: Iterable[str],
    name: str = "",
    until: datetime | None = None,
) -> None:
    """Add orders, in this order."""
    _insert.write(
        connection,
        [_New(n, text) for n, text in enumerate(texts)],
        match_id=match.match_id,
        chair_id=holder.chair_id,
        seat=holder.seat,
        kind=kind,
        name=name,
        until=until,
        now=now,
        ply=match.ply,
    )
    _mark(connection, holder.chair_id)


def standing(connection: Connection, chair_id: int) -> list[LeftAhead]:
    """The orders of a chair that stand, in the order in which they are tried."""
    return _standing.all(connection, chair_id=chair_id)


def bring(
    connection: Connection, match_id: int, chair_id: int, seat: Seat, orders: Sequence[LeftAhead]
) -> None:
    """Write down orders that stood on another server, in this order."""
    rows = [
        _Brought(one.kind, one.name, n, one.text, one.until, one.created_at, one.ply)
        for n, one in enumerate(orders)
    ]
    _bring.write(connection, rows, match_id=match_id, chair_id=chair_id, seat=seat)
    _mark(connection, chair_id)


def close(
    connection: Connection, now: datetime, holder: SeatHolder, ids: Collection[int], ply: int, result: str
) -> None:
    """End these orders with this result, as of a ply."""
    for order_id in ids:
        _close.run(connection, now=now, ply=ply, result=result, order_id=order_id)
    _mark(connection, holder.chair_id)


def end(connection: Connection, now: datetime, chair_id: int, ply: int, result: str) -> None:
    """End all orders of a chair with this result: its player leaves it, or the match is over."""
    if _end.run(connection, now=now, ply=ply, result=result, chair_id=chair_id):
        _mark(connection, chair_id)


def tried(connection: Connection, holder: SeatHolder, turn: int) -> None:
    """Let the rest of the list end with this turn, in which it was tried, even if given during it."""
    _try.run(connection, ply=turn - 1, chair_id=holder.chair_id)


def played_in(connection: Connection, holder: SeatHolder, turn: int) -> bool:
    """Whether a wish was played in the turn."""
    return _played_in.one(connection, chair_id=holder.chair_id, turn=turn)


def _mark(connection: Connection, chair_id: int) -> None:
    """Refresh the seat's `orders` flag and invalidate that player's page."""
    chairs.mark_orders(connection, chair_id, active=_any.one(connection, chair_id=chair_id))


def settle(
    connection: Connection,
    now: datetime,
    match: MatchSnapshot,
    ply: int,
    asked: Collection[Seat],
    *,
    over: bool,
) -> None:
    """End the orders that no longer apply after a ply: by the match's end, a resignation, or the turn's end.

    `asked`: the seats asked now. A turn that ends in a window of reaction, or in a placing that goes on from
    turn to turn, leaves a list as it is.
    """
    turns = {one.seat: one for one in match.open if not one.optional}
    for holder in (holder for holder in match.holders if holder.orders):
        last = turns.get(holder.seat)
        if over or holder.resigned:
            end(connection, now, holder.chair_id, ply, "over" if over else "resigned")
        elif last is None or holder.seat in asked or last.asks in passing(match.game):
            continue
        elif _end_turn.run(connection, now=now, ply=ply, chair_id=holder.chair_id, turn=last.turn):
            _mark(connection, holder.chair_id)


def passing(game: Game) -> frozenset[str]:
    """The kinds of question that are no turn of their own."""
    return game.lasting | {policy.asks for policy in game.policies}


def delete_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Delete ended orders of a match; returns how many."""
    return _delete_of_match.run(connection, match_id=match_id, most=most)
