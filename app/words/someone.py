"""The name of a person whose account was deleted: "Someone", in each reader's language.

It is stored like any name, with a mark that no typed name can hold, and becomes the reader's word on its way
out: in every sentence, and in every page and email as a whole.
"""

from collections.abc import Callable

_MARK = "\u2063"
NAME = f"Someone{_MARK}"


def named(text: str, word: Callable[[], str]) -> str:
    """The text with the reader's word in place of `NAME`."""
    return text.replace(NAME, word()) if _MARK in text else text
