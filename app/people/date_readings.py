"""How the words of a language are replaced by English ones, pattern by pattern."""

import re
from collections.abc import Callable

Reading = Callable[[re.Match[str]], str]
"""The English for what a pattern found."""
WAVES = str.maketrans(dict.fromkeys("〜～~ー―－–—―", "-"))
"""Signs that stand between two days, beside the hyphen."""


def replaced(text: str, words: tuple[tuple[str, Reading], ...]) -> str:
    """The text with each pattern in its turn replaced by its reading, between blanks."""
    for pattern, reading in words:
        text = re.sub(pattern, lambda found, reading=reading: f" {reading(found)} ", text)  # type: ignore[misc]
    return text
