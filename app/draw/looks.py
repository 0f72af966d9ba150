"""The board templates of the games, with words in the reader's language and memoised macros."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from app import templating
from app.words import FALLBACK, formats
from app.words.catalogue import modules, on_one_line
from app.words.isolation import from_right_to_left

KEPT = 20_000
"""Drawn parts memoised per template; a board with many pieces has a few hundred."""


def words(slug: str, language: str) -> tuple[Any, Any]:
    """The macros of a game's words in a language, and those in English."""
    english = modules(f"games/{slug}/words", FALLBACK)[0]
    return next(iter(modules(f"games/{slug}/words", language)), english), english


@cache
def look(slug: str, file: str, language: str) -> Any:
    """The macros of a game's `board.svg`, `board.html` or `board.txt`. Raises TemplateNotFound.

    Additional functions in the template, all with hashable arguments:
    `say(name, ...)`: a macro of the words, as plain text on one line;
    `joint`, `colon`, `comma`: what stands between sentences, behind a label and between items;
    `between`: what stands between items in prose beside the board, each of them isolated by `ltr`;
    `digits(number)`: a number in a table below the picture, in the language's digits;
    `kept(macro, ...)`: the macro's result, memoised by its arguments;
    `each(macro, rows)`: the macro's results for each row of arguments, joined, each memoised;
    `filled(macro, rows)`: a dict filled by calling the macro with a dict and each row, each memoised.
    """
    return look_with(slug, file, _say(words(slug, language)), language)


def look_with(slug: str, file: str, say: Callable[..., str], language: str = FALLBACK) -> Any:
    """The macros of a board's template that say their words by the given function."""
    environment = templating.plain() if file.endswith(".txt") else templating.environment()
    template = environment.get_template(f"games/{slug}/{file}")
    kept = _kept()
    joined = str if environment is templating.plain() else Markup
    marks = formats(language)
    named = {
        "say": say,
        "joint": marks.joint,
        "colon": marks.colon,
        "comma": marks.comma,
        "between": marks.between,
        "ltr": marks.ltr,
        "digits": lambda number: marks.digits(str(number)),
        "kept": kept,
        "each": _each(kept, joined),
        "filled": _filled(),
    }
    return template.make_module(named)


def _say(spoken: tuple[Any, Any]) -> Callable[..., str]:
    """The function that says words on a board, each isolated if it reads from right to left.

    A board is drawn from left to right in every language, and numbers beside a word keep their places.
    """

    @lru_cache(KEPT)
    def say(name: str, *arguments: Any) -> str:
        macro = getattr(spoken[0], name, None) or getattr(spoken[1], name)
        # Called from Python, the macro returns a plain string, which the board's template escapes.
        return from_right_to_left(on_one_line(macro(*arguments)))

    return say


def _kept() -> Callable[..., str]:
    @lru_cache(KEPT)
    def kept(macro: Callable[..., str], *arguments: Any) -> str:
        return macro(*arguments)

    return kept


def _each(kept: Callable[..., str], joined: type[str]) -> Callable[..., str]:
    def each(macro: Callable[..., str], rows: Iterable[Iterable[Any]]) -> str:
        return joined("".join([kept(macro, *row) for row in rows]))

    return each


def _filled() -> Callable[..., dict[Any, Any]]:
    @lru_cache(KEPT)
    def of_row(macro: Callable[..., str], *row: Any) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        macro(made, *row)
        return made

    def filled(macro: Callable[..., str], rows: Iterable[Iterable[Any]]) -> dict[Any, Any]:
        return {name: value for row in rows for name, value in of_row(macro, *row).items()}

    return filled
