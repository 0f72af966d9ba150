"""The places that say a sentence by its full name, and those that say one that English lacks."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec
from jinja2 import nodes

from app import templating
from app.words import audit
from app.words.languages import FALLBACK

_SAYS = re.compile(r"\b(?:say|_?site|heading)\(\s*(?:[\w.]+,\s*)*\"(\w+)\"\s*[,)]")
"""A call in a module whose name is written out."""


class Call(msgspec.Struct, frozen=True):
    """A call of a sentence in a template or module."""

    file: str
    line: int
    folders: tuple[str, ...]
    """The folders of words that may have it."""
    name: str
    positional: int = 0
    keywords: frozenset[str] | None = None
    """The facts given by name. None: not known, in modules."""


@cache
def calls() -> tuple[Call, ...]:
    """All calls whose sentence is written out, in templates first."""
    return (*_in_templates(), *_in_modules())


def absent() -> tuple[audit.Sentence, ...]:
    """The sentences that are said and that English lacks, without a text, each at a place that says it."""
    there = {(one.folder, one.name) for one in audit.sentences(FALLBACK)}
    lost = (one for one in calls() if not any((folder, one.name) in there for folder in one.folders))
    return tuple(audit.Sentence(one.folders[0], one.name, "", "", one.file, one.line) for one in lost)


def _in_templates() -> Iterator[Call]:
    for file, text in audit.all_sources():
        if file.endswith(".py"):
            continue
        for node in templating.environment().parse(text).find_all(nodes.Call):
            function = node.node.name if isinstance(node.node, nodes.Name) else ""
            for name in _constants(node.args[0]) if function in ("say", "site") and node.args else ():
                yield Call(
                    file,
                    node.lineno,
                    _folders(file, function, name),
                    name.rpartition(".")[2],
                    len(node.args) - 1,
                    frozenset(one.key for one in node.kwargs),
                )


def _constants(node: nodes.Expr) -> Iterator[str]:
    """The names that an expression can be, as far as they are written out."""
    if isinstance(node, nodes.Const):
        yield str(node.value)
    elif isinstance(node, nodes.CondExpr):
        yield from _constants(node.expr1)
        if node.expr2 is not None:
            yield from _constants(node.expr2)


def _folders(file: str, function: str, name: str) -> tuple[str, ...]:
    room = name.rpartition(".")[0]
    if room:
        return ("words" if room == "site" else f"{room}/words",)
    if file.startswith("games/"):
        return ("/".join([*file.split("/")[:2], "words"]),)
    return ("words",) if function == "site" else ("mail/words", "words")


def _in_modules() -> Iterator[Call]:
    for file, text in audit.all_sources():
        if file.endswith(".py"):
            for match in _SAYS.finditer(text):
                yield Call(file, text.count("\n", 0, match.start()) + 1, audit.folders(), match[1])
