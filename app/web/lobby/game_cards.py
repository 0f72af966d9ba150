"""The games in words, for lists of games."""

import msgspec
from flask import abort

from app import games, narrate
from app.engine.game import Game
from app.web.core.rendering import language


class GameCard(msgspec.Struct, frozen=True):
    """A game with its name and descriptions in the request's language."""

    game: Game
    title: str
    blurb: str
    length: str
    """The usual number of turns and letters."""


def game_card(game: Game) -> GameCard:
    """The card of a game."""
    spoken = language()
    return GameCard(
        game, narrate.title(game, spoken), narrate.blurb(game, spoken), narrate.game_length(game, spoken)
    )


def game_cards() -> list[GameCard]:
    """The cards of all games."""
    return [game_card(game) for game in games.all_games().values()]


def find_game(slug: str) -> Game:
    """The game, or 404."""
    return games.all_games().get(slug) or abort(404)
