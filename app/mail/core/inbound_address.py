"""The addresses at which the server takes mail, found in an envelope or in headers, and their purposes."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

import msgspec

from app import clock
from app.mail.core import signed_addresses
from app.play.views import letter_facts
from app.settings import Settings
from app.store import tokens
from app.store.connection import Connection
from app.store.session import Store
from app.store.tokens import hash_of

LASTING = timedelta(days=60)
"""How long after the end of a match replies to its letters are accepted."""
HEADERS = (
    "x-original-to",
    "delivered-to",
    "envelope-to",
    "x-envelope-to",
    "resent-to",
    "to",
    "cc",
)
"""The headers that name a mail's recipients, the most reliable first."""
LONGEST_HEAD = 64 * 1024
"""Bytes of a mail in which its headers are searched."""
REPLY, BOUNCE, LEAVE, PROBE = "reply", "bounce", "leave", "probe"
MARKS = {
    REPLY: "r",
    BOUNCE: signed_addresses.BOUNCE,
    LEAVE: signed_addresses.LEAVE,
    PROBE: signed_addresses.PROBE,
}
"""The first letter of the addresses of each purpose."""

MOST_ANSWERED = 10
"""Ids of messages that are looked for."""
_BARE = ("r", "tidepost")
"""The local parts of our addresses, as a mail system leaves them that strips all from the plus on."""
_REPLY = re.compile("[a-z2-7]{26}")
_OURS = re.compile(r"[rbud]\+[a-z2-7]{26,60}@[a-z0-9.-]+", re.IGNORECASE)
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"\r?\n[ \t]+")


class InboundAddress(msgspec.Struct, frozen=True):
    """An address of ours and its purpose."""

    kind: str
    """reply, bounce, leave, probe."""
    mark: str
    """A hash of the address, which opens nothing."""
    letter_id: str | None
    player_id: int | None = None
    """The player who replies by it."""
    stripped: bool = False
    """It was found by the letter that the mail answers: a mail system took the token from the address."""

    @property
    def masked(self) -> str:
        """The address without its token."""
        return MARKS[self.kind] if self.stripped else f"{MARKS[self.kind]}+…"


def address(settings: Settings, token: str) -> str:
    """The address for replies with this token."""
    return f"r+{token}@{settings.mail_domain}"


def mark_of(purpose: str, letter_id: str) -> str:
    """The mark of a signed address."""
    return hash_of(f"{purpose}+{letter_id}")


def is_ours(settings: Settings, address: str) -> bool:
    """Whether the address is of our domain."""
    return address.strip("<> ").rpartition("@")[2].lower() == settings.mail_domain.lower()


def is_bare(settings: Settings, address: str) -> bool:
    """Whether the address is one of ours whose token a mail system may have stripped."""
    return is_ours(settings, address) and address.strip("<> ").rpartition("@")[0].lower() in _BARE


def find(store: Store, settings: Settings, address: str) -> InboundAddress | None:
    """The purpose of an address here, in whatever case it is spelt; None: there is no such address now."""
    if not is_ours(settings, address):
        return None
    begins, _, text = address.strip("<> ").rpartition("@")[0].lower().partition("+")
    if begins not in _FINDERS:
        return None
    with store.reading() as connection:
        return _FINDERS[begins](connection, settings, text)


def find_all(
    store: Store, settings: Settings, raw: bytes, recipients: Iterable[str]
) -> tuple[InboundAddress, ...]:
    """The addresses of a mail here: by its envelope, else by the first of its headers that names any."""
    found = _each(store, settings, recipients)
    if found:
        return found
    named = headers(raw)
    for name in HEADERS:
        addresses = [hit for value in named.get(name, ()) for hit in _OURS.findall("".join(value.split()))]
        if found := _each(store, settings, addresses[:8]):
            return found
    return ()


def find_answered(store: Store, settings: Settings, raw: bytes) -> tuple[InboundAddress, ...]:
    """The address of the letter of ours that a mail answers, the nearest, if its token is still good."""
    domain = re.escape(settings.mail_domain.lower())
    ours = re.compile(rf"\b([a-z2-7]{{13}}|[0-9a-f]{{32}})@{domain}(?![a-z0-9.-])")
    named = headers(raw)
    said = [*named.get("in-reply-to", ()), *(" ".join(named.get("references", ())).split()[::-1])]
    found = dict.fromkeys(hit for one in said for hit in ours.findall(one.lower()))
    with store.reading() as connection:
        for letter_id in [*found][:MOST_ANSWERED]:
            token_hash = tokens.reply_to(connection, letter_id)
            known = _good(connection, token_hash) if token_hash is not None else None
            if known is not None:
                return (msgspec.structs.replace(known, stripped=True),)
    return ()


def headers(raw: bytes) -> Mapping[str, list[str]]:
    """The headers of a mail by their names in lower case, unfolded and otherwise as they came.

    Python's own parser raises for some headers; this never does.
    """
    head = _HEAD_ENDS.split(raw[:LONGEST_HEAD], maxsplit=1)[0].decode("utf-8", "replace")
    named: dict[str, list[str]] = {}
    for line in _FOLD.sub(" ", head).splitlines():
        name, colon, value = line.partition(":")
        if colon:
            named.setdefault(name.strip().lower(), []).append(value.strip())
    return named


def _each(store: Store, settings: Settings, addresses: Iterable[str]) -> tuple[InboundAddress, ...]:
    found = (find(store, settings, one) for one in addresses)
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _reply(connection: Connection, _settings: Settings, text: str) -> InboundAddress | None:
    return _good(connection, hash_of(text)) if _REPLY.fullmatch(text) else None


def _good(connection: Connection, token_hash: str) -> InboundAddress | None:
    """The address with this token, unless it has expired or its match is long over."""
    now = clock.now()
    token = tokens.find_reply(connection, token_hash)
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    if token.match_id is not None:
        ended_at = letter_facts.label(connection, token.match_id).ended_at
        if ended_at is not None and ended_at <= now - LASTING:
            return None
    return InboundAddress(REPLY, token_hash, token.letter_id, token.player_id)


def _bounce(_connection: Connection, settings: Settings, text: str) -> InboundAddress | None:
    return _signed(settings, BOUNCE, signed_addresses.BOUNCE, text)


def _leave(_connection: Connection, settings: Settings, text: str) -> InboundAddress | None:
    return _signed(settings, LEAVE, signed_addresses.LEAVE, text)


def _probe(_connection: Connection, settings: Settings, text: str) -> InboundAddress | None:
    return _signed(settings, PROBE, signed_addresses.PROBE, text)


def _signed(settings: Settings, kind: str, purpose: str, text: str) -> InboundAddress | None:
    letter_id = signed_addresses.letter_of(settings, purpose, text)
    return None if letter_id is None else InboundAddress(kind, mark_of(purpose, letter_id), letter_id)


_FINDERS: Mapping[str, Callable[[Connection, Settings, str], InboundAddress | None]] = {
    "r": _reply,
    signed_addresses.BOUNCE: _bounce,
    signed_addresses.LEAVE: _leave,
    signed_addresses.PROBE: _probe,
}
"""By the first letter of the address."""
