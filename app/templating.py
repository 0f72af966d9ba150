"""The one Jinja: pages, boards and letters that escape, words and text parts that do not."""

from functools import cache

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, select_autoescape


@cache
def loader() -> BaseLoader:
    """The `templates` package, by names such as `mail/asked/letter.html`."""
    return PackageLoader("templates", "")


@cache
def environment() -> Environment:
    """For pages, boards and the HTML parts of letters: `.html` and `.svg` escape, `.txt` does not.

    Words are not imported here: a macro called from a page counts as safe markup. They come as text from
    `narrate`, and are escaped where they are put.
    """
    return _made(
        Environment(
            autoescape=select_autoescape(("html", "svg"), ("txt", "jinja"), default=True), loader=loader()
        )
    )


@cache
def plain() -> Environment:
    """For words, subjects and text parts: nothing is escaped, macros give plain text."""
    return _made(Environment(autoescape=False, loader=loader()))  # noqa: S701 - makes no markup


def _made(made: Environment) -> Environment:
    made.undefined = StrictUndefined
    made.trim_blocks = made.lstrip_blocks = True
    made.auto_reload = False
    return made
