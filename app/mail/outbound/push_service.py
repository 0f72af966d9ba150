"""A notification is handed to a browser's push service (RFC 8030, 8188, 8291, 8292).

Players name the service, so nothing but a public address is talked to: https on its own port, a name whose
addresses are all public at the moment of sending, a connection to the address that was looked at, no
redirects, and the beginning of the answer alone.
"""

import base64
import contextlib
import http
import ipaddress
import os
import ssl
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from urllib.parse import urlsplit

from app import clock
from app.mail.core import push_key
from app.mail.core.deadline import Address, Deadline
from app.people.subscriptions import HTTPS, Notified
from app.settings import Settings

PATIENCE = 10.0
"""Seconds for the whole of it."""
KEEPS = timedelta(hours=4)
"""How long the service keeps it for a browser that is away."""
SIGNED_FOR = timedelta(hours=12)
MOST_READ = 4096
"""Bytes of an answer."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Unreached(Exception):  # noqa: N818 - what became of it
    """It is certain that the service has nothing."""


class Forbidden(Unreached):
    """The name leads to an address that is not public."""


class Lost(Exception):  # noqa: N818 - what became of it
    """The service may have it."""


def send(settings: Settings, to: Notified, text: bytes) -> int:
    """Hand a text for the browser to its service; returns the answer's status. Raises Unreached, Lost."""
    parts = urlsplit(to.endpoint)
    host = parts.hostname or ""
    try:
        request = _request(settings, to, host, text)
    except ValueError as error:  # keys that are none
        raise Unreached(type(error).__name__) from error
    with Deadline(PATIENCE) as deadline:
        try:
            plain = deadline.connected(host, HTTPS, PATIENCE, check_public)
        except OSError as error:
            raise Unreached(type(error).__name__) from error
        with contextlib.closing(plain):
            try:
                secure = trusted().wrap_socket(plain, server_hostname=host)
            except OSError as error:
                raise Unreached(type(error).__name__) from error
            with contextlib.closing(secure):
                try:
                    secure.sendall(request)
                    return _status(secure)
                except (OSError, ValueError) as error:
                    raise Lost(type(error).__name__) from error


def check_public(addresses: Sequence[Address]) -> None:
    """Raises Forbidden if one of the addresses is no public one."""
    if not addresses or not all(is_public(str(address[0])) for address in addresses):
        raise Forbidden("not a public address")


def is_public(text: str) -> bool:
    """Whether the whole internet knows the address, also the one that it stands for."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    inner: ipaddress.IPv4Address | None = None
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in _NAT64:
            inner = ipaddress.IPv4Address(address.packed[-4:])
    if inner is not None and not is_public(str(inner)):
        return False
    # A mapped address is as public as the one that it maps, in all versions of Python.
    mapped = isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None
    return (mapped or address.is_global) and not address.is_multicast


@cache
def trusted() -> ssl.SSLContext:
    """The authorities that vouch for services."""
    return ssl.create_default_context()


def _request(settings: Settings, to: Notified, host: str, text: bytes) -> bytes:
    import http_ece  # these take ten megabytes, which only those need who notify somebody
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from py_vapid import Vapid02

    parts = urlsplit(to.endpoint)
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
        "aud": f"https://{host}",
        "sub": f"mailto:{settings.operator or f'postmaster@{settings.mail_domain}'}",
        "exp": int((clock.now() + SIGNED_FOR).timestamp()),
    }
    headers = {
        "Host": host,
        "User-Agent": f"Tidepost ({ours})",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "Content-Length": str(len(body)),
        "TTL": str(int(KEEPS.total_seconds())),
        "Connection": "close",
        **Vapid02(push_key.private_key(settings)).sign(claims),
    }
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + bytes(body)


def _status(secure: ssl.SSLSocket) -> int:
    """The status in the first line of the answer. Raises OSError, ValueError."""
    read = b""
    while b"\r\n" not in read and len(read) < MOST_READ:
        more = secure.recv(MOST_READ - len(read))
        if not more:
            break
        read += more
    version, status, *_ = read.partition(b"\r\n")[0].split() or [b"", b""]
    if not version.startswith(b"HTTP/") or not status.isdigit():
        raise ValueError("no answer in HTTP")
    return int(status)


def means_gone(status: int) -> bool:
    """Whether the service knows the browser no more."""
    return status in (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE)


def means_later(status: int) -> bool:
    """Whether the service may take it soon."""
    return status == http.HTTPStatus.TOO_MANY_REQUESTS or status >= 500


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
