"""A notification is handed to a browser's push service (RFC 8030, 8188, 8291, 8292).

Players name the service, so `app.mail.core.guarded` talks to it: to public addresses only.
"""

import base64
import http
import os
from datetime import timedelta
from urllib.parse import urlsplit

from app import clock
from app.mail.core import guarded, push_key
from app.mail.core.guarded import Unreached
from app.people.subscriptions import Notified
from app.settings import Settings

PATIENCE = guarded.PATIENCE
"""Seconds for the whole of it."""
KEEPS = timedelta(hours=4)
"""How long the service keeps it for a browser that is away."""
SIGNED_FOR = timedelta(hours=12)


def send(settings: Settings, to: Notified, text: bytes) -> int:
    """Hand a text for the browser to its service; returns the answer's status. Raises Unreached, Lost."""
    try:
        headers, body = _request(settings, to, text)
    except ValueError as error:  # keys that are none
        raise Unreached(type(error).__name__) from error
    return guarded.post(to.endpoint, headers, body, patience=PATIENCE).status


def _request(settings: Settings, to: Notified, text: bytes) -> tuple[dict[str, str], bytes]:
    """Its headers and its body, which only the browser can read."""
    import http_ece  # these take ten megabytes, which only those need who notify somebody
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from py_vapid import Vapid02

    body = http_ece.encrypt(
        text,
        salt=os.urandom(16),
        private_key=generate_private_key(SECP256R1()),
        dh=_bytes(to.p256dh),
        auth_secret=_bytes(to.auth),
        version="aes128gcm",
    )
    ours = urlsplit(settings.url).hostname
    claims = {
        "aud": f"https://{urlsplit(to.endpoint).hostname}",
        "sub": f"mailto:{settings.operator or f'postmaster@{settings.mail_domain}'}",
        "exp": int((clock.now() + SIGNED_FOR).timestamp()),
    }
    headers = {
        "User-Agent": f"Tidepost ({ours})",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(KEEPS.total_seconds())),
        **Vapid02(push_key.private_key(settings)).sign(claims),
    }
    return headers, bytes(body)


def means_gone(status: int) -> bool:
    """Whether the service knows the browser no more."""
    return status in (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE)


def means_later(status: int) -> bool:
    """Whether the service may take it soon."""
    return status == http.HTTPStatus.TOO_MANY_REQUESTS or status >= 500


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
