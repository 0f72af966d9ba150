"""Headers, strangers' forms, guessing, and what a log may hold."""

import logging
import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, abort, current_app, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from app.web.core.context import house

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
BY_TOKEN = ("/t/", "/i/", "/u/")
"""Here the token in the path is what authorises; a stranger's page cannot know it."""
MISSES = RateLimitItemPerMinute(30)
"""Addresses that name nothing, from one visitor."""
REQUESTS = RateLimitItemPerHour(60)
"""Forms of strangers that make a letter, from one visitor."""

_SECRET = re.compile(r"((?:/[tisufa]/)|[?&](?:pick|do)=)[^\s?&\"'#]+")
"""Tokens, and what a player points at: a tile of his hand, a value to place."""


def guard(app: Flask, *, secure: bool) -> None:
    """Put the headers on every answer and the checks before every page."""
    app.extensions["limiter"] = MovingWindowRateLimiter(MemoryStorage())
    app.before_request(_check)
    app.wsgi_app = _dressed(app.wsgi_app, secure=secure)  # type: ignore[method-assign, assignment]
    for name in ("werkzeug", "gunicorn.access", "gunicorn.error", app.logger.name):
        logger = logging.getLogger(name)
        if not any(isinstance(one, Masked) for one in logger.filters):
            logger.addFilter(Masked())


def mask(text: str) -> str:
    """The text with what is secret in its addresses hidden."""
    return _SECRET.sub(r"\1…", text)


class Masked(logging.Filter):
    """Keeps secrets out of a log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, what is secret hidden."""
        record.msg, record.args = mask(record.getMessage()), ()
        return True


def visitor() -> str:
    """Who asks, for the limits: the address; behind a proxy in the same network, what the proxy says.

    Of IPv6 the first 64 bits, which is what one household has.
    """
    environ = request.environ
    return _visitor(environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", ""))


@lru_cache(maxsize=1024)
def _visitor(peer: str, forwarded: str) -> str:
    told = [part.strip() for part in forwarded.split(",") if part.strip()]
    try:
        if told and ip_address(peer).is_private:
            peer = told[-1]
        address = ip_address(peer)
        return str(ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)
    except ValueError:
        return peer


def allow(limit: RateLimitItem) -> None:
    """Count one; 429 where the visitor has used up the limit."""
    if not _limiter().hit(limit, visitor()):
        abort(429)


def missed() -> None:
    """Count an address that named nothing."""
    _limiter().hit(MISSES, visitor())


def _limiter() -> MovingWindowRateLimiter:
    found: MovingWindowRateLimiter = current_app.extensions["limiter"]
    return found


def _check() -> None:
    path = request.path
    if path.startswith((*BY_TOKEN, "/s/", "/f/", "/a/")) and not _limiter().test(MISSES, visitor()):
        abort(429)
    if request.method == "POST" and not path.startswith(BY_TOKEN) and not _from_here():
        abort(403)


def _from_here() -> bool:
    """Whether a form came from a page of ours.

    Browsers say so. Who says nothing is no browser of these years, and holds no cookie of another's:
    the session's is SameSite=Lax.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    return origin in (_origin(house().settings.url), _origin(request.host_url))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _dressed(inner: "WSGIApplication", *, secure: bool) -> "WSGIApplication":
    """The pages with the headers on every answer; here, because by Flask's own way they cost half a page.

    Nothing is to be stored that does not say so itself.
    """
    worn = list(HEADERS.items())
    if secure:
        worn.append(("Strict-Transport-Security", "max-age=31536000"))
    unstored = [*worn, ("Cache-Control", "no-store")]

    def outer(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        def dress(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            says = any(name == "Cache-Control" for name, _ in headers)
            return start(status, headers + (worn if says else unstored), *error)

        return inner(environ, dress)

    return outer
