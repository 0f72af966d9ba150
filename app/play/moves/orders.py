"""Standing orders: conditional moves and policies that a player leaves; nobody else learns of them."""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from app import clock
from app.engine.errors import AmbiguousMove, IllegalMove, RulesError, UnreadableMove
from app.engine.reading import tidy
from app.graphemes import cut
from app.play.match.locking import held, seated
from app.play.match.records import Closed, Refused, Viewer
from app.play.match.snapshot import MatchSnapshot, SeatHolder
from app.play.moves import wishes as ahead
from app.play.moves.wishes import DROPPED, Order, Orders
from app.store.connection import Connection
from app.store.session import Store

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
_BETWEEN = re.compile("[;؛\uff1b\ufe14\ufe54\n\r\x85\u2028\u2029]")
_LISTS = frozenset({"orders", "order"})
"""The word of the system that games have moves of, too."""
_CLEAR = frozenset({"clear", "none", "withdraw"})


class Left(msgspec.Struct, frozen=True):
    """The effect of a line about standing orders, and the orders now."""

    what: str
    """shown, cleared, wishes, policy."""
    orders: Orders


def leave(store: Store, viewer: Viewer, match_id: int, lines: str) -> Orders:
    """Replace the list of wishes: one on each line, tried in this order whenever a question opens.

    They are for the next turn. Without a line the list is removed; the same list again changes nothing. A
    line need not be legal now. Raises NotFound, Closed("over", "resigned"), Refused("too_many_orders",
    "long_order", "not_ahead"), and UnreadableMove or AmbiguousMove for a line that
    cannot be read; then the old list stays.
    """
    with store.statements() as connection:
        match, holder = _held(connection, viewer, match_id)
        return _leave(connection, match, holder, lines)


def set_policy(
    store: Store, viewer: Viewer, match_id: int, name: str, text: str, until: datetime | None = None
) -> Orders:
    """Answer a kind of question in advance, until a moment or as long as the player holds the seat.

    A policy with an end counts before one without, which returns after it. "ask" without an end removes both.
    Raises NotFound, Closed("over", "resigned"), UnreadableMove.
    """
    with store.statements() as connection:
        match, holder = _held(connection, viewer, match_id)
        return _set_policy(connection, match, holder, name, text, until)


def withdraw(store: Store, viewer: Viewer, match_id: int) -> Orders:
    """Withdraw all wishes and policies; again it changes nothing. Raises NotFound, Closed."""
    with store.statements() as connection:
        match, holder = _held(connection, viewer, match_id)
        return _withdraw(connection, match, holder)


def orders(store: Store, viewer: Viewer, match_id: int) -> Orders:
    """The viewer's orders, and the results of the last ones. Raises NotFound."""
    with store.looking() as connection:
        match, seat = seated(connection, match_id, viewer)
        return ahead.orders(connection, match.holder(seat).chair_id, clock.now())


def of_chair(store: Store, chair_id: int, since: int = -1) -> Orders:
    """As `orders`, for a seat known to be the viewer's; of past ones, those that ended after the ply."""
    with store.looking() as connection:
        return ahead.orders(connection, chair_id, clock.now(), since)


def leave_by_line(store: Store, viewer: Viewer, match_id: int, text: str) -> Left:
    """Do what a reply says behind the word `ahead` or `orders`: nothing shows them, `clear` withdraws them.

    The name of a policy with its setting sets it; anything else is a list of wishes, separated by semicolons.
    Raises as `leave` and `set_policy`.
    """
    line = re.sub(r"^\s*(?:orders?|ahead)\b[\s:]*", "", text, flags=re.IGNORECASE).strip()
    with store.statements() as connection:
        match, holder = _held(connection, viewer, match_id)
        if _is_list(match, holder, text):
            raise Refused("not_ahead", line=cut(text.strip(), 40))
        first, _, rest = line.partition(" ")
        if not line:
            return Left("shown", ahead.orders(connection, holder.chair_id, clock.now()))
        if tidy(line) in _CLEAR:
            return Left("cleared", _withdraw(connection, match, holder))
        if rest.strip() and tidy(first.rstrip(":=")) in {policy.name for policy in match.game.policies}:
            name = tidy(first.rstrip(":="))
            return Left("policy", _set_policy(connection, match, holder, name, rest, None))
        return Left("wishes", _leave(connection, match, holder, line))


