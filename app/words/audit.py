"""The list of all sentences: what a language lacks, has twice or never says, and an example of each.

Sentences are found in the files of words. A use is a name in quotes in a template or module, or a call in a
file of words. A name that is put together when it is said (`"refusal_" ~ reason`) is a use of every sentence
that begins so.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

import app as package
from app import templating
from app.words.languages import FALLBACK

PREFIXES = {"words": "site"}
"""The name of a folder in `say("site.help")`, where it isn't that of the room: `say("lobby.seats")`."""
ROOT = Path(package.__file__).parent
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\((.*?)\)\s*-?%\}(.*?)\{%-?\s*endmacro", re.DOTALL)
_PART = re.compile(r"\"(?:\w+\.)?(\w+_)\"\s*~|\bf\"(\w+_)\{|'(\w+_)'\s*~|~\s*\"(_\w+)\"")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_NAME = re.compile(r"""["']([a-z][\w/]*(?:\.\w+)?)["']""")
_CALL = re.compile(r"\b(\w+)\(")


class Sentence(msgspec.Struct, frozen=True):
    """One macro of a file of words."""

    folder: str
    name: str
    facts: str
    """Its parameters, as written."""
    text: str
    """Its body."""
    file: str
    line: int

    @property
    def part(self) -> bool:
        """Whether it is a part of other sentences in its file."""
        return self.name.startswith("_")


@cache
def folders() -> tuple[str, ...]:
    """The folders that hold words, in English at least."""
    ends = tuple(f"words/{FALLBACK}.{suffix}" for suffix in ("jinja", "html"))
    return tuple(sorted({name.rpartition("/")[0] for name in _templates() if name.endswith(ends)}))


@cache
def sentences(language: str) -> tuple[Sentence, ...]:
    """All sentences of a language, in the order of folders and files."""
    return tuple(one for folder in folders() for one in _in_folder(folder, language))


def missing(language: str) -> tuple[Sentence, ...]:
    """English sentences that the language lacks."""
    there = {(one.folder, one.name) for one in sentences(language)}
    return tuple(one for one in sentences(FALLBACK) if not one.part and (one.folder, one.name) not in there)


def doubled(language: str) -> tuple[Sentence, ...]:
    """Sentences whose name stands twice in one folder: the first of the two is never said."""
    seen: set[tuple[str, str]] = set()
    twice = []
    for one in sentences(language):
        if (one.folder, one.name) in seen:
            twice.append(one)
        seen.add((one.folder, one.name))
    return tuple(twice)


def unused(language: str) -> tuple[Sentence, ...]:
    """Sentences that nothing says."""
    return tuple(one for one in sentences(language) if not uses(one))


def uses(sentence: Sentence) -> tuple[str, ...]:
    """The places that say a sentence, each as file and line."""
    names, parts = _said()
    prefix = PREFIXES.get(sentence.folder, sentence.folder.removesuffix("/words"))
    keys = (f"{prefix}.{sentence.name}", sentence.name, f"{sentence.folder} {sentence.name}")
    own = [place for key in keys for place in names.get(key, ())]
    begun = [place for part, places in parts.items() if _fits(sentence.name, part) for place in places]
    here = f"{sentence.file}:{sentence.line}"
    return tuple(dict.fromkeys(one for one in (*own, *begun) if one != here and _near(one, prefix)))


def _near(place: str, prefix: str) -> bool:
    """Whether a place can say the words of a folder: a game's templates say their own, and the site's."""
    return not place.startswith("games/") or not prefix.startswith("games/") or place.startswith(f"{prefix}/")


def _fits(name: str, part: str) -> bool:
    return name.startswith(part) if part.endswith("_") else name.endswith(part)


def _in_folder(folder: str, language: str) -> Iterator[Sentence]:
    for suffix in ("jinja", "html"):
        file = f"{folder}/{language}.{suffix}"
        if file not in _templates():
            continue
        text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), _source(file))
        for match in _MACRO.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Sentence(folder, match[1], match[2], " ".join(match[3].split()), file, line)


@cache
def _said() -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """The names in quotes in templates and modules, macros called in files of words, and beginnings of names.

    Each with its places. A called macro stands under its folder and name.
    """
    names: dict[str, list[str]] = {}
    parts: dict[str, list[str]] = {}
    for file, text in all_sources():
        folder = file.rpartition("/")[0]
        for number, line in enumerate(text.splitlines(), 1):
            place = f"{file}:{number}"
            called = (
                {f"{folder} {name}" for name in _CALL.findall(line)} if folder.endswith("words") else set()
            )
            for name in {*_NAME.findall(line), *called}:
                names.setdefault(name, []).append(place)
            for match in _PART.finditer(line):
                parts.setdefault(next(filter(None, match.groups())), []).append(place)
    return names, parts


def all_sources() -> Iterator[tuple[str, str]]:
    """Yield the templates and modules that may say sentences, each with its text."""
    for name in sorted(_templates()):
        in_other_language = "/words/" in f"/{name}" and not name.rpartition("/")[2].startswith(f"{FALLBACK}.")
        if not in_other_language and name.endswith((".html", ".txt", ".jinja", ".svg", ".xml")):
            yield name, _source(name)
    for path in sorted(ROOT.rglob("*.py")):
        if path != Path(__file__):
            yield f"app/{path.relative_to(ROOT)}", path.read_text(encoding="utf-8")


@cache
def _templates() -> frozenset[str]:
    return frozenset(templating.environment().list_templates())


def _source(name: str) -> str:
    return templating.loader().get_source(templating.environment(), name)[0]
