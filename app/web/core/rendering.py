"""Rendering of pages: the site's Jinja environment with gettext."""

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, make_response, request
from jinja2 import Environment
from markupsafe import Markup

from app import templating
from app.people import service as people
from app.web.core.sessions import person

NAMES = {"en": "English", "zh": "简体中文", "zh-Hant": "繁體中文", "ja": "日本語", "fa": "فارسی"}
"""Native names of languages."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
STATIC = Path(__file__).parent.parent / "static"


@cache
def environment() -> Environment:
    """The Jinja environment of the pages: with `trans`, the filter `when` and the function `asset`."""
    made = templating.environment().overlay(extensions=["jinja2.ext.i18n"])
    made.globals = {
        **made.globals,
        "asset": asset,
    }
    made.filters = {**made.filters, "when": when}
    made.policies = {**made.policies, "ext.i18n.trimmed": True}
    made.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    return made


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the content, so browsers can cache it forever."""
    return f"/static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]}"


def when(moment: datetime) -> Markup:
    """A moment in UTC, which the page's script converts to local time."""
    return Markup('<time datetime="{}">{}</time>').format(
        moment.strftime("%Y-%m-%dT%H:%MZ"), moment.strftime("%-d %b %Y, %H:%M UTC")
    )


def language_names() -> dict[str, str]:
    """The available languages by code, each with its native name."""
    return {code: NAMES.get(code, code) for code in people.languages()}


def language() -> str:
    """The language of the request: the signed-in player's, else the browser's preference."""
    known = person()
    available = people.languages()
    if known is not None and known.language in available:
        return known.language
    return request.accept_languages.best_match(available) or available[0]


def render_text(name: str, /, *, language: str, **values: Any) -> str:
    """The text of a template."""
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    return environment().get_template(name).render(language=language, direction=direction, **values)


def render(name: str, /, status: int = 200, **values: Any) -> Response:
    """The response with a page, in the request's language unless `language` is given."""
    values.setdefault("language", language())
    return make_response(render_text(name, person=person(), **values), status)


def field(name: str, longest: int = 4000) -> str:
    """The value of a form field, trimmed, cut to `longest` characters and without NULs."""
    return request.form.get(name, "")[:longest].replace("\0", "").strip()
