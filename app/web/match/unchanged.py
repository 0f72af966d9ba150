"""Onlookers who have a match's page already are told so by its tag, before Flask begins.

An open page asks every few seconds for news. Where no cookie says who asks, the match's version is all that
has to be read.
"""

import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from flask import Flask, Response, current_app, request

from app import clock, metrics
from app.play.match.records import ANYBODY
from app.play.match.version import PageVersion, page_version
from app.store.session import Store
from app.web.core.page_cache import PageCache

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PAGE_LASTS = 600
"""Seconds a page is cached that shows how much time is left. It says so in days and hours only."""
MOST = 2048
"""Pages that are remembered, each with some kilobyte."""
SENT = ("Cache-Control", "Vary", "ETag")
"""The headers of an answer that a page is unchanged."""
LONGEST = 120
"""Characters of the languages that a browser wishes for; they are part of what is remembered."""
_PATH = re.compile(r"/m/([1-9][0-9]{0,9})", re.ASCII)
_NAME = "unchanged"


class _Seen(msgspec.Struct, frozen=True):
    """A page that was given to somebody without a cookie."""

    version: PageVersion
    period: float
    headers: list[tuple[str, str]]
    """Those of the answer that it is unchanged."""


def install(app: Flask, store: Store) -> None:
    """Answer what is unchanged before anything else."""
    known: PageCache[_Seen] = PageCache(MOST)
    app.extensions[_NAME] = known
    app.wsgi_app = _answered(app.wsgi_app, known, store)  # type: ignore[method-assign, assignment]


def period_of(version: PageVersion) -> float:
    """The span of time in which a page of this version stays as it is."""
    return clock.now().timestamp() // PAGE_LASTS if version.timed else 0


def remember(version: PageVersion, period: float, response: Response) -> None:
    """Remember a page of this version, made in this period or later, if it is the same for all onlookers."""
    tag = response.headers.get("ETag", "")
    key = _key(request.environ, tag)
    if key is not None and response.status_code in (200, 304):
        headers = [(name, response.headers[name]) for name in SENT]
        known: PageCache[_Seen] = current_app.extensions[_NAME]
        known.put(key, _Seen(version, period, headers))


def _key(environ: "WSGIEnvironment", tag: str) -> tuple[int, str, str] | None:
    """The match, the tag and the languages wished for; None: the answer depends on more, such as who asks."""
    if not tag or "HTTP_COOKIE" in environ or environ.get("QUERY_STRING"):
        return None
    found = _PATH.fullmatch(environ.get("PATH_INFO", ""))
    wished = environ.get("HTTP_ACCEPT_LANGUAGE", "")
    if found is None or environ["REQUEST_METHOD"] != "GET" or len(wished) > LONGEST:
        return None
    return int(found[1]), tag, wished


def _answered(inner: "WSGIApplication", known: PageCache[_Seen], store: Store) -> "WSGIApplication":
    def outer(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        # Browsers send back the tag that they got, or its weak form where the page was compressed.
        key = _key(environ, environ.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/"))
        seen = known.get(key) if key is not None else None
        if key is None or seen is None:
            return inner(environ, start)
        begun = time.perf_counter()
        try:
            version = page_version(store, ANYBODY, key[0])
        except Exception:  # noqa: BLE001 - then the application says what is wrong
            return inner(environ, start)
        if version != seen.version or period_of(version) != seen.period:
            return inner(environ, start)
        metrics.count("pages", "304")
        metrics.lasted("page_seconds", time.perf_counter() - begun)
        start("304 NOT MODIFIED", list(seen.headers))
        return []

    return outer
