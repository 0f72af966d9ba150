"""The fonts of pictures, by language: one of Latin letters for all, and one of the language's own.

No other font is given for a picture: a character that languages share is drawn as its reader writes it.
"""

import importlib.resources
from functools import cache
from pathlib import Path

from PIL import ImageFont

LATIN = ("fontpkg_noto_sans", "files/NotoSans[[]*.ttf")
OWN = {
    "fa": ("fontpkg_noto_sans_arabic", "files/NotoSansArabic*.ttf"),
    "ja": ("pylopdf_fonts_jp", "NotoSansJP-*.otf"),
    "zh-Hans": ("pylopdf_fonts_zh_cn", "NotoSansSC-*.otf"),
    "zh-Hant": ("pylopdf_fonts_zh_tw", "NotoSansTC-*.otf"),
}
"""For each language the package with its letters, and the files in it."""


class FontsMissing(Exception):  # noqa: N818 - like the project's other errors
    """A font of pictures is not installed; resvg would leave out its text without an error."""


@cache
def fonts(language: str = "en") -> tuple[str, ...]:
    """The font files for pictures in a language, the Latin ones first. Raises FontsMissing."""
    return tuple(file for name, files in _packages(language) for file in _files(name, files))


def undrawable(text: str, language: str = "en") -> str:
    """The characters of the text that the fonts lack, which resvg would leave out without an error."""
    known = [ImageFont.truetype(file, 20) for file in fonts(language)]
    nothing = [bytes(font.getmask("\U0010fffe")) for font in known]
    return "".join(
        c
        for c in dict.fromkeys(text)
        if not c.isspace()
        and all(bytes(font.getmask(c)) == none for font, none in zip(known, nothing, strict=True))
    )


def _packages(language: str) -> list[tuple[str, str]]:
    return [LATIN, *([OWN[language]] if language in OWN else [])]


def _files(package: str, pattern: str) -> list[str]:
    try:
        folder = Path(str(importlib.resources.files(package)))
    except ModuleNotFoundError:
        folder = Path()
    found = [str(file) for file in sorted(folder.glob(pattern))]
    if not found:
        raise FontsMissing(f"a font is not there: install the package {package.replace('_', '-')}")
    return found
