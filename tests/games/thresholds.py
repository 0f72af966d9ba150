"""Counts by which a game's own tests see that it is as rich as it is meant to be."""

import re
from pathlib import Path

import templates
from app.engine.game import Game
from app.web.lobby.sample_boards import worked
from tests.games.random_games import played, refusals

MATCHES = Path(__file__).parent
TEMPLATES = Path(templates.__file__).parent


def reasons_met(game: Game) -> set[str]:
    """The different reasons for which moves of other moments of a game are refused."""
    return {error.reason for error in refusals(game.slug)}


def secrets_told(game: Game) -> int:
    """How many events of a game are for some seats only."""
    return sum(one.to is not None for _, told in played(game.slug, game.seats[-1]) for one in told)


def rulings_marked(game: Game) -> int:
    """How many decisions of ours the rules page marks."""
    page = (TEMPLATES / "games" / game.slug / "rules" / "en.html").read_text()
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
