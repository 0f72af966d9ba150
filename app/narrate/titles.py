"""Games and their options in words."""

import re
from collections.abc import Mapping

from app.engine.game import Game, Option, Policy, Preset
from app.narrate.words import SITE, game_folder, has_words, say

_NUMBER = re.compile(r"\d+")
_COLON = re.compile(r"\s*[:\uff1a]")


def title(game: Game, language: str) -> str:
    """The game's name."""
    return say(game_folder(game), language, "title")


def short_title(game: Game, language: str) -> str:
    """The game's name up to a colon, of either width."""
    return _COLON.split(title(game, language), maxsplit=1)[0]


def match_name(game: Game, language: str, match_id: int) -> str:
    """The name of a match: the game's short name and the match's number."""
    return say(SITE, language, "match_name", short_title(game, language), match_id)


def blurb(game: Game, language: str) -> str:
    """A description of the game in one or two sentences."""
    return say(game_folder(game), language, "blurb")


def game_length(game: Game, language: str) -> str:
    """The usual number of turns and letters of a game, measured by simulation."""
    return say(game_folder(game), language, "takes")


def option(game: Game, language: str, one: Option) -> str:
    """The name of an option."""
    return say(game_folder(game), language, f"option_{one.name}")


def choice(game: Game, language: str, one: Option, chosen: str) -> str:
    """The name of an option's choice."""
    return say(game_folder(game), language, f"choice_{one.name}_{chosen}")


def variants(game: Game, language: str, chosen: Mapping[str, str]) -> list[str]:
    """The options that differ from the game's usual ones, a line for each."""
    return [
        _variant(game, language, one, chosen[one.name])
        for one in game.options
        if chosen.get(one.name, one.choices[0]) != one.choices[0]
    ]


def _variant(game: Game, language: str, one: Option, chosen: str) -> str:
    name = f"variant_{one.name}_{chosen}"
    if has_words(game_folder(game), language, name):
        return say(game_folder(game), language, name)
    if one.choices == ("off", "on"):
        return say(SITE, language, "variant", option(game, language, one))
    return say(SITE, language, "variant", option(game, language, one), choice(game, language, one, chosen))


def preset(game: Game, language: str, one: Preset) -> str:
    """The name of a preset."""
    return say(game_folder(game), language, f"preset_{one.name}")


def about_preset(game: Game, language: str, one: Preset) -> str:
    """How the rules under a preset differ from the printed ones, in a line."""
    return say(game_folder(game), language, f"about_preset_{one.name}")


def about_first_game(game: Game, language: str) -> str:
    """The difference that the options of a first game make, in a line."""
    return say(game_folder(game), language, "about_first_game")


def about_policy(game: Game, language: str, one: Policy) -> str:
    """The questions that a policy answers."""
    return say(game_folder(game), language, f"about_policy_{one.name}")


def policy(game: Game, language: str, one: Policy, text: str) -> str:
    """A policy's setting in words. `text` is one of its choices, or one with a number in place of N."""
    number = _NUMBER.search(text)
    if text in one.choices or number is None:
        return say(game_folder(game), language, f"policy_{one.name}", text)
    return say(game_folder(game), language, f"policy_{one.name}", _NUMBER.sub("N", text), number[0])
