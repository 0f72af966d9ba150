"""The switch of languages below every page: a link that this browser's session remembers.

A page is asked for in another language by `lang` in its address. The answer sends the browser to the address
without it, so that no copied address carries a language, and no page is kept under two addresses.
"""

from urllib.parse import quote, urlencode

import msgspec
from flask import Flask, redirect, request, session
from werkzeug.wrappers import Response

from app import words

PARAMETER = "lang"
KEY = "language"


class Switch(msgspec.Struct, frozen=True):
    """A link to the page in a language."""

    code: str
    name: str
    """In the language itself."""
    direction: str
    address: str


def install(app: Flask) -> None:
    """Answer requests for another language, before any page."""
    app.before_request(_switch)


def chosen() -> str | None:
    """The language that was chosen on this browser, if it was and is still there."""
    if "HTTP_COOKIE" not in request.environ:
        return None
    code = session.get(KEY)
    return code if code in words.available() else None


def forget() -> None:
    """From now on the player's own language counts again."""
    session.pop(KEY, None)


def switches() -> list[Switch]:
    """A link for each language; none where there is one language, or where the page answers a form."""
    known = words.available()
    if len(known) < 2 or request.method not in ("GET", "HEAD"):
        return []
    kept = _query()
    return [
        Switch(one.code, one.name, one.direction, f"?{urlencode([*kept, (PARAMETER, one.code)])}")
        for one in known.values()
    ]


def _query() -> list[tuple[str, str]]:
    """The values in the address other than the language."""
    if not request.query_string:
        return []
    return [(name, value) for name, value in request.args.items(multi=True) if name != PARAMETER]


def _switch() -> Response | None:
    if PARAMETER not in request.args or request.url_rule is None or request.method not in ("GET", "HEAD"):
        return None
    code = request.args[PARAMETER]
    if code in words.available():
        session.permanent = True
        session[KEY] = code
    kept = urlencode(_query())
    return redirect(quote(request.path) + (f"?{kept}" if kept else ""), 303)