def check(store: Store, viewer: Viewer, match_id: int, lines: str) -> None:
    """Raises what `leave` would raise for this list now."""
    with store.statements() as connection:
        match, holder = _held(connection, viewer, match_id)
        _read(match, holder, lines)


def check_policy(store: Store, viewer: Viewer, match_id: int, name: str, text: str) -> None:
    """Raises what `set_policy` would raise for this setting now."""
    with store.statements() as connection:
        match, _ = _held(connection, viewer, match_id)
        match.game.read_policy(tidy(name), text)


def _held(connection: Connection, viewer: Viewer, match_id: int) -> tuple[MatchSnapshot, SeatHolder]:
    match, seat = held(connection, match_id, viewer)
    holder = match.holder(seat)
    if holder.resigned:
        raise Closed("resigned", match_id=match_id)
    return match, holder


def _read(match: MatchSnapshot, holder: SeatHolder, lines: str) -> list[str]:
    wishes = [line for line in (" ".join(part.split()) for part in _BETWEEN.split(lines)) if line]
    if len(wishes) > MOST_WISHES:
        raise Refused("too_many_orders", most=MOST_WISHES, given=len(wishes))
    for wish in wishes:
        _check(match, holder, wish)
    return wishes


def _leave(connection: Connection, match: MatchSnapshot, holder: SeatHolder, lines: str) -> Orders:
    wishes, now = _read(match, holder, lines), clock.now()
    before = ahead.orders(connection, holder.chair_id, now, most=0).wishes
    if [wish.text for wish in before] != wishes:
        _replace(connection, now, match, holder, before)
        ahead.keep(connection, now, match, holder, "wish", wishes)
    return ahead.orders(connection, holder.chair_id, now)


def _is_list(match: MatchSnapshot, holder: SeatHolder, line: str) -> bool:
    """Whether a line is a game's own move `orders`, such as a list of placings: it is asked for once only."""
    if tidy(line).partition(" ")[0].rstrip(":") not in _LISTS:
        return False
    try:
        match.game.parse(match.load(), holder.seat, (match.game.split(line) or (line,))[0])
    except UnreadableMove:
        return False
    except RulesError:
        return True
    return True


def _check(match: MatchSnapshot, holder: SeatHolder, wish: str) -> None:
    """Check that a wish can be read; it may be legal later. Raises as `leave`."""
    if len(wish) > LONGEST_WISH:
        raise Refused("long_order", most=LONGEST_WISH, line=cut(wish, 40))
    game, state = match.game, match.load()
    steps = game.split(wish)
    if not steps:
        raise UnreadableMove(wish)
    if _is_list(match, holder, wish):
        raise Refused("not_ahead", line=cut(wish, 40))
    for step in steps:
        try:
            game.parse(state, holder.seat, step)
        except (UnreadableMove, AmbiguousMove):
            raise
        except IllegalMove:
            continue


def _set_policy(
    connection: Connection,
    match: MatchSnapshot,
    holder: SeatHolder,
    name: str,
    text: str,
    until: datetime | None,
) -> Orders:
    now, name = clock.now(), tidy(name)
    said = match.game.read_policy(name, text)
    active = [
        one for one in ahead.orders(connection, holder.chair_id, now, most=0).policies if one.name == name
    ]
    gone = [one for one in active if until is None or one.until is not None]
    wanted = () if said == "ask" and until is None else (said,)
    if tuple(one.text for one in gone) != wanted or any(one.until != until for one in gone):
        _replace(connection, now, match, holder, gone)
        ahead.keep(connection, now, match, holder, "policy", wanted, name, until)
    return ahead.orders(connection, holder.chair_id, now)


def _withdraw(connection: Connection, match: MatchSnapshot, holder: SeatHolder) -> Orders:
    now = clock.now()
    left = ahead.orders(connection, holder.chair_id, now, most=0)
    if left.wishes or left.policies:
        _replace(connection, now, match, holder, (*left.wishes, *left.policies))
    return ahead.orders(connection, holder.chair_id, now)


def _replace(
    connection: Connection, now: datetime, match: MatchSnapshot, holder: SeatHolder, gone: Iterable[Order]
) -> None:
    ahead.close(connection, now, holder, [one.order_id for one in gone], match.ply, "withdrawn")
