"""Each sentence rendered with sample facts."""

from collections.abc import Iterator
from typing import Any

from app.games import all_games
from app.sentences import games
from app.sentences.samples import arguments
from app.words import catalogue
from app.words.audit import Sentence


def renderings(sentence: Sentence, language: str) -> tuple[str, ...]:
    """A sentence with each of its samples and plural forms, each text once."""
    return tuple(dict.fromkeys(_rendered(sentence, language)))


def _rendered(sentence: Sentence, language: str) -> Iterator[str]:
    for facts in (*_collected(sentence), *([] if _collected(sentence) else arguments(sentence, language))):
        yield str(catalogue.say(sentence.folder, language, sentence.name, *facts))


def _collected(sentence: Sentence) -> tuple[tuple[Any, ...], ...]:
    """The facts of the sentence that games between bots brought about; empty for others."""
    slug = sentence.folder.removeprefix("games/").removesuffix("/words")
    return games.facts(slug).get(sentence.name, ()) if slug in all_games() else ()
