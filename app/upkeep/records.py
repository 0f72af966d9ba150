"""Records of the Domain Name System: asked for, or read from a text."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Protocol

import dns.exception
import dns.resolver
import dns.reversename

PATIENCE = 5.0
"""Seconds for one question, all servers together."""
_LINE = re.compile(
    r"(?P<name>\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?P<kind>TXT|PTR|A|AAAA|MX)\s+(?P<value>.+)", re.IGNORECASE
)


class NoAnswer(Exception):  # noqa: N818 - a fact
    """The name servers don't answer; the text says which were asked."""


class Unreadable(ValueError):  # noqa: N818 - told to who typed the command
    """A line of a text is no record; the text says which."""


class Records(Protocol):
    """A way to find records."""

    def find(self, name: str, kind: str) -> list[str]:
        """The values of a name's records of a kind; none where there are none. Raises NoAnswer."""


def texts(records: Records, name: str, beginning: str) -> list[str]:
    """The TXT records of a name that begin so, whatever their case. Raises NoAnswer."""
    return [one for one in records.find(name, "TXT") if one.lower().startswith(beginning.lower())]


def pointers(records: Records, address: str) -> list[str]:
    """The names that an address points back to. Raises NoAnswer."""
    reverse = dns.reversename.from_address(address).to_text(omit_final_dot=True)
    return [one.rstrip(".").lower() for one in records.find(reverse, "PTR")]


def addresses(records: Records, name: str) -> list[str]:
    """The addresses of a name; an address is its own. Raises NoAnswer."""
    try:
        return [str(ipaddress.ip_address(name))]
    except ValueError:
        return [*records.find(name, "A"), *records.find(name, "AAAA")]


class Asked:
    """Records by asking name servers: those of this machine, or others."""

    def __init__(self, servers: Iterable[str] = ()) -> None:
        """`servers`: `address` or `address:port`. Raises ValueError."""
        chosen = [_server(one) for one in servers]
        self._resolver = dns.resolver.Resolver(configure=not chosen)
        self._resolver.lifetime = PATIENCE
        if chosen:
            self._resolver.nameservers = [dns.nameserver.Do53Nameserver(host, port) for host, port in chosen]

    def find(self, name: str, kind: str) -> list[str]:
        """The values of a name's records of a kind. Raises NoAnswer."""
        try:
            answer = self._resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException as error:
            raise NoAnswer(" ".join(str(error).split())) from None
        return [_value(one) for one in answer]


class Given:
    """Records from a text: one a line, as zone files have them: `name TXT "value"`."""

    def __init__(self, text: str) -> None:
        """Raises Unreadable."""
        self._found: dict[tuple[str, str], list[str]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith((";", "#")):
                continue
            found = _LINE.fullmatch(line.strip())
            if found is None:
                raise Unreadable(
                    f'line {number} is no record; one is written: example.org TXT "v=spf1 mx -all"'
                )
            key = (found["name"].rstrip(".").lower(), found["kind"].upper())
            self._found.setdefault(key, []).append(_unquoted(found["value"]))

    def find(self, name: str, kind: str) -> list[str]:
        """The values of a name's records of a kind."""
        return self._found.get((name.rstrip(".").lower(), kind), [])


def _server(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if colon and port.isdecimal() and (":" not in host or host.startswith("[")):
        return str(ipaddress.ip_address(host.strip("[]"))), int(port)
    return str(ipaddress.ip_address(text.strip("[]"))), 53


def _value(record: object) -> str:
    strings = getattr(record, "strings", None)
    return b"".join(strings).decode("utf-8", "replace") if strings is not None else str(record)


def _unquoted(text: str) -> str:
    """A value without its quotes: several strings are one text."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return "".join(re.sub(r"\\(.)", r"\1", one) for one in strings) if strings else text.strip()
