"""A board to look at before there is one: a game that the simple players have begun."""

from functools import cache

from app import draw, games
from app.engine.chance import Chance

SEED = b"a board for the first page"
MOVES = 60
"""Enough for a few tiles to have gone down."""


@cache
def sample(slug: str) -> str:
    """The SVG of such a game, as an onlooker sees it."""
    game = games.shelf()[slug]
    seats = game.colours[: max(game.seats)]
    options = game.fill(len(seats), {})
    state = game.setup(seats, options, Chance(SEED, 0)).state
    for ply in range(1, MOVES + 1):
        asked = [decision for decision in game.decisions(state) if not decision.optional]
        if not asked:
            break
        decision = asked[0]
        move = game.bot(game.view(state, decision.seat), decision, Chance(SEED, ply, "bot"))
        state = game.apply(state, decision.seat, move, Chance(SEED, ply)).state
    return draw.board(game, game.view(state, None)).strip()
