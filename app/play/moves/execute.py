"""A question to one who left something ahead: the house answers it for him, or asks him after all.

What is played is decided here alone, from the state that is recorded: a policy for this kind of question
answers at once; else the first wish plays that can be read and is legal now.
"""

import logging

from app import clock
from app.engine.errors import RulesError
from app.engine.game import Decision
from app.play.match.locking import hold
from app.play.match.records import Refused
from app.play.match.snapshot import MatchSnapshot, Named, SeatHolder
from app.play.moves import wishes as ahead
from app.play.moves.commit import Overtaken, asked_letter
from app.play.moves.service import Worked, answer, work_out, write_down
from app.play.moves.wishes import Order, Orders
from app.store.outbox import enqueue
from app.store.statement import Statement, Wire

log = logging.getLogger(__name__)

_man = Statement(
    "UPDATE question SET unmanned = ? WHERE id = ? AND closed_at IS NULL AND unmanned AND NOT optional"
)


def obey(connection: Wire, standing: MatchSnapshot, named: Named, decision: Decision) -> int:
    """Answer the question as its player left word, or ask him. How many answers were given: one or none.

    Raises Overtaken.
    """
    hold(connection, standing.match_id)
    now = clock.now()
    place = standing.place(named.seat)
    left = ahead.orders(connection, place.chair_id, now, most=0)
    if gone := [one.order_id for one in left.expired]:
        ahead.close(connection, now, place, gone, standing.ply, "ended")
    if (text := _by_policy(standing, decision, left)) is not None:
        answer(connection, standing, named, text, source="orders")
        return 1
    for wish in left.wishes:
        if (worked := _possible(standing, decision, wish)) is not None:
            ahead.tried(connection, place, named.run)
            ply = standing.ply + len(worked.entries)
            ahead.close(connection, now, place, [wish.order_id], ply, "played")
            write_down(connection, standing, named, worked, source="orders")
            return 1
    _ask(connection, standing, named, decision, left)
    return 0


def _by_policy(standing: MatchSnapshot, decision: Decision, left: Orders) -> str | None:
    """What the policy for this kind of question answers; None: there is none, or he wants to be asked."""
    game = standing.game
    for policy in game.policies:
        order = left.policy(policy.name) if policy.asks == decision.asks else None
        if order is None:
            continue
        try:
            move = game.apply_policy(game.view(standing.load(), decision.seat), decision, order.text)
            return None if move is None else game.format(move)
        except Exception:  # a fault in one game's policy must not leave its player unasked
            log.exception("the policy %s of match %s cannot be obeyed", policy.name, standing.match_id)
    return None


def _possible(standing: MatchSnapshot, decision: Decision, wish: Order) -> Worked | None:
    """What the wish does if it is played now; None where it cannot be, or answers what is optional."""
    seat, state, game = decision.seat, standing.load(), standing.game
    optional = [
        option
        for other in game.decisions(state)
        if other.seat == seat and other.optional
        for option in other.options
    ]
    try:
        if optional and any(game.parse(state, seat, line) in optional for line in game.split(wish.text)):
            return None
        return work_out(standing, seat, wish.text)
    except (RulesError, Refused):
        return None
    except Exception:  # as above
        log.exception("wish %s cannot be tried", wish.order_id)
        return None


def _ask(connection: Wire, standing: MatchSnapshot, named: Named, decision: Decision, left: Orders) -> None:
    """Ask him by letter. A list of which nothing could be played in all his turn so far is void."""
    now, place = clock.now(), standing.place(named.seat)
    if _man.run(connection, False, named.id) != 1:
        raise Overtaken
    if left.wishes and decision.asks not in ahead.passing(standing.game) and _void(connection, place, named):
        ids = [wish.order_id for wish in left.wishes]
        ahead.close(connection, now, place, ids, standing.ply, "none_possible")
    enqueue(connection, now, asked_letter(standing.match_id, place, named.run))


def _void(connection: Wire, place: SeatHolder, named: Named) -> bool:
    return not ahead.played_in(connection, place, named.run)
