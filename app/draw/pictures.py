"""The board of a letter: SVG into PNG, once for everybody, kept in a folder by what is on it."""

import hashlib
import importlib.resources
import io
import logging
import os
import tempfile
from functools import cache
from pathlib import Path

import resvg_py
from PIL import Image, ImageFont

from app.draw.looks import look
from app.engine.game import Game, View

log = logging.getLogger(__name__)

WIDTH = 1176
"""Pixels: twice what a letter shows."""
PALETTE = 128
"""Colours of a picture; flat drawings need no more."""
KEPT = 2000
"""Pictures in the folder, of some 60 kB each: a board is wanted for the others' letters, hardly later."""
EDITION = "1"
"""Rises when the same SVG would give another picture."""


class FontsMissing(Exception):  # noqa: N818 - as the other errors of the house
    """The font of the pictures is not installed: all text would be silently left out."""


class Unfit(Exception):  # noqa: N818
    """A picture goes to every seat, so a seat's own view is refused."""


@cache
def fonts() -> tuple[str, ...]:
    """The font files for pictures. Raises FontsMissing."""
    try:
        folder = Path(str(importlib.resources.files("fontpkg_noto_sans"))) / "files"
    except ModuleNotFoundError:
        folder = Path()
    files = tuple(str(file) for file in sorted(folder.glob("NotoSans[[]*.ttf")))
    if not files:
        raise FontsMissing("Noto Sans is not there: install the package fontpkg-noto-sans")
    return files


def undrawable(text: str) -> str:
    """The characters of the text that the font does not have: resvg would leave them out without a word."""
    font = ImageFont.truetype(fonts()[0], 20)
    nothing = bytes(font.getmask("\U0010fffe"))
    return "".join(c for c in dict.fromkeys(text) if not c.isspace() and bytes(font.getmask(c)) == nothing)


def render(svg: str) -> bytes:
    """The SVG as PNG, two pixels for each of a letter's. Raises FontsMissing."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=WIDTH, skip_system_fonts=True, font_files=list(fonts()), font_family="Noto Sans"
    )
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        flat = image.convert("RGB").quantize(PALETTE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    flat.save(out, "PNG")  # to try all ways of packing takes longer than drawing, and saves a tenth
    return out.getvalue()


def picture(game: Game, view: View, folder: Path) -> bytes:
    """The public board as PNG, drawn once for equal boards and kept in `folder`/pictures.

    Raises Unfit where the view is a seat's own, FontsMissing.
    """
    if getattr(view, "seat", None) is not None:
        raise Unfit(f"the view of {view.seat} would be seen by all")  # type: ignore[attr-defined]
    svg = str(look(game.slug, "board.svg", "en").board(view))
    name = hashlib.sha256(f"{EDITION} {WIDTH} {PALETTE} {svg}".encode()).hexdigest()
    file = folder / "pictures" / f"{name[:32]}.png"
    try:
        return file.read_bytes()
    except OSError:
        png = render(svg)
        try:
            _keep(file, png)
        except OSError as error:  # a full disk shall not keep letters back
            log.warning("a picture cannot be kept: %s", error)
        return png


def _keep(file: Path, png: bytes) -> None:
    """Write the file whole or not at all: others read the folder meanwhile. The oldest make room."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=file.parent, suffix=".draft")
    with os.fdopen(handle, "wb") as out:
        out.write(png)
    Path(draft).replace(file)
    names = [entry.path for entry in os.scandir(file.parent)]
    if len(names) > KEPT:
        made = sorted((stat.st_mtime_ns, name) for name in names if (stat := _stat(name)))
        for _, name in made[: KEPT // 10]:
            Path(name).unlink(missing_ok=True)


def _stat(name: str) -> os.stat_result | None:
    try:
        return Path(name).stat()
    except FileNotFoundError:  # another worker tidied up
        return None
