"""The Jinja environments: one that escapes, for pages, boards and HTML letters; a plain one for words."""

from functools import cache

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, select_autoescape

from app import graphemes
from app.compiling import LeanEnvironment


@cache
def loader() -> BaseLoader:
    """Loads from the `templates` package, by names such as `mail/asked/body.html`."""
    return PackageLoader("templates", "")


@cache
def environment() -> Environment:
    """For pages, boards and HTML letters: `.html` and `.svg` templates escape, `.txt` templates don't.

    These templates don't import words: the result of a macro counts as safe markup. `narrate` returns words
    as plain strings, which are escaped on output.
    """
    return _configured(
        LeanEnvironment(
            autoescape=select_autoescape(("html", "svg"), ("txt", "jinja"), default=True), loader=loader()
        )
    )


@cache
def plain() -> Environment:
    """For words, subjects and text parts: nothing is escaped, macros return plain text."""
    return _configured(LeanEnvironment(autoescape=False, loader=loader()))


def _configured(environment: Environment) -> Environment:
    environment.filters |= {"truncate": _truncated, "wordwrap": graphemes.wrapped, "padded": graphemes.padded}
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.auto_reload = False
    return environment


def _truncated(text: str, length: int = 255, killwords: bool = False, end: str = "…", leeway: int = 0) -> str:
    """Jinja's filter, which never cuts within a grapheme, and at a word unless `killwords`."""
    if len(text) <= length + leeway:
        return text
    kept = graphemes.cut(text, length, end)
    if killwords or " " not in kept:
        return kept
    return kept.removesuffix(end).rsplit(" ", 1)[0] + end
