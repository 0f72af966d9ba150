"""Questions, answers and events of a game in words."""

from collections.abc import Iterable

from app.engine.game import Decision, Event, Game, Move, Outcome, View
from app.narrate.words import SITE, Name, game_folder, has_words, say, snake_case


def asks(game: Game, language: str, decision: Decision, view: View) -> str:
    """A question, as a sentence to the seat."""
    return say(game_folder(game), language, f"asks_{decision.asks}", decision, view)


def example(game: Game, language: str, decision: Decision) -> str:
    """An example of an answer to a question that lists none; empty if the game gives no example."""
    macro = f"example_{decision.asks}"
    if not has_words(game_folder(game), language, macro):
        return ""
    return say(game_folder(game), language, macro)


def label(game: Game, language: str, move: Move, view: View) -> str:
    """A move, as the text of a button or a link."""
    return say(game_folder(game), language, f"label_{snake_case(type(move))}", move, view)


def board_name(game: Game, language: str, name: str, view: View) -> str:
    """A name on the board in words, or the name itself if the game has none for it."""
    if not has_words(game_folder(game), language, "pointed"):
        return name
    return say(game_folder(game), language, "pointed", name, view) or name


def described(game: Game, language: str, name: str, view: View) -> str:
    """A name on the board with what its reader knows of it, such as where a piece stands."""
    if not has_words(game_folder(game), language, "described"):
        return board_name(game, language, name, view)
    return say(game_folder(game), language, "described", name, view) or board_name(game, language, name, view)


def sentences(game: Game, language: str, events: Iterable[Event], name: Name) -> list[str]:
    """One sentence per event, in order. Events without words are skipped."""
    folder = game_folder(game)
    texts = [say(folder, language, f"event_{snake_case(type(event))}", event, name) for event in events]
    return [text for text in texts if text]


def ending(game: Game, language: str, outcome: Outcome, name: Name) -> str:
    """How the game ended, in the game's words, or the site's for an end that its rules don't know."""
    folder = game_folder(game) if outcome.reason in game.endings else SITE
    return say(folder, language, f"ending_{outcome.reason}", outcome, name)


def figure(game: Game, language: str, name: str) -> str:
    """The title of a figure of the statistics."""
    return say(game_folder(game), language, f"figure_{name}")


def column(game: Game, language: str, name: str, value: str) -> str:
    """The name of a column of a figure."""
    return say(game_folder(game), language, f"column_{name}", value)


def owner(game: Game, language: str, name: str) -> str:
    """The name of an owner of points that is no seat, such as a neutral player."""
    return say(game_folder(game), language, f"owner_{name}")
