"""The formats of each language."""

from functools import cache

from app.words.formatting import DAY, HOUR, MINUTE, Formats, zone_abbreviation, zone_of
from app.words.han import ChineseFormats, JapaneseFormats
from app.words.languages import Language, available, resolve
from app.words.persian import JalaliFormats

__all__ = ["DAY", "HOUR", "MINUTE", "Formats", "formats", "formats_of", "zone_abbreviation", "zone_of"]

KINDS: dict[str, type[Formats]] = {"zh": ChineseFormats, "ja": JapaneseFormats, "fa": JalaliFormats}
"""The formats of languages by the first part of their codes, where Babel's alone don't do."""


@cache
def formats(language: str) -> Formats:
    """The formats of an available language; English for others."""
    return formats_of(available()[resolve([language])])


def formats_of(language: Language) -> Formats:
    """The formats of a language."""
    return KINDS.get(language.code.partition("-")[0], Formats)(language.locale)
