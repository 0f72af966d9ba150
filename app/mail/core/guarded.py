"""A request to a server that a player names: a push service, or the address of a webhook.

Nothing but a public address is talked to: https on its own port, a name whose addresses are all public at the
moment of sending, a connection to the address that was looked at, no redirects, and the beginning of the
answer alone. The operator can vouch for origins that need none of this, such as the chat of a club's network.
"""

import contextlib
import ipaddress
import re
import socket
import ssl
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import cache
from urllib.parse import SplitResult, urlsplit

import msgspec

from app import clock
from app.mail.core.deadline import Address, Deadline

PATIENCE = 10.0
"""Seconds for the whole of it."""
MOST_WAITED = 9_999_999
"""Seconds; more makes no difference."""
MOST_READ = 4096
"""Bytes of an answer."""
PORTS: Mapping[str, int] = {"https": 443, "http": 80}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ROUTED = ipaddress.ip_network("2000::/3")
"""The addresses of IPv6 that are given to networks of the internet."""
_EXAMPLES = ipaddress.ip_network("3fff::/20")
"""Those for manuals, which not all versions of Python know."""
_END = re.compile(rb"\r?\n\r?\n")


class Unreached(Exception):  # noqa: N818 - what became of it
    """It is certain that the server has nothing."""


class Forbidden(Unreached):
    """The name leads to an address that is not public, or isn't one that may be talked to."""


class Lost(Exception):  # noqa: N818 - what became of it
    """The server may have it."""


class Answer(msgspec.Struct, frozen=True):
    """The answer of a server: its status, and when to come again."""

    status: int
    retry_after: int | None = None
    """Seconds after which it wants to be asked again, if it says so by a number or a date."""


def origin_of(url: str) -> str:
    """Scheme, host and port of an address: `https://chat.example.org:443`. Raises ValueError."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{(parts.hostname or '').casefold()}:{parts.port or PORTS.get(parts.scheme, 0)}"


def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    patience: float = PATIENCE,
    vouched: Collection[str] = (),
) -> Answer:
    """Send a body to an address; returns the answer. `vouched`: origins, as `origin_of` writes them.

    Raises Unreached, Lost; their texts name no address.
    """
    try:
        parts = urlsplit(url)
        free = origin_of(url) in vouched
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
        request = _request(parts, headers, body)
    except ValueError as error:
        raise Forbidden(type(error).__name__) from error
    if not free and (parts.scheme, port) != ("https", PORTS["https"]):
        raise Forbidden("not https on its own port")
    with Deadline(patience) as deadline:
        try:
            plain = deadline.connected(host, port, patience, (lambda _: None) if free else check_public)
        except OSError as error:
            raise Unreached(type(error).__name__) from error
        with contextlib.closing(plain):
            if parts.scheme == "http":
                return _said(plain, request)
            try:
                secure = trusted().wrap_socket(plain, server_hostname=host)
            except OSError as error:
                raise Unreached(type(error).__name__) from error
            with contextlib.closing(secure):
                return _said(secure, request)


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
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    if address.ipv4_mapped is not None:
        return is_public(str(address.ipv4_mapped))
    inner = address.sixtofour or (address.teredo or (None, None))[1]
    if address in _NAT64:
        inner = ipaddress.IPv4Address(address.packed[-4:])
    if inner is not None and not is_public(str(inner)):
        return False
    # All else stands for something nearer, such as ::127.0.0.1 and the translations of a network of its own.
    if address not in _ROUTED and address not in _NAT64:
        return False
    return address.is_global and address not in _EXAMPLES


@cache
def trusted() -> ssl.SSLContext:
    """The authorities that vouch for servers."""
    return ssl.create_default_context()


def _request(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    """Raises ValueError where a line would break or holds other letters than ASCII."""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    whole = {
        "Host": parts.netloc.rpartition("@")[2],
        **headers,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in whole.items())]
    if not all(line.isascii() and line.isprintable() for line in lines) or " " in target:
        raise ValueError("no line of HTTP")
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _said(connection: socket.socket, request: bytes) -> Answer:
    """Raises Lost."""
    read = b""
    try:
        connection.sendall(request)
        while not _END.search(read) and len(read) < MOST_READ:
            more = connection.recv(MOST_READ - len(read))
            if not more:
                break
            read += more
    except OSError as error:
        if b"\n" not in read:  # its status is enough
            raise Lost(type(error).__name__) from error
    first, *lines = read.splitlines() or [b""]
    version, status, *_ = [*first.split(), b"", b""]
    if not version.startswith(b"HTTP/") or not re.fullmatch(rb"\d{3}", status):
        raise Lost("no answer in HTTP")
    return Answer(int(status), _retry_after(lines))


def _retry_after(lines: Sequence[bytes]) -> int | None:
    for line in lines:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"retry-after":
            text = value.strip().decode("latin-1")
            return int(float(text)) + 1 if re.fullmatch(r"[0-9]{1,7}(\.[0-9]+)?", text) else _until(text)
    return None


def _until(text: str) -> int | None:
    """Seconds until a date of HTTP; None: it is none, or long past."""
    try:
        left = (parsedate_to_datetime(text).astimezone(UTC) - clock.now()).total_seconds()
    except (ValueError, OverflowError):
        return None
    return min(int(left) + 1, MOST_WAITED) if left > 0 else None
