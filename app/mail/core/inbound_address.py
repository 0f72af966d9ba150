"""The addresses at which the house takes mail: found in an envelope or in headers, and what each is for."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

import msgspec
from sqlalchemy import Connection

from app import clock
from app.mail.core import signed_addresses
from app.settings import Settings
from app.store.session import Store
from app.store.statement import Statement, stored
from app.store.tokens import hash_of

LASTING = timedelta(days=60)
"""How long after the end of a match its letters can still be answered."""
HEADERS = (
    "x-original-to",
    "delivered-to",
    "envelope-to",
    "x-envelope-to",
    "resent-to",
    "to",
    "cc",
)
"""Where a mail says for whom it was, the surest first."""
LONGEST_HEAD = 64 * 1024
"""Bytes of a mail in which its headers are looked for."""
REPLY, BOUNCE, LEAVE = "reply", "bounce", "leave"
MARKS = {REPLY: "r", BOUNCE: signed_addresses.BOUNCE, LEAVE: signed_addresses.LEAVE}
"""With what the addresses begin."""

_REPLY = re.compile("[a-z2-7]{26}")
_OURS = re.compile(r"[rbu]\+[a-z2-7]{26,60}@[a-z0-9.-]+", re.IGNORECASE)
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"\r?\n[ \t]+")
_token = Statement(
    """SELECT t.letter_id, t.player_id FROM token t LEFT JOIN "match" m ON m.id = t.match_id
       WHERE t.hash = ? AND t.purpose = 'reply' AND (t.expires_at IS NULL OR t.expires_at > ?)
         AND (m.ended_at IS NULL OR m.ended_at > ?)"""
)


class InboundAddress(msgspec.Struct, frozen=True):
    """What mail to one of our addresses is for."""

    kind: str
    """reply, bounce, leave."""
    mark: str
    """Tells this address from all others, and opens nothing."""
    letter_id: str | None
    player_id: int | None = None
    """Whose address it is."""

    @property
    def masked(self) -> str:
        """The address as it may be written down."""
        return f"{MARKS[self.kind]}+…"


def address(settings: Settings, token: str) -> str:
    """The address by which a reply's token comes back."""
    return f"r+{token}@{settings.mail_domain}"


def ours(settings: Settings, address: str) -> bool:
    """Whether the address is of our domain at all."""
    return address.strip("<> ").rpartition("@")[2].lower() == settings.mail_domain.lower()


def door(store: Store, settings: Settings, address: str) -> InboundAddress | None:
    """What mail to the address is for, in whatever case it is spelt; None: no such address here now."""
    if not ours(settings, address):
        return None
    begins, _, text = address.strip("<> ").rpartition("@")[0].lower().partition("+")
    if begins not in _DOORS:
        return None
    with store.reading() as connection:
        return _DOORS[begins](connection, settings, text)


def doors(
    store: Store, settings: Settings, raw: bytes, recipients: Iterable[str]
) -> tuple[InboundAddress, ...]:
    """What a mail came for, by its envelope, else by the first of its headers that names our addresses."""
    found = _each(store, settings, recipients)
    if found:
        return found
    named = headers(raw)
    for name in HEADERS:
        addresses = [hit for value in named.get(name, ()) for hit in _OURS.findall("".join(value.split()))]
        if found := _each(store, settings, addresses[:8]):
            return found
    return ()


def headers(raw: bytes) -> Mapping[str, list[str]]:
    """The headers of a mail by their names in lower case, unfolded and otherwise as they came.

    Plainly, so that no header can make it fail: python's own parser gives up on some.
    """
    head = _HEAD_ENDS.split(raw[:LONGEST_HEAD], maxsplit=1)[0].decode("utf-8", "replace")
    named: dict[str, list[str]] = {}
    for line in _FOLD.sub(" ", head).splitlines():
        name, colon, value = line.partition(":")
        if colon:
            named.setdefault(name.strip().lower(), []).append(value.strip())
    return named


def _each(store: Store, settings: Settings, addresses: Iterable[str]) -> tuple[InboundAddress, ...]:
    found = (door(store, settings, one) for one in addresses)
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _reply(connection: Connection, _settings: Settings, text: str) -> InboundAddress | None:
    if not _REPLY.fullmatch(text):
        return None
    mark, now = hash_of(text), clock.now()
    ended = stored(connection, now - LASTING)
    for letter_id, player_id in _token.fetch(connection, mark, stored(connection, now), ended):
        return InboundAddress(REPLY, mark, letter_id, player_id)
    return None


def _bounce(_connection: Connection, settings: Settings, text: str) -> InboundAddress | None:
    return _signed(settings, BOUNCE, signed_addresses.BOUNCE, text)


def _leave(_connection: Connection, settings: Settings, text: str) -> InboundAddress | None:
    return _signed(settings, LEAVE, signed_addresses.LEAVE, text)


def _signed(settings: Settings, kind: str, purpose: str, text: str) -> InboundAddress | None:
    letter_id = signed_addresses.letter_of(settings, purpose, text)
    return None if letter_id is None else InboundAddress(kind, hash_of(f"{purpose}+{letter_id}"), letter_id)


_DOORS: Mapping[str, Callable[[Connection, Settings, str], InboundAddress | None]] = {
    "r": _reply,
    signed_addresses.BOUNCE: _bounce,
    signed_addresses.LEAVE: _leave,
}
"""By what the address begins with."""
