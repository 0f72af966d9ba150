"""Answering a question by the standing orders of its player, or asking them after all.

The choice is made here alone, from the recorded state: a policy for this kind of question answers at once;
otherwise the first wish is played that can be read and is legal now.
"""

import logging

from app import clock
from app.engine.errors import RulesError
from app.engine.game import Decision
from app.play.match import questions
from app.play.match.records import Refused
from app.play.match.snapshot import MatchSnapshot, Named, SeatHolder
from app.play.moves import wishes as ahead
from app.play.moves.answering import Worked, answer, work_out, write_down
from app.play.moves.commit import Overtaken, asked_letter
from app.play.moves.wishes import Order, Orders
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.outbox import enqueue

log = logging.getLogger(__name__)


def answer_ahead(connection: Connection, match: MatchSnapshot, named: Named, decision: Decision) -> int:
    """Answer the question by its player's orders, or ask them; returns how many answers, 1 or 0.

    Raises Overtaken.
    """
    hold_match(connection, match.match_id)
    now = clock.now()
    holder = match.holder(decision.seat)
    left = ahead.orders(connection, holder.chair_id, now, most=0)
    if gone := [one.order_id for one in left.expired]:
        ahead.close(connection, now, holder, gone, match.ply, "ended")
    if (text := _by_policy(match, decision, left)) is not None:
        answer(connection, match, named, text, source="orders")
        return 1
    for wish in left.wishes:
        if (worked := _possible(match, decision, wish)) is not None:
            ahead.tried(connection, holder, named.turn)
            ply = match.ply + len(worked.entries)
            ahead.close(connection, now, holder, [wish.order_id], ply, "played")
            write_down(connection, match, named, worked, source="orders")
            return 1
    _ask(connection, match, named, decision, left)
    return 0


def _by_policy(match: MatchSnapshot, decision: Decision, left: Orders) -> str | None:
    """The answer of the policy for this kind of question; None: there is none, or it says to ask."""
    game = match.game
    for policy in game.policies:
        order = left.policy(policy.name) if policy.asks == decision.asks else None
        if order is None:
            continue
        try:
            move = game.apply_policy(game.view(match.load(), decision.seat), decision, order.text)
            return None if move is None else game.format(move)
        except Exception:  # a fault in one game's policy must not leave its player unasked
            log.exception("the policy %s of match %s cannot be obeyed", policy.name, match.match_id)
    return None


def _possible(match: MatchSnapshot, decision: Decision, wish: Order) -> Worked | None:
    """The wish played on the present state; None if it is not possible, or answers an optional question."""
    seat, state, game = decision.seat, match.load(), match.game
    optional = [
        option
        for other in game.decisions(state)
        if other.seat == seat and other.optional
        for option in other.options
    ]
    try:
        if optional and any(game.parse(state, seat, line) in optional for line in game.split(wish.text)):
            return None
        return work_out(match, seat, wish.text)
    except (RulesError, Refused):
        return None
    except Exception:  # as above
        log.exception("wish %s cannot be tried", wish.order_id)
        return None


def _ask(
    connection: Connection, match: MatchSnapshot, named: Named, decision: Decision, left: Orders
) -> None:
    """Ask the player by email. A list from which nothing was played in the whole turn so far is void."""
    now, holder = clock.now(), match.holder(decision.seat)
    if not questions.ask_player(connection, named.name):
        raise Overtaken
    if left.wishes and decision.asks not in ahead.passing(match.game) and _void(connection, holder, named):
        ids = [wish.order_id for wish in left.wishes]
        ahead.close(connection, now, holder, ids, match.ply, "none_possible")
    enqueue(connection, now, asked_letter(match.match_id, holder, named.turn))


def _void(connection: Connection, holder: SeatHolder, named: Named) -> bool:
    return not ahead.played_in(connection, holder, named.turn)
