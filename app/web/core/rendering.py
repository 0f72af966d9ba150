"""Pages out of templates: the house's Jinja, with gettext for the words around the boards."""

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
"""Of languages, in their own words."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
STATIC = Path(__file__).parent.parent / "static"


@cache
def environment() -> Environment:
    """The Jinja of the pages: that of the house, with `trans`, the filters and the addresses of assets."""
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
    """The address of a static file; it changes with its content, so that browsers may keep it for ever."""
    return f"/static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]}"


def when(moment: datetime) -> Markup:
    """A moment as the page shows it: in UTC, which the script turns into the reader's own time."""
    return Markup('<time datetime="{}">{}</time>').format(
        moment.strftime("%Y-%m-%dT%H:%MZ"), moment.strftime("%-d %b %Y, %H:%M UTC")
    )


def tongues() -> dict[str, str]:
    """The languages that there are words for, each with its name."""
    return {code: NAMES.get(code, code) for code in people.languages()}


def language() -> str:
    """The language of the reader: a signed-in player's own, else the best that the browser asks for."""
    reader = person()
    spoken = people.languages()
    if reader is not None and reader.language in spoken:
        return reader.language
    return request.accept_languages.best_match(spoken) or spoken[0]


def draw(name: str, /, *, language: str, **facts: Any) -> str:
    """The text of a page."""
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    return environment().get_template(name).render(language=language, direction=direction, **facts)


def render(name: str, /, status: int = 200, **facts: Any) -> Response:
    """A page for whoever reads it."""
    facts.setdefault("language", language())
    return make_response(draw(name, person=person(), **facts), status)


def field(name: str, longest: int = 4000) -> str:
    """What was typed into a field of the form, without what no field can hold."""
    return request.form.get(name, "")[:longest].replace("\0", "").strip()
