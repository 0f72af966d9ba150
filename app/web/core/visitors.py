"""Where requests come from: an address, or the network of a household.

Only proxies that the settings name are believed. Everybody else's X-Forwarded-For and Forwarded are ignored,
because anybody can write anything there.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import msgspec

Address = IPv4Address | IPv6Address

EMBEDDED = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""IPv6 networks whose addresses are IPv4 addresses in other words; each would be one household otherwise."""
TEREDO = IPv6Network("2001::/32")
HOUSEHOLD = 64
"""Bits of an IPv6 address that are shared by one household."""
_FORWARDED_FOR = re.compile(r'(?:^|[;,\s])for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)
_PORT = re.compile(r":\d+$")


class Visitor(msgspec.Struct, frozen=True):
    """Where a request comes from."""

    key: str
    """The address, or the network of an IPv6 household."""
    known: bool = True
    """False: a proxy stands here for everybody behind it, because it doesn't say who asks."""
    unheard: bool = False
    """The headers of a proxy came from a private address that isn't named as one."""


@lru_cache(maxsize=4096)
def visitor(peer: str, forwarded_for: str, forwarded: str, trusted: tuple[str, ...]) -> Visitor:
    """The visitor behind a connection from `peer`.

    `forwarded_for` and `forwarded` are the headers X-Forwarded-For and Forwarded; the second one is read
    where there is no other. The nearest address that is no trusted proxy counts: what stands left of it was
    written by that visitor.
    """
    nearest = address_of(peer)
    if nearest is None:
        return Visitor(peer, known=False)
    if not _is_trusted(nearest, trusted):
        return Visitor(_household(nearest), unheard=nearest.is_private and bool(forwarded_for or forwarded))
    hops = forwarded_for.split(",") if forwarded_for.strip() else _FORWARDED_FOR.findall(forwarded)
    for hop in reversed([hop.strip() for hop in hops if hop.strip()]):
        address = address_of(hop)
        if address is None:  # the proxy says that it doesn't tell: `unknown`, `_hidden`
            return Visitor(_household(nearest), known=False)
        nearest = address
        if not _is_trusted(address, trusted):
            return Visitor(_household(address))
    return Visitor(_household(nearest), known=False)


def address_of(text: str) -> Address | None:
    """The address in a text, without quotes, brackets, port and zone; None: there is none.

    An IPv4 address that is written as an IPv6 one comes back as itself.
    """
    bare = text.strip().strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = _PORT.sub("", bare)
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return _unmapped(address)


def _unmapped(address: Address) -> Address:
    if isinstance(address, IPv4Address):
        return address
    if address in TEREDO and address.teredo is not None:
        return address.teredo[1]
    if address.is_loopback or address.is_unspecified or not any(address in net for net in EMBEDDED):
        return address
    return IPv4Address(int(address) & 0xFFFFFFFF)


@lru_cache(maxsize=4096)
def _is_trusted(address: Address, trusted: tuple[str, ...]) -> bool:
    return any(address in ip_network(network) for network in trusted)


def _household(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((int(address) >> HOUSEHOLD << HOUSEHOLD, HOUSEHOLD)))
