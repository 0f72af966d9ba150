"""Boards as pictures of their own, which no style sheet of a page reaches."""

import re
from functools import cache

from flask import Response

from app.web.core.bundles import PARTS

_OPENING = re.compile(r"<svg[^>]*>")


def drawing(svg: str) -> Response:
    """The board as an image that brings the page's rules for boards along, so that it is dark in the dark."""
    opening = _OPENING.match(svg)
    assert opening is not None
    end = opening.end()
    return Response(f"{svg[:end]}<style>{_dark()}</style>{svg[end:]}", mimetype="image/svg+xml")


@cache
def _dark() -> str:
    rules = re.sub(r"/\*.*?\*/", "", (PARTS / "style" / "board.css").read_text(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", rules.replace(".board ", "")).strip()
