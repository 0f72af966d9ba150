"""An opened message, and the names by which the server recognises itself in it."""

import hashlib
from datetime import datetime
from typing import Literal

import msgspec

Kind = Literal["reply", "bounce", "receipt", "ours", "automatic", "list", "calendar", "reaction"]
"""Only a `reply` was written by a person."""
Source = Literal["plain", "html", "attachment", "nothing"]
"""The place of the text that was typed."""
Enclosed = Literal["", "damaged", "winmail", "recording", "picture", "letter", "calendar", "file", "shown"]
"""The most telling thing in a mail beside its text; "" if there is none. `shown`: a picture that a text can
show, and a quote of ours does.
"""


class OwnNames(msgspec.Struct, frozen=True):
    """The addresses and hosts of the server in mail."""

    domain: str
    """The mail domain."""
    names: tuple[str, ...] = ("tidepost", "r", "b", "u")
    """The server's local parts, up to a `+`. Other addresses of the domain may be players'."""
    sites: tuple[str, ...] = ()
    """Hosts of its pages, if they differ from the mail domain."""
    verifier: str = ""
    """The mail server whose Authentication-Results count; empty: none."""

    def owns(self, address: str) -> bool:
        """Whether this address is one of our own."""
        local, _, domain = address.casefold().rpartition("@")
        return domain == self.domain.casefold() and local.split("+")[0] in self.names

    def addressed_in(self, line: str) -> bool:
        """Whether one of our addresses is in a line. The line is in lower case."""
        return _stands_in(f"@{self.domain.casefold()}", line)

    def named_in(self, line: str) -> bool:
        """Whether one of our hosts is in a line, perhaps in an address or link. The line is in lower case."""
        return any(_stands_in(host.casefold(), line) for host in (self.domain, *self.sites))


class Message(msgspec.Struct, frozen=True):
    """A message that could be read."""

    kind: Kind
    why: str
    """The mark by which it is no reply; "" if it is one."""
    sender: str
    """The key of the From address, as players have it; "" if there is not exactly one."""
    unproven: bool
    """The operator's mail server found that it is not from the domain of that address."""
    recipients: tuple[str, ...]
    """Every address that it was sent or delivered to, in lower case, in the order of the headers."""
    message_id: str
    """Without brackets; "" if there is none."""
    references: tuple[str, ...]
    """Ids of the messages that it answers, without brackets."""
    subject: str
    date: datetime | None
    """According to the sender, in UTC."""
    body: str
    """The text as typed, perhaps empty, without invisible characters; quotes from HTML begin with `>`."""
    body_from: Source
    seems_automatic: bool
    """The subject looks like an automatic answer's. No proof: ignore it only if no command is found."""
    sealed: Literal["", "smime", "signed", "pgp"] = ""
    """The encryption that hides the text, or a signature that can't be opened."""
    enclosed: Enclosed = ""
    """The content beside the text."""
    cut: bool = False
    """The text goes on beyond the limits of what is read."""
    garbled: bool = False
    """Its letters beyond ASCII are a guess that is probably wrong."""

    @property
    def identity(self) -> str:
        """A key that is equal for two deliveries of one message: from its id, else from its text."""
        said = self.message_id or f"{self.sender}\n{self.date}\n{self.subject}\n{self.body}"
        return hashlib.sha256(said.encode(errors="replace")).hexdigest()


class Unreadable(msgspec.Struct, frozen=True):
    """A message for the operator to look at."""

    reason: Literal["too_big", "long_headers", "many_lines", "many_parts", "deep", "broken"]
    """All but `broken` are limits; most are checked before the message is parsed."""
    error: str = ""
    """The details, for the operator."""


def _stands_in(name: str, line: str) -> bool:
    """Whether a name is in a line and not part of a longer one."""
    at = line.find(name) if name.strip("@") else -1
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(name) : at + len(name) + 1]
        inside = (name[0] != "@" and (before.isalnum() or before == "-")) or after.isalnum() or after == "-"
        if not inside:
            return True
        at = line.find(name, at + 1)
    return False
