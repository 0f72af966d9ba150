"""Languages: those that have files, and which of them a reader gets."""

from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec
from babel import Locale, UnknownLocaleError

from app import templating

FALLBACK = "en"
LOCALES = {"en": "en_GB", "fa": "fa_IR", "ja": "ja_JP", "zh-Hans": "zh_Hans_CN", "zh-Hant": "zh_Hant_TW"}
"""The locale of dates and numbers, where the language alone would choose another country's habits."""
SCRIPTS = {"zh": "Hans"}
"""The script that a language is read in where its tag names neither script nor country."""


class Language(msgspec.Struct, frozen=True):
    """A language that Tidepost speaks."""

    code: str
    """As in file names and HTML: a language, and a script where it has several, such as zh-Hant."""
    name: str
    """In the language itself."""
    direction: str
    """ltr or rtl."""
    locale: str
    """As Babel names it."""


@cache
def available() -> dict[str, Language]:
    """The languages that have a file of the site's words, by code, English first."""
    found = {
        name.removeprefix("words/").removesuffix(".jinja")
        for name in templating.environment().list_templates(["jinja"])
        if name.startswith("words/")
    }
    return {code: _language(code) for code in sorted(found, key=lambda code: (code != FALLBACK, code))}


def resolve(tags: Iterable[str]) -> str:
    """The first available language among language tags in the reader's order, or English.

    Tags are compared by language and script: zh-TW means traditional script, zh-SG simplified. Unknown and
    malformed tags are passed over.
    """
    known = {_key(code): code for code in available()}
    for tag in tags:
        if (key := _key(tag)) in known:
            return known[key]
    return FALLBACK


@lru_cache(1024)
def direction(code: str) -> str:
    """The direction in which a language is written, ltr or rtl, whether or not it has files."""
    try:
        return str(Locale.parse(code.replace("-", "_")).text_direction)
    except (ValueError, UnknownLocaleError):
        return "ltr"


@lru_cache(1024)  # browsers send any tags they like
def _key(tag: str) -> tuple[str, str] | None:
    """Language and script of a tag, or None if it is none."""
    try:
        locale = Locale.parse(tag.strip().replace("_", "-"), sep="-")
    except (ValueError, UnknownLocaleError, TypeError):
        language = tag.strip().replace("_", "-").split("-")[0].lower()
        return (language, SCRIPTS.get(language, "")) if language.isalpha() else None
    return locale.language, locale.script or SCRIPTS.get(locale.language, "")


def _language(code: str) -> Language:
    locale = Locale.parse(LOCALES.get(code, code.replace("-", "_")))
    own = Locale.parse(code.replace("-", "_"))
    name = own.get_display_name(own) or code
    return Language(code, NAMES.get(code, name), own.text_direction, str(locale))


NAMES = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
"""Native names, where Babel adds the script in brackets."""
