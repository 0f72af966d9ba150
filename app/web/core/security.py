"""Security headers, cross-site form checks and masking of secrets in logs."""

import logging
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, abort, request

from app.web.core import allowances
from app.web.core.compression import compressed
from app.web.core.context import site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "worker-src 'self'; "
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
"""Paths authorised by the token in them, which another site's page cannot know."""
BY_KEY = "/api/"
"""Paths that read no cookie: a page of another site has no key to send."""

_SECRET = re.compile(r"((?:/(?:[tisufackrp]|join)/)|[?&](?:pick|do|step)=)[^\s?&\"'#]+")
"""Tokens, picked names and planned moves: these can be a tile in hand or a value to place."""

_KEY = re.compile(r"(tidepost_)[\w-]+")
"""Keys of programs, which belong into no address and so into no log."""


def install(app: Flask, *, secure: bool) -> None:
    """Add the headers to every response, the checks before every page, and the masking of logs."""
    app.before_request(_check)
    squeezed = compressed(app.wsgi_app, by_token=allowances.BY_TOKEN)
    app.wsgi_app = _with_headers(squeezed, secure=secure)  # type: ignore[method-assign, assignment]
    for name in ("werkzeug", "gunicorn.access", "gunicorn.error", "waitress", app.logger.name):
        logger = logging.getLogger(name)
        if not any(isinstance(one, MaskSecrets) for one in logger.filters):
            logger.addFilter(MaskSecrets())


def mask(text: str) -> str:
    """The text with the secrets in its addresses hidden."""
    return _KEY.sub(r"\1…", _SECRET.sub(r"\1…", text))


class MaskSecrets(logging.Filter):
    """Hides secrets in log messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the record's message and let it pass."""
        record.msg, record.args = mask(record.getMessage()), ()
        return True


def _check() -> None:
    path = request.path
    if request.method == "POST" and not path.startswith((*BY_TOKEN, BY_KEY)) and not same_site():
        abort(403)


def same_site() -> bool:
    """Whether the form was sent from this site.

    Current browsers send one of the two headers. A client that sends neither is not a browser and carries
    no session of somebody else: the session cookie is SameSite=Lax.
    """
    fetch_site = request.headers.get("Sec-Fetch-Site")
    if fetch_site is not None:
        return fetch_site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    # Behind a proxy the address of before, which still leads here, is asked for without TLS.
    return origin in (_origin(site().settings.url), _origin(request.host_url), f"https://{request.host}")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _with_headers(inner: "WSGIApplication", *, secure: bool) -> "WSGIApplication":
    """The application with the security headers on every response but 304, which leaves those kept in force.

    A response without a Cache-Control header of its own gets `no-store`. This is WSGI and not Flask's
    `after_request`, which took half as long as the page itself.
    """
    always = list(HEADERS.items())
    if secure:
        always.append(("Strict-Transport-Security", "max-age=31536000"))
    unstored = [*always, ("Cache-Control", "no-store")]

    def outer(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        def start_with_headers(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith("304"):
                return start(status, headers, *error)
            cacheable = any(name == "Cache-Control" for name, _ in headers)
            return start(status, headers + (always if cacheable else unstored), *error)

        return inner(environ, start_with_headers)

    return outer
