"""Responses are compressed, except where their size could tell a secret.

An attacker who watches the network and makes a browser send requests can guess, letter by letter, a secret
that is compressed together with what the request says (BREACH). So a page for somebody in particular, by a
session or a link, is compressed only if the request has no query that it could repeat; an answer to a form is
never compressed. Files that are the same for everybody hold no secret, whatever the query names.
"""

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TYPES = ("text/", "image/svg+xml", "application/atom+xml", "application/json")
SAME_FOR_ALL = "/static/"
SMALLEST = 1000
"""Bytes. Below that nothing is won."""
LEVEL = 5
"""Takes two thirds of the time of 6, for one part in sixty more bytes."""
KEPT = 64
"""Compressed bodies kept in memory."""
_GZIP = re.compile(r"(?:^|,)\s*gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))", re.IGNORECASE)


def compressed(inner: "WSGIApplication", *, by_token: tuple[str, ...]) -> "WSGIApplication":
    """The application, whose responses are compressed with gzip. `by_token`: paths of links to somebody."""

    def outer(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        if not _allowed(environ, by_token):
            return inner(environ, start)
        begun: list[tuple[str, list[tuple[str, str]], tuple[Any, ...]]] = []
        written: list[bytes] = []

        def begin(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            begun[:] = [(status, headers, error)]
            return written.append

        parts = inner(environ, begin)
        try:
            body = b"".join((*written, *parts))
        finally:
            if hasattr(parts, "close"):
                parts.close()
        status, headers, error = begun[0]
        if _worthwhile(status, headers, body):
            headers = _varied(headers)
            if _GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")):
                body = _gzip(body)
                headers = [_weak(one) for one in headers if one[0] != "Content-Length"]
                headers += [("Content-Encoding", "gzip"), ("Content-Length", str(len(body)))]
        start(status, headers, *error)
        return [body]

    return outer


def _allowed(environ: "WSGIEnvironment", by_token: tuple[str, ...]) -> bool:
    if environ.get("REQUEST_METHOD") != "GET":
        return False
    path = environ.get("PATH_INFO", "")
    personal = ("HTTP_COOKIE" in environ and not path.startswith(SAME_FOR_ALL)) or path.startswith(by_token)
    return not personal or not environ.get("QUERY_STRING")


def _worthwhile(status: str, headers: list[tuple[str, str]], body: bytes) -> bool:
    found = {name.lower(): value for name, value in headers}
    kind = found.get("content-type", "")
    return status.startswith("200") and kind.startswith(TYPES) and len(body) >= SMALLEST


def _varied(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers, with word that the response depends on what the client can decompress."""
    vary = next((value for name, value in headers if name.lower() == "vary"), "")
    others = [one for one in headers if one[0].lower() != "vary"]
    return [*others, ("Vary", f"{vary}, Accept-Encoding" if vary else "Accept-Encoding")]


def _weak(header: tuple[str, str]) -> tuple[str, str]:
    """An ETag names the bytes sent; compressed they are others, so it becomes a weak one."""
    name, value = header
    return (name, f"W/{value}") if name == "ETag" and not value.startswith("W/") else header


@lru_cache(maxsize=KEPT)
def _gzip(body: bytes) -> bytes:
    squeezer = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)
    return squeezer.compress(body) + squeezer.flush()
