"""What players left ahead, as rows: wishes for the next turn, in order, and policies. Each by its own tenure.

A chair's `orders` is true exactly while some of its are active. Whoever writes here holds the match.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from app.engine.game import Game, Seat
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.store.statement import Statement, Wire, moment, moment_or_none, stored

DROPPED = ("none_possible", "turn_over", "ended")
"""Results of which the owner is told: what he left did not come to pass."""
MOST_PAST = 12

_active = Statement(
    """SELECT id, kind, name, text, until, created_at, closed_at, result, closed_ply FROM standingorder
       WHERE chair_id = ? AND closed_at IS NULL ORDER BY kind, place, id"""
)
_past = Statement(
    """SELECT id, kind, name, text, until, created_at, closed_at, result, closed_ply FROM standingorder
       WHERE chair_id = ? AND closed_at IS NOT NULL AND result <> 'withdrawn' AND closed_ply > ?
       ORDER BY closed_ply DESC, id DESC LIMIT ?"""
)
_insert = Statement(
    """INSERT INTO standingorder (match_id, chair_id, seat, kind, name, place, text, until, created_at, ply,
                                  result)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')"""
)
_close = Statement(
    """UPDATE standingorder SET closed_at = ?, closed_ply = ?, result = ?
       WHERE id = ? AND closed_at IS NULL"""
)
_end = Statement(
    """UPDATE standingorder SET closed_at = ?, closed_ply = ?, result = ?
       WHERE chair_id = ? AND closed_at IS NULL"""
)
_end_turn = Statement(
    """UPDATE standingorder SET closed_at = ?, closed_ply = ?, result = 'turn_over'
       WHERE chair_id = ? AND closed_at IS NULL AND kind = 'wish' AND ply < ?"""
)
_try = Statement(
    """UPDATE standingorder SET ply = ?
       WHERE chair_id = ? AND closed_at IS NULL AND kind = 'wish' AND ply > ?"""
)
_played_in = Statement(
    """SELECT 1 FROM standingorder
       WHERE chair_id = ? AND kind = 'wish' AND result = 'played' AND closed_ply > ? LIMIT 1"""
)
_flag = Statement(
    """UPDATE chair SET noted = noted + 1, orders = EXISTS (
           SELECT 1 FROM standingorder WHERE chair_id = ? AND closed_at IS NULL)
       WHERE id = ?"""
)


class Order(msgspec.Struct, frozen=True):
    """One thing left ahead."""

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
        """As it stands behind the word `orders` in a letter: a policy with its name."""
        return f"{self.name} {self.text}".strip()


class Orders(msgspec.Struct, frozen=True):
    """What a player has left ahead on his seat."""

    wishes: tuple[Order, ...] = ()
    """In the order in which they are tried."""
    policies: tuple[Order, ...] = ()
    """One that ends by itself stands before one that does not, and hides it until then."""
    expired: tuple[Order, ...] = ()
    """Policies whose time is over and that nobody has closed yet."""
    past: tuple[Order, ...] = ()
    """The last that were played or came to nothing, newest first. What he withdrew is not among them."""

    def policy(self, name: str) -> Order | None:
        """What counts now for a policy; None: he is asked."""
        return next((one for one in self.policies if one.name == name), None)


def orders(connection: Wire, chair_id: int, now: datetime, since: int = -1, most: int = MOST_PAST) -> Orders:
    """What was left on a chair; of the past, what ended after this ply."""
    standing = [_order(row) for row in _active.fetch(connection, chair_id)]
    past = [_order(row) for row in _past.fetch(connection, chair_id, since, most)] if most else []
    ended = tuple(one for one in standing if one.until is not None and one.until <= now)
    policies = [one for one in standing if one.kind == "policy" and one not in ended]
    return Orders(
        tuple(one for one in standing if one.kind == "wish"),
        tuple(sorted(policies, key=lambda one: one.until is None)),
        ended,
        tuple(past),
    )


def keep(
    connection: Wire,
    now: datetime,
    standing: MatchSnapshot,
    place: SeatHolder,
    kind: str,
    texts: Iterable[str],
    name: str = "",
    until: datetime | None = None,
) -> None:
    """Write down new ones, in this order."""
    at = stored(connection, now)
    ends = None if until is None else stored(connection, until)
    who = (standing.match_id, place.chair_id, place.seat, kind, name)
    _insert.write(connection, [(*who, n, text, ends, at, standing.ply) for n, text in enumerate(texts)])
    flag(connection, place.chair_id)


def close(
    connection: Wire, now: datetime, place: SeatHolder, ids: Collection[int], ply: int, result: str
) -> None:
    """End these with this result, as of a ply."""
    for order_id in ids:
        _close.run(connection, stored(connection, now), ply, result, order_id)
    flag(connection, place.chair_id)


def end(connection: Wire, now: datetime, chair_id: int, ply: int, result: str) -> None:
    """End all that was left on a chair, with this result: its player leaves it, or the match is over."""
    if _end.run(connection, stored(connection, now), ply, result, chair_id):
        flag(connection, chair_id)


def tried(connection: Wire, place: SeatHolder, run: int) -> None:
    """The list was tried in this run: what is left of it ends with it, also where it was left within it."""
    _try.run(connection, run - 1, place.chair_id, run - 1)


def played_in(connection: Wire, place: SeatHolder, run: int) -> bool:
    """Whether a wish was played in the run."""
    return bool(_played_in.fetch(connection, place.chair_id, run))


def flag(connection: Wire, chair_id: int) -> None:
    """Have the chair say whether anything is active, and its player's page made anew; nobody else's."""
    _flag.run(connection, chair_id, chair_id)


def settle(
    connection: Wire, now: datetime, standing: MatchSnapshot, ply: int, asked: Collection[Seat], *, over: bool
) -> None:
    """After a record: end what no longer applies, with the match, the player's leaving or the end of his run.

    `asked`: who is asked now. A run that ends in a window of reaction, or in a placing that goes on from turn
    to turn, leaves a list as it is.
    """
    at = stored(connection, now)
    runs = {one.seat: one for one in standing.open if not one.optional}
    for place in (place for place in standing.places if place.orders):
        last = runs.get(place.seat)
        if over or place.resigned:
            end(connection, now, place.chair_id, ply, "over" if over else "resigned")
        elif last is None or place.seat in asked or last.asks in passing(standing.game):
            continue
        elif _end_turn.run(connection, at, ply, place.chair_id, last.run):
            flag(connection, place.chair_id)


def passing(game: Game) -> frozenset[str]:
    """The kinds of question that are no turn of their own."""
    return game.lasting | {policy.asks for policy in game.policies}


def _order(row: Sequence[Any]) -> Order:
    order_id, kind, name, text, until, created_at, closed_at, result, closed_ply = row
    return Order(
        order_id,
        kind,
        name,
        text,
        moment_or_none(until),
        moment(created_at),
        moment_or_none(closed_at),
        result,
        closed_ply,
    )
