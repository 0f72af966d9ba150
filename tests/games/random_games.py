"""Games of random legal moves, played once for all tests of words and boards."""

import functools
import hashlib
from collections.abc import Iterator

from app.engine.chance import Chance
from app.engine.errors import RulesError
from app.engine.game import Addressed, Record
from tests.nim import GAMES

MOST_PLIES = 6000


def seed_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@functools.cache
def played(slug: str, seats: int) -> list[tuple[Record, tuple[Addressed, ...]]]:
    """A game of random legal moves: each state, and what was told on the way to it."""
    game = GAMES[slug]
    colours = game.colours[:seats]
    step = game.setup(colours, game.complete_options(seats, {}), Chance(seed_of("words"), 0))
    passed = [(step.state, step.told)]
    while decisions := game.decisions(step.state):
        number = len(passed)
        assert number < MOST_PLIES
        chance = Chance(seed_of("choices"), number)
        decision = chance.pick([one for one in decisions if not one.optional])
        move = chance.pick(decision.options) if decision.options else decision.default
        step = game.apply(step.state, decision.seat, move, Chance(seed_of("words"), number))
        passed.append((step.state, step.told))
    return passed


def some(slug: str, seats: int, most: int) -> list[Record]:
    """States spread over a whole game, the first and the last among them."""
    states = [state for state, _ in played(slug, seats)]
    return [*states[:: max(1, len(states) // most)], states[-1]]


def refusals(slug: str) -> Iterator[RulesError]:
    """The refusals of moves from other moments of a game, for many different reasons."""
    game = GAMES[slug]
    states = some(slug, game.seats[-1], 25)
    moves = [
        move
        for state in states
        for decision in game.decisions(state)
        for move in (
            *decision.options[:: max(1, len(decision.options) // 6)],
            *filter(None, [decision.default]),
        )
    ]
    for state in states:
        for seat in {decision.seat for decision in game.decisions(state)}:
            for number, move in enumerate(moves):
                try:
                    game.apply(state, seat, move, Chance(seed_of("refused"), number))
                except RulesError as error:
                    yield error
