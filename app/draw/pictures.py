"""Board pictures for letters: SVG rendered to PNG, cached in a folder by content."""

import hashlib
import io
import logging
import os
import re
import tempfile
from functools import cache
from math import sqrt
from pathlib import Path

import resvg_py
from PIL import Image

from app import data_folder
from app.draw.fonts import FontsMissing, fonts, undrawable
from app.draw.looks import look
from app.draw.parts import Parts
from app.engine.game import Game, View
from app.words import FALLBACK

__all__ = ["FontsMissing", "PrivateView", "draw", "in_language", "picture", "render", "undrawable"]

log = logging.getLogger(__name__)

PIXELS = 600_000
"""Of a picture, more or less: about one and a half times as many each way as a letter shows it with."""
PALETTES = (128, 64, 48, 40, 32, 24)
"""Colours of a picture: as many as `LARGEST` allows. A flat drawing loses nothing but soft edges."""
LARGEST = 43_000
"""Bytes. Many letters with one picture each lie in a mailbox, and some are read on the way."""
KEPT = 2000
"""Pictures in the folder. A board is needed for one round of letters, rarely later."""
EDITION = "4"
"""Increase it when the same SVG gives another picture."""


MARK = 16
"""Bytes of the mark behind each picture."""


LATIN_ENDS = "\u024f"
_UNSEEN = re.compile(r' aria-label="[^"]*"|<title>[^<]*</title>')
_LANGUAGE = re.compile(r'<svg [^>]*xml:lang="([^"]+)"')
_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


class PrivateView(Exception):  # noqa: N818
    """A picture goes to every seat, so it must not show a seat's own view."""


def render(svg: str) -> bytes:
    """The SVG as PNG of about `PIXELS` pixels and at most `LARGEST` bytes, if so few colours will do.

    Raises FontsMissing.
    """
    fonts(spoken(svg))  # missing ones are missed also where all parts are known
    scale = _scale(svg)
    drawn = _parts().picture(svg, scale) or draw(svg, scale)
    plain = drawn.convert("RGB")
    png = b""
    for colours in PALETTES:
        flat = plain.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        out = io.BytesIO()
        flat.save(out, "PNG", compress_level=9)  # `optimize` takes longer than drawing and saves little more
        png = out.getvalue()
        if len(png) <= LARGEST:
            break
    return png


def draw(svg: str, scale: float = 1) -> Image.Image:
    """The whole SVG with so many pixels a unit, by resvg, in its language's fonts. Raises FontsMissing."""
    files = list(fonts(spoken(svg)))
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=scale, skip_system_fonts=True, font_files=files, font_family="Noto Sans"
    )
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        return image.convert("RGBA")


def in_language(svg: str, language: str) -> str:
    """The SVG without the words that nobody sees in a picture, marked with its language if that matters.

    Where no letter is beyond Latin, all languages share one picture.
    """
    seen = _UNSEEN.sub("", svg)
    foreign = not seen.isascii() and any(c > LATIN_ENDS and c.isalpha() for c in set(seen))
    return seen.replace("<svg ", f'<svg xml:lang="{language}" ', 1) if foreign else seen


def spoken(svg: str) -> str:
    """The language that an SVG is marked with, else English."""
    found = _LANGUAGE.search(svg[:400])
    return found[1] if found else FALLBACK


def _scale(svg: str) -> float:
    """Pixels a unit, in quarters: then what stands at whole units looks the same everywhere."""
    box = _BOX.search(svg)
    return max(1, round(4 * sqrt(PIXELS / (float(box[1]) * float(box[2]))))) / 4 if box else 1.0


@cache
def _parts() -> Parts:
    """The parts that this process has drawn."""
    return Parts(draw)


def picture(game: Game, view: View, folder: Path, language: str = FALLBACK) -> bytes:
    """The public board as PNG with the words of a language, cached in `folder`/pictures.

    Raises PrivateView for a seat's own view, FontsMissing.
    """
    if getattr(view, "seat", None) is not None:
        raise PrivateView(f"the view of {view.seat} would go to every seat")  # type: ignore[attr-defined]
    svg = in_language(str(look(game.slug, "board.svg", language).board(view)), language)
    name = hashlib.sha256(f"{EDITION} {svg}".encode()).hexdigest()
    file = folder / "pictures" / f"{name[:32]}.png"
    kept = _kept(file)
    if kept is not None:
        return kept
    png = render(svg)
    try:
        _keep(file, png)
    except OSError as error:  # a full disk must not hold letters back
        log.warning("a picture cannot be kept: %s", error)
    return png


def _kept(file: Path) -> bytes | None:
    """The cached picture, if it is there and whole: a power cut or a bad disk can leave another."""
    try:
        kept = file.read_bytes()
    except OSError:
        return None
    png, mark = kept[:-MARK], kept[-MARK:]
    return png if mark == _mark(png) else None


def _mark(png: bytes) -> bytes:
    """The mark behind a picture in its file, by which damage shows; readers of PNG ignore it."""
    return hashlib.blake2b(png, digest_size=MARK).digest()


def _keep(file: Path, png: bytes) -> None:
    """Write the file atomically, as others read the folder. Delete the oldest tenth when it is full."""
    data_folder.private(file.parent)
    handle, draft = tempfile.mkstemp(dir=file.parent, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(png + _mark(png))
            out.flush()
            os.fsync(out.fileno())  # else a power cut leaves a file with its name and no content
        Path(draft).replace(file)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    names = [entry.path for entry in os.scandir(file.parent)]
    if len(names) > KEPT:
        made = sorted((stat.st_mtime_ns, name) for name in names if (stat := _stat(name)))
        for _, name in made[: KEPT // 10]:
            Path(name).unlink(missing_ok=True)


def _stat(name: str) -> os.stat_result | None:
    try:
        return Path(name).stat()
    except FileNotFoundError:  # deleted by another worker
        return None
