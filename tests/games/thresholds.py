"""Counts by which a game's own tests see that it is as rich as it is meant to be."""

import re
from pathlib import Path

from app.engine.game import Game
from app.web.core.rendering import environment
from app.web.lobby.sample_boards import size_of, worked
from tests.games.random_games import played, refusals

MATCHES = Path(__file__).parent


def reasons_met(game: Game) -> set[str]:
    """The different reasons for which moves of other moments of a game are refused."""
    return {error.reason for error in refusals(game.slug)}


def secrets_told(game: Game) -> int:
    """How many events of a game are for some seats only."""
    return sum(one.to is not None for _, told in played(game.slug, game.seats[-1]) for one in told)


def rules_page(game: Game) -> str:
    """The rules of a game in English, as its page shows them."""
    template = environment().get_template(f"games/{game.slug}/rules/en.html")
    return template.render(game=game, language="en", size_of=lambda name: size_of(game.slug, name, "en"))


def moves_played(game: Game) -> int:
    """The moves of the shorter of two random games, for the fewest and the most players."""
    return min(len(played(game.slug, seats)) - 1 for seats in (game.seats[0], game.seats[-1]))


def rulings_marked(game: Game) -> int:
    """How many decisions of ours the rules page marks."""
    page = rules_page(game)
    marked = len(re.findall(r'class="ruling"><b>Our ruling:</b> \S', page))
    assert page.count("<b>Our ruling:</b>") == marked
    return marked


def pictures_drawn(game: Game) -> int:
    """How many positions the rules page shows."""
    return len(worked(game.slug))


def verbs_played(game: Game) -> set[str]:
    """The first words of all moves in the game's golden matches."""
    return {
        part.split()[0]
        for file in (MATCHES / game.slug / "matches").glob("*.match")
        for colour, _, line in (row.partition(": ") for row in file.read_text().splitlines())
        if colour in game.colours
        for part in game.split(line)
    } - {"resign"}
