"""Words in the reader's language: the catalogue of sentences, and dates, numbers, lists and plurals.

A language is files and no code. `templates/words/<language>.jinja` makes it available; the `words` folders
below `templates` hold the rest of its sentences. Each sentence is a macro that is called with facts. English
replaces the macros that a language lacks.
"""

from app.words.catalogue import has_words, say, with_names
from app.words.formats import Formats, formats
from app.words.languages import FALLBACK, Language, available, direction, resolve

__all__ = [
    "FALLBACK",
    "Formats",
    "Language",
    "available",
    "direction",
    "formats",
    "has_words",
    "resolve",
    "say",
    "with_names",
]
