"""Each sentence rendered with sample facts."""

from collections.abc import Iterator

from app.games import all_games
from app.sentences import games
from app.sentences.samples import arguments
from app.words import catalogue
from app.words.audit import Sentence


def renderings(sentence: Sentence, language: str) -> tuple[str, ...]:
    """A sentence with each of its samples and plural forms, each text once."""
    return tuple(dict.fromkeys(_rendered(sentence, language)))


def _rendered(sentence: Sentence, language: str) -> Iterator[str]:
    slug = sentence.folder.removeprefix("games/").removesuffix("/words")
    of_a_game = slug in all_games()
    collected = games.facts(slug).get(sentence.name, ()) if of_a_game else ()
    own = games.values(slug) if of_a_game else {}
    for facts in collected or arguments(sentence, language, own):
        yield str(catalogue.say(sentence.folder, language, sentence.name, *facts))
