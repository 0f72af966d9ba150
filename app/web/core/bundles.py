"""The one script and the one style sheet of the pages, joined from parts.

The pages work without the script. It saves reloading, keeps the focus, and guesses the time zone.
"""

from functools import cache
from pathlib import Path

from flask import Blueprint, Response, request

PARTS = Path(__file__).parent.parent
SCRIPT = (
    "keeping",
    "turn",
    "swapping",
    "pointing",
    "zoom",
    "history",
    "live",
    "dressing",
    "finding",
    "push",
    "start",
)
"""The parts of the script, in order: `start` runs what the others define."""
STYLE = (
    "base",
    "frame",
    "cards",
    "forms",
    "seats",
    "lobby",
    "finding",
    "tables",
    "match",
    "board",
    "history",
    "turn",
    "pointing",
    "languages",
    "print",
)
"""The parts of the style sheet, in order: a later rule of equal weight wins."""
pages = Blueprint("bundles", __name__)


@cache
def script() -> bytes:
    """The script. Its parts share one scope, strict and their own."""
    parts = "\n".join((PARTS / "script" / f"{name}.js").read_text() for name in SCRIPT)
    return f'(function () {{\n"use strict";\nconst doc = document;\n\n{parts}}})();\n'.encode()


@cache
def style() -> bytes:
    """The style sheet."""
    return "\n".join((PARTS / "style" / f"{name}.css").read_text() for name in STYLE).encode()


JOINED = {"tidepost.js": script, "tidepost.css": style}


@pages.get("/static/tidepost.js")
def serve_script() -> Response:
    """The script, which browsers may keep for a year: its address changes with it."""
    return _kept(script(), "text/javascript")


@pages.get("/static/tidepost.css")
def serve_style() -> Response:
    """The style sheet, kept like the script."""
    return _kept(style(), "text/css")


def _kept(body: bytes, kind: str) -> Response:
    response = Response(body, content_type=f"{kind}; charset=utf-8")
    response.cache_control.public = True
    response.cache_control.max_age = 365 * 24 * 3600
    response.add_etag()
    response.make_conditional(request)
    return response
