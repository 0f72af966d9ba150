"""The catalogue of sentences: macros of templates, by folder, language and name."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

from jinja2 import Template, TemplateNotFound
from jinja2.environment import TemplateModule
from markupsafe import Markup

from app import templating
from app.words.formats import formats
from app.words.isolation import turned
from app.words.languages import FALLBACK, direction
from app.words.someone import named

SUFFIXES = ("jinja", "html")
"""Plain text, and text with markup whose facts are escaped."""
_SITE = "words"
KEPT = 20_000
"""Sentences kept, each with the facts it was said with."""
_WIDE_BREAK = re.compile(
    r"(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uff65])\s*\n\s*(?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uff65])"
)
_SIMPLE = frozenset((str, Markup, int, bool, type(None)))
"""Kinds of facts by which a sentence is kept: equal ones of one kind read the same. Equal moments don't."""


def say(folder: str, language: str, name: str, /, *facts: Any, **more: Any) -> str:
    """A sentence of a folder's words, on one line: Markup from `.html` files, else plain text.

    English replaces what the language lacks. Raises LookupError if English has no such sentence either.
    """
    if _SIMPLE.issuperset(map(type, facts)) and _SIMPLE.issuperset(map(type, more.values())):
        return _kept(folder, language, name, *facts, **more)
    return _said(folder, language, name, facts, more)


@lru_cache(KEPT, typed=True)
def _kept(folder: str, language: str, name: str, /, *facts: Any, **more: Any) -> str:
    return _said(folder, language, name, facts, more)


def _said(folder: str, language: str, name: str, facts: tuple[Any, ...], more: dict[str, Any]) -> str:
    macro = find(folder, language, name)
    if macro is None:
        raise LookupError(f"{folder} has no {name}")
    if direction(language) == "ltr":
        facts, more = tuple(map(turned, facts)), {name: turned(one) for name, one in more.items()}
    text = macro(*facts, **more)
    return type(text)(with_names(on_one_line(text), language))


def with_names(text: str, language: str) -> str:
    """The text with the names of people whose accounts were deleted as the language says them."""
    return named(text, lambda: say(_SITE, language, "gone_name"))


def on_one_line(text: str) -> str:
    """The text without line breaks: each becomes a space, or nothing between wide characters."""
    return " ".join((_WIDE_BREAK.sub("", text) if "\n" in text else text).split())


def has_words(folder: str, language: str, name: str) -> bool:
    """Whether the language, or English, has the sentence."""
    return find(folder, language, name) is not None


@cache
def find(folder: str, language: str, name: str) -> Callable[..., str] | None:
    """The macro of a sentence in the language, else in English, or None."""
    for module in (*modules(folder, language), *modules(folder, FALLBACK)):
        macro: Callable[..., str] | None = getattr(module, name, None)
        if macro is not None:
            return macro
    return None


@cache
def modules(folder: str, language: str) -> tuple[TemplateModule, ...]:
    """The files of a folder's words in a language, with the formats of the language.

    Their macros may call: `number plural listed either duration span weekday day short_day time moment
    short_moment dated_moment`.
    """
    made = formats(language)
    names = [name for name in dir(made) if not name.startswith("_") and callable(getattr(made, name))]
    tools = {name: getattr(made, name) for name in names} | {"language": language}
    return tuple(template.make_module(tools) for template in _templates(folder, language))


def _templates(folder: str, language: str) -> Iterator[Template]:
    for suffix in SUFFIXES:
        environment = templating.plain() if suffix == "jinja" else templating.environment()
        with suppress(TemplateNotFound):
            yield environment.get_template(f"{folder}/{language}.{suffix}")
