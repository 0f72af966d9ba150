"""Questions that the server answers first: for bots, for players who resigned, and by standing orders."""

import logging

from app.engine.chance import Chance
from app.engine.game import Decision
from app.play.match import questions, reading
from app.play.match.questions import Name
from app.play.match.records import Closed
from app.play.match.snapshot import MatchSnapshot, Named
from app.play.moves.answering import answer
from app.play.moves.commit import Overtaken
from app.play.moves.execute import answer_ahead
from app.store.session import Store

log = logging.getLogger(__name__)

MOST = 400
BUNDLE = 50
"""Questions read at a time."""


def play_unmanned(store: Store, most: int = MOST) -> int:
    """Answer the questions of bots, of resigned seats and by orders, until people must be asked.

    Returns how many answers it gave. A fault in one match is logged and leaves the others alone; another
    worker may do the same at once. After `most` answers the workers are woken, so that emails go out in
    between.
    """
    played = 0
    passed: set[Name] = set()  # those that stay open; others may wait behind them
    while played < most:
        with store.reading() as connection:
            found = questions.automated(connection, BUNDLE + len(passed))
        due = [name for name in found if name not in passed]
        if not due:
            return played
        for name in due:
            try:
                answered = _answer(store, name)
                played += answered
                if not answered:
                    passed.add(name)
            except Overtaken:
                continue  # another worker was faster
            except Closed:
                passed.add(name)
            except Exception:  # a fault in one game's bot is not the others'
                log.exception("an automated seat could not answer question %s", name)
                passed.add(name)
    store.wake()
    return played


def _answer(store: Store, name: Name) -> int:
    with store.statements() as connection:
        match = reading.by_match(connection, name.match_id)
        question = next((one for one in match.open if one.name == name), None) if match is not None else None
        if match is None or question is None or not match.running:
            return 0
        holder, named = match.holder(question.seat), Named(name, question.seat, question.turn)
        game, decision = match.game, match.decision(question)
        if not holder.automated:
            return answer_ahead(connection, match, named, decision)
        if holder.resigned:
            assert decision.default is not None
            text, source = game.format(decision.default), "default"
        else:
            text, source = bot_answer(match, decision), "bot"
        answer(connection, match, named, text, source=source)
        return 1


def bot_answer(match: MatchSnapshot, decision: Decision) -> str:
    """A bot's move, from what its seat may know; its chance is independent of the game's."""
    game = match.game
    chance = Chance(match.seed, match.ply + 1).apart("bot")
    return game.format(game.bot(game.view(match.load(), decision.seat), decision, chance))
