"""Standing orders: what a player leaves ahead on his seat. Nobody else ever hears of it."""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from app import clock
from app.engine.errors import AmbiguousMove, IllegalMove, UnreadableMove
from app.engine.reading import tidy
from app.play.match.locking import held, seated
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.moves import wishes as ahead
from app.play.moves.wishes import DROPPED, Order, Orders
from app.store.session import Store
from app.store.statement import Wire

__all__ = [
    "DROPPED",
    "Left",
    "Order",
    "Orders",
    "leave",
    "leave_by_line",
    "of_chair",
    "orders",
    "set_policy",
    "withdraw",
]

MOST_WISHES = 20
LONGEST_WISH = 200
_BETWEEN = re.compile(r"[;\n\r]")
_CLEAR = frozenset({"clear", "none", "withdraw"})


class Left(msgspec.Struct, frozen=True):
    """What a line about standing orders did, and what is left now."""

    what: str
    """shown, cleared, wishes, policy."""
    orders: Orders


def leave(store: Store, bearer: Viewer, match_id: int, lines: str) -> Orders:
    """Replace the list of wishes: one a line, tried in this order whenever the seat is asked anew.

    They are for the next turn, and begin with the next question that opens. Without a line the list goes; the
    same list again changes nothing. A line need not be legal now. Raises NotFound, Closed("over",
    "resigned"), Refused("too_many_orders", "long_order"), and UnreadableMove or AmbiguousMove for a line that
    cannot be read; then the old list stands.
    """
    with store.statements() as connection:
        standing, place = _held(connection, bearer, match_id)
        return _leave(connection, standing, place, lines)


def set_policy(
    store: Store, bearer: Viewer, match_id: int, name: str, text: str, until: datetime | None = None
) -> Orders:
    """Answer a kind of question ahead, until a moment or for as long as the player sits there.

    One with an end counts before one without, which comes back after it. "ask" without an end withdraws both.
    Raises NotFound, Closed("over", "resigned"), UnreadableMove.
    """
    with store.statements() as connection:
        standing, place = _held(connection, bearer, match_id)
        return _set_policy(connection, standing, place, name, text, until)


def withdraw(store: Store, bearer: Viewer, match_id: int) -> Orders:
    """Take all of it back, wishes and policies; twice is once. Raises NotFound, Closed."""
    with store.statements() as connection:
        standing, place = _held(connection, bearer, match_id)
        return _withdraw(connection, standing, place)


def orders(store: Store, bearer: Viewer, match_id: int) -> Orders:
    """What the bearer has left ahead, and what became of the last. Raises NotFound."""
    with store.reading() as connection:
        standing, seat = seated(connection, match_id, bearer)
        return ahead.orders(connection, standing.place(seat).chair_id, clock.now())


def of_chair(store: Store, chair_id: int, since: int = -1) -> Orders:
    """As `orders`, for a seat that the bearer is known to have; of the past, what ended after the ply."""
    with store.reading() as connection:
        return ahead.orders(connection, chair_id, clock.now(), since)


def leave_by_line(store: Store, bearer: Viewer, match_id: int, text: str) -> Left:
    """What stands behind the word `orders` in a letter: nothing shows what is left, `clear` takes it back.

    The name of a policy and what it says sets it; anything else is a list of wishes, apart at semicolons.
    Raises as `leave` and `set_policy`.
    """
    line = re.sub(r"^\s*orders?\b[\s:]*", "", text, flags=re.IGNORECASE).strip()
    with store.statements() as connection:
        standing, place = _held(connection, bearer, match_id)
        first, _, rest = line.partition(" ")
        if not line:
            return Left("shown", ahead.orders(connection, place.chair_id, clock.now()))
        if tidy(line) in _CLEAR:
            return Left("cleared", _withdraw(connection, standing, place))
        if rest.strip() and tidy(first.rstrip(":=")) in {policy.name for policy in standing.game.policies}:
            name = tidy(first.rstrip(":="))
            return Left("policy", _set_policy(connection, standing, place, name, rest, None))
        return Left("wishes", _leave(connection, standing, place, line))


def _held(connection: Wire, bearer: Viewer, match_id: int) -> tuple[MatchSnapshot, SeatHolder]:
    standing, seat = held(connection, match_id, bearer)
    place = standing.place(seat)
    if place.resigned:
        raise Closed("resigned", match_id=match_id)
    return standing, place


def _leave(connection: Wire, standing: MatchSnapshot, place: SeatHolder, lines: str) -> Orders:
    wishes = [line for line in (" ".join(part.split()) for part in _BETWEEN.split(lines)) if line]
    if len(wishes) > MOST_WISHES:
        raise Refused("too_many_orders", most=MOST_WISHES, given=len(wishes))
    for wish in wishes:
        _check(standing, place, wish)
    now = clock.now()
    before = ahead.orders(connection, place.chair_id, now, most=0).wishes
    if [wish.text for wish in before] != wishes:
        _replace(connection, now, standing, place, before)
        ahead.keep(connection, now, standing, place, "wish", wishes)
    return ahead.orders(connection, place.chair_id, now)


def _check(standing: MatchSnapshot, place: SeatHolder, wish: str) -> None:
    """A wish must be readable; whether it is legal shows when it is tried."""
    if len(wish) > LONGEST_WISH:
        raise Refused("long_order", most=LONGEST_WISH, line=wish[:40])
    game, state = standing.game, standing.load()
    steps = game.split(wish)
    if not steps:
        raise UnreadableMove(wish)
    for step in steps:
        try:
            game.parse(state, place.seat, step)
        except (UnreadableMove, AmbiguousMove):
            raise
        except IllegalMove:
            continue


def _set_policy(
    connection: Wire, standing: MatchSnapshot, place: SeatHolder, name: str, text: str, until: datetime | None
) -> Orders:
    now, name = clock.now(), tidy(name)
    said = standing.game.read_policy(name, text)
    active = [
        one for one in ahead.orders(connection, place.chair_id, now, most=0).policies if one.name == name
    ]
    gone = [one for one in active if until is None or one.until is not None]
    wanted = () if said == "ask" and until is None else (said,)
    if tuple(one.text for one in gone) != wanted or any(one.until != until for one in gone):
        _replace(connection, now, standing, place, gone)
        ahead.keep(connection, now, standing, place, "policy", wanted, name, until)
    return ahead.orders(connection, place.chair_id, now)


def _withdraw(connection: Wire, standing: MatchSnapshot, place: SeatHolder) -> Orders:
    now = clock.now()
    left = ahead.orders(connection, place.chair_id, now, most=0)
    if left.wishes or left.policies:
        _replace(connection, now, standing, place, (*left.wishes, *left.policies))
    return ahead.orders(connection, place.chair_id, now)


def _replace(
    connection: Wire, now: datetime, standing: MatchSnapshot, place: SeatHolder, gone: Iterable[Order]
) -> None:
    ahead.close(connection, now, place, [one.order_id for one in gone], standing.ply, "withdrawn")
