"""Boards as pictures of their own, which no style sheet of a page reaches."""

import re
from functools import cache

from flask import Response

from app.web.core.bundles import PARTS

_OPENING = re.compile(r"<svg[^>]*>")


def drawing(svg: str, language: str) -> Response:
    """The board as an image that brings along what a page would give it.

    These are the rules for boards, so that it is dark in the dark, and the language of its words, by which
    the signs of Chinese and Japanese have their forms.
    """
    opening = _OPENING.match(svg)
    assert opening is not None
    end = opening.end()
    opened = svg[:end].replace("<svg", f'<svg xml:lang="{language}"', 1)
    return Response(f"{opened}<style>{_dark()}</style>{svg[end:]}", mimetype="image/svg+xml")


@cache
def _dark() -> str:
    rules = re.sub(r"/\*.*?\*/", "", (PARTS / "style" / "board.css").read_text(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", rules.replace(".board ", "")).strip()
