"""The list of a language's sentences, and of those it lacks, as lines for a terminal."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from app import templating
from app.games import all_games
from app.sentences.renderings import renderings
from app.words import audit, calls
from app.words.audit import Sentence
from app.words.languages import FALLBACK, available

MOST_PLACES, MOST_EXAMPLES = 3, 16
_VARIABLE = re.compile(r"\w*\d\w*|\b(?:red|yellow|green|blue|Ada|Bela|Chen|Dora)\b")
"""Parts of a rendering whose other values make no other example: numbers, pieces, seats and names."""


class UnknownLanguage(LookupError):  # noqa: N818 - a fact, like the errors of the engine
    """There are no words in that language."""

    def __init__(self, language: str) -> None:
        super().__init__(f"no words in {language!r}; there are {', '.join(available())}")


class Faults(msgspec.Struct, frozen=True):
    """The sentences of a language that need attention."""

    missing: tuple[Sentence, ...]
    doubled: tuple[Sentence, ...]
    unused: tuple[Sentence, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.doubled or self.unused)


def faults(language: str) -> Faults:
    """The missing, doubled and unused sentences of a language. Raises UnknownLanguage.

    A sentence is missing from English if a template or module says it, from others if English has it. Parts
    of other sentences, whose names begin with `_`, belong to their file and don't count.
    """
    _check(language)
    lost = calls.absent() if language == FALLBACK else audit.missing(language)
    found = (lost, audit.doubled(language), audit.unused(language))
    return Faults(*(tuple(one for one in those if not one.part) for those in found))


def report(language: str) -> Iterator[str]:
    """Yield a line for each missing, doubled or unused sentence, its places and example, and a summary."""
    found = faults(language)
    for fault in ("missing", "doubled", "unused"):
        for one in getattr(found, fault):
            yield f"{fault}  {one.folder}  {one.name}({one.facts})"
            yield f"    {one.file}:{one.line}; {_said(one)}"
            if one.text:
                yield from _examples(one, FALLBACK if fault == "missing" else language, 1)
    total = sum(not one.part for one in audit.sentences(language))
    yield (
        f"{total} sentences, {len(found.missing)} missing, {len(found.doubled)} doubled, "
        f"{len(found.unused)} unused"
    )


def rendered(language: str) -> Iterator[str]:
    """Yield all sentences of a language by folder, with their places and renderings, then the rules pages.

    A sentence that the language lacks is listed in English. Raises UnknownLanguage.
    """
    _check(language)
    those = [*audit.sentences(language), *(audit.missing(language) if language != FALLBACK else ())]
    those = sorted((one for one in those if not one.part), key=lambda one: one.folder)
    for folder, group in groupby(those, key=lambda one: one.folder):
        yield f"== {folder} =="
        yield ""
        for one in group:
            yield f"{one.name}  ({one.file}:{one.line}; {_said(one)})"
            yield from _examples(one, language, MOST_EXAMPLES)
        yield ""
    for slug in all_games():
        yield from _rules(slug, language)


def _check(language: str) -> None:
    if language not in available():
        raise UnknownLanguage(language)


def _said(sentence: Sentence) -> str:
    places = audit.uses(sentence)
    if not places:
        return "never said"
    more = len(places) - MOST_PLACES
    return f"said in {', '.join(places[:MOST_PLACES])}" + (f" and {more} more places" if more > 0 else "")


def _examples(sentence: Sentence, language: str, most: int) -> Iterator[str]:
    return (f"    {text}" for text in distinct(renderings(sentence, language))[:most])


def distinct(texts: Sequence[str]) -> list[str]:
    """The texts without those that differ from an earlier one only in a number, a piece or a name.

    Texts with the number 1 are kept beside those with other numbers: a plural form may differ.
    """
    found: dict[str, str] = {}
    for text in texts:
        if text:
            found.setdefault(_VARIABLE.sub(lambda one: "1" if one[0] == "1" else "#", text), text)
    return list(found.values())


def _rules(slug: str, language: str) -> Iterator[str]:
    """Yield the text of a game's rules page, a line for each paragraph, without its tags and pictures."""
    names = [f"games/{slug}/rules/{code}.html" for code in dict.fromkeys((language, FALLBACK))]
    there = set(templating.environment().list_templates(["html"]))
    name = next((one for one in names if one in there), None)
    if name is None:
        return
    source = templating.loader().get_source(templating.environment(), name)[0]
    source = re.sub(r"\{% call \w+\((.*?)\) %\}", lambda call: f"{_quoted(call[1])}\n", source)
    yield f"== {name} =="
    yield ""
    for line in re.sub(r"\{%.*?%\}|<[^>]+>", "", source).splitlines():
        if line.strip():
            yield f"    {line.strip()}"
    yield ""


def _quoted(arguments: str) -> str:
    """The longest text among a call's arguments: a picture's description."""
    return max(re.findall(r'"([^"]*)"', arguments), key=len, default="")
