"""Rendering of pages in the reader's language."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from flask import Response, make_response, request
from jinja2 import FileSystemBytecodeCache
from markupsafe import Markup, escape

from app import templating, words
from app.compiling import SETTLED, LeanEnvironment
from app.graphemes import cut
from app.web.core import switching
from app.web.core.bundles import JOINED
from app.web.core.once import once_field
from app.web.core.sessions import person
from app.words import FALLBACK, commands

STATIC = Path(__file__).parent.parent / "static"


@cache
def environment(language: str = FALLBACK) -> LeanEnvironment:
    """The Jinja environment of the pages in a language: with `say`, `joint`, `digits` and others."""
    made = templating.environment().overlay()
    made.globals = {
        **made.globals,
        "asset": asset,
        "digits": partial(digits, language),
        "joint": words.formats(language).joint,
        "once": once_field,
        "own_word": partial(commands.own_word, language=language),
        "say": _speaker(language),
        "switches": switching.switches,
        "word_to_call_off": partial(commands.word_to_call_off, language),
    }
    made.settled = SETTLED  # a sentence without facts is part of the template
    if isinstance(made.bytecode_cache, FileSystemBytecodeCache):  # boards are compiled without it
        made.bytecode_cache = FileSystemBytecodeCache(made.bytecode_cache.directory, "settled_%s.cache")
    made.filters = {**made.filters, "when": partial(when, language)}
    return made


def digits(language: str, number: object) -> str:
    """A number beside the prose, such as in a table, in the digits of the language."""
    return words.formats(language).digits(str(number))


def page_words(language: str, name: str, /, **facts: Any) -> str:
    """A sentence of the pages: `lobby.new_game` is the macro `new_game` of `lobby/words`.

    Raises LookupError if English has no such sentence.
    """
    return words.say(*_place(language, name), **facts)


class _Plain(dict[str, str]):
    """The sentences that need no facts, in a language. They are as many as the templates name."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __missing__(self, name: str) -> str:
        self[name] = page_words(self.language, name)
        return self[name]


def _speaker(language: str) -> Callable[..., str]:
    """`page_words` in a language. Pages say some hundred sentences, most of them without facts."""
    plain = _Plain(language)

    def say(name: str, /, **facts: Any) -> str:
        return page_words(language, name, **facts) if facts else plain[name]

    return say


@cache
def _place(language: str, name: str) -> tuple[str, str, str]:
    """The folder, language and macro of a sentence."""
    folder, _, macro = name.rpartition(".")
    return "words" if folder == "site" else f"{folder}/words", language, macro


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the content, so browsers can cache it forever."""
    content = JOINED[name]() if name in JOINED else (STATIC / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:10]}"


def when(language: str, moment: datetime) -> Markup:
    """A moment in UTC, which the page's script converts to local time."""
    written = escape(words.formats(language).dated_moment(moment))
    return Markup(f'<time datetime="{moment:%Y-%m-%dT%H:%MZ}">{written}</time>')  # noqa: S704 - just escaped


def language_names() -> dict[str, str]:
    """The available languages by code, each with its native name."""
    return {code: one.name for code, one in words.available().items()}


def language(of_player: str | None = None) -> str:
    """The language of the request: the one chosen on this browser, else the player's, else the browser's.

    `of_player`: the language of the player that the page belongs to, if that isn't who is signed in.
    """
    if (code := switching.chosen()) is not None:
        return code
    if of_player is not None:
        return words.resolve([of_player])
    known = person()
    wishes = [] if known is None else [known.language]
    return words.resolve([*wishes, *request.accept_languages.values()])


def render_text(name: str, /, *, language: str, **values: Any) -> str:
    """The text of a template."""
    direction = words.direction(language)
    text = environment(language).get_template(name).render(language=language, direction=direction, **values)
    return words.with_names(text, language)


def render(name: str, /, status: int = 200, **values: Any) -> Response:
    """The response with a page, in the request's language unless `language` is given."""
    values.setdefault("language", language())
    return make_response(render_text(name, person=person(), **values), status)


def unchanging(response: Response, *, shared: bool = False) -> Response:
    """The response as one that the browser keeps and asks after: unchanged, it is answered with 304.

    `shared`: it is the same for everybody who brings no cookie, so that caches between may keep it too.
    """
    response.headers["Cache-Control"] = kept_by(shared=shared)
    response.headers["Vary"] = "Accept-Language, Cookie"
    response.set_etag(hashlib.blake2b(response.get_data(), digest_size=12).hexdigest())
    response.make_conditional(request)
    return response


def kept_by(*, shared: bool) -> str:
    """The Cache-Control of what a browser, or any cache if `shared`, may keep and has to ask after."""
    return "public, no-cache" if shared and "HTTP_COOKIE" not in request.environ else "private, no-cache"


def field(name: str, longest: int = 4000) -> str:
    """The value of a form field, trimmed, cut to `longest` characters and without NULs."""
    sent = request.form.get(name)
    return cut(sent, longest).replace("\0", "").strip() if sent else ""
