"""An example that a player is shown can be played, by that player, at that moment."""

import re

import pytest

from app import games, narrate
from app.engine.chance import Chance
from app.engine.errors import RulesError

GAME = games.all_games()["atlantis"]
BEGUN = ("go", "buy", "bridge", "go 5", "lay", "bridge 99 1", "buy crown")
"""Lines that name an action and not enough of it."""


def positions(seats, options, seed):
    """Each position of a game between bots, with the seat that is asked."""
    full = GAME.complete_options(seats, options)
    state = GAME.setup(GAME.colours[:seats], full, Chance(seed, 0)).state
    for ply in range(1, 200):
        asked = [one for one in GAME.decisions(state) if not one.optional]
        if not asked:
            return
        yield state, asked[0].seat
        move = GAME.bot(GAME.view(state, asked[0].seat), asked[0], Chance(seed, ply, "bot"))
        state = GAME.apply(state, asked[0].seat, move, Chance(seed, ply)).state


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("bridges", ["crossing", "any"])
def test_what_a_refusal_suggests_can_be_played(seats, bridges):
    options = {} if bridges == "crossing" else {"bridges": bridges}
    tried = 0
    for state, seat in positions(seats, options, b"examples"):
        for text in BEGUN:
            for line in suggested(state, seat, text):
                tried += 1
                GAME.apply(state, seat, GAME.parse(state, seat, line), Chance(b"x", 1))  # raises if it cannot
        view = GAME.view(state, seat)
        for offer in view.offers:
            for line in filter(None, (offer.text, offer.pay_text)):
                GAME.apply(state, seat, GAME.parse(state, seat, line), Chance(b"x", 1))
    assert tried > 50


def suggested(state, seat, text):
    """The moves that the refusal of a line quotes."""
    try:
        GAME.apply(state, seat, GAME.parse(state, seat, text), Chance(b"x", 1))
    except RulesError as error:
        said = narrate.refusal(GAME, narrate.FALLBACK, error)
        quoted = re.findall("“([^”]+)”", said)
        return [one for one in quoted if re.match(r"(go|buy|bridge) .", one) and one != text]
    return []
