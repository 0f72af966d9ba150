"""Questions that the house answers: bots', those to seats given up, and where something was left ahead."""

import logging

from app.engine.chance import Chance
from app.engine.game import Decision
from app.play.match import snapshot as reading
from app.play.match.records import Closed
from app.play.match.snapshot import MatchSnapshot
from app.play.moves.commit import Overtaken
from app.play.moves.execute import obey
from app.play.moves.service import answer
from app.store.session import Store
from app.store.statement import Statement

log = logging.getLogger(__name__)

MOST = 400
BUNDLE = 50
"""Questions looked for at a time."""

_due = Statement(
    """SELECT id FROM question WHERE closed_at IS NULL AND unmanned AND NOT optional
       ORDER BY asked_at LIMIT ?"""
)


def play_unmanned(store: Store, most: int = MOST) -> int:
    """Answer what is asked of bots, of resigned seats and of who left orders, until people must be asked.

    How many answers.

    Whatever fails in one match is logged and leaves the others alone; another worker doing the same does no
    harm. After `most` answers the bell is rung, so that letters can go out in between.
    """
    played = 0
    passed: set[str] = set()  # beyond those the others are looked for, however many they are
    while played < most:
        with store.reading() as connection:
            found = _due.fetch(connection, BUNDLE + len(passed))
        due = [row[0] for row in found if row[0] not in passed]
        if not due:
            return played
        for question_id in due:
            try:
                answered = _answer(store, question_id)
                played += answered
                if not answered:
                    passed.add(question_id)
            except Overtaken:
                continue  # somebody else was here first
            except Closed:
                passed.add(question_id)
            except Exception:  # a fault in one game's bot is not the others'
                log.exception("an unmanned seat could not answer question %s", question_id)
                passed.add(question_id)
    store.ring()
    return played


def _answer(store: Store, question_id: str) -> int:
    with store.statements() as connection:
        standing = reading.by_question(connection, question_id, None)
        if standing is None or standing.named is None or standing.named.closed or not standing.running:
            return 0
        place = standing.place(standing.named.seat)
        game = standing.game
        mark = next(one.fingerprint for one in standing.open if one.id == question_id)
        decision = standing.decision(place.seat, mark)
        if not place.unmanned:
            return obey(connection, standing, standing.named, decision)
        if place.resigned:
            assert decision.default is not None
            text, source = game.format(decision.default), "default"
        else:
            text, source = bot_answer(standing, decision), "bot"
        answer(connection, standing, standing.named, text, source=source)
        return 1


def bot_answer(standing: MatchSnapshot, decision: Decision) -> str:
    """A bot knows what its seat may know, and its chance is none of the game's."""
    game = standing.game
    chance = Chance(standing.seed, standing.ply + 1).apart("bot")
    return game.format(game.bot(game.view(standing.load(), decision.seat), decision, chance))
