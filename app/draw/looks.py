"""The boards' templates, opened with what they may call: words of the reader's language, and a memory."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from app import templating

KEPT = 20_000
"""Drawn parts that a template keeps: a game of Survive has some hundreds at a time."""


FALLBACK = "en"


def words(slug: str, language: str) -> tuple[Any, Any]:
    """The macros of a game in a language, and in English for what that lacks. Raises TemplateNotFound."""
    names = [f"games/{slug}/words/{tongue}.jinja" for tongue in (language, FALLBACK)]
    plain = templating.plain()
    return plain.select_template(names).module, plain.get_template(names[-1]).module


@cache
def look(slug: str, file: str, language: str) -> Any:
    """The macros of a game's `board.svg`, `board.html` or `board.txt`. Raises TemplateNotFound.

    In the template, `say("legend", ...)` is a macro of the words as plain text, and `kept(macro, ...)` is
    what the macro gives, drawn once for equal arguments. Both take values that can be hashed.
    """
    environment = templating.plain() if file.endswith(".txt") else templating.environment()
    template = environment.get_template(f"games/{slug}/{file}")
    return template.make_module({"say": _say(words(slug, language)), "kept": _kept()})


def _say(spoken: tuple[Any, Any]) -> Callable[..., str]:
    @lru_cache(KEPT)
    def say(name: str, *arguments: Any) -> str:
        macro = getattr(spoken[0], name, None) or getattr(spoken[1], name)
        # Called from here and not by the template, a macro does not take its words for safe markup.
        return " ".join(macro(*arguments).split())

    return say


def _kept() -> Callable[..., str]:
    @lru_cache(KEPT)
    def kept(macro: Callable[..., str], *arguments: Any) -> str:
        return macro(*arguments)

    return kept
