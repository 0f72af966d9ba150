"""What an opened message is, and how the house knows itself in it."""

import hashlib
from datetime import datetime
from typing import Literal

import msgspec

Kind = Literal["reply", "bounce", "receipt", "ours", "automatic", "list", "calendar", "reaction"]
"""Only a `reply` was written by a person to us."""


class House(msgspec.Struct, frozen=True):
    """By which names the house goes in mail."""

    domain: str
    """The mail domain."""
    names: tuple[str, ...] = ("tidepost", "r", "b", "u")
    """The house's local parts, up to a `+`. Others of the domain may be players'."""
    sites: tuple[str, ...] = ()
    """Hosts of its pages, where they are not the mail domain."""

    def owns(self, address: str) -> bool:
        """Whether mail from this address is our own."""
        local, _, domain = address.casefold().rpartition("@")
        return domain == self.domain.casefold() and local.split("+")[0] in self.names

    def addressed_in(self, line: str) -> bool:
        """Whether one of our addresses stands in a line; the line in lower case."""
        return _stands_in(f"@{self.domain.casefold()}", line)

    def named_in(self, line: str) -> bool:
        """Whether one of our hosts stands in a line, alone, in an address or in a link; in lower case."""
        return any(_stands_in(host.casefold(), line) for host in (self.domain, *self.sites))


class Message(msgspec.Struct, frozen=True):
    """A message that could be read."""

    kind: Kind
    why: str
    """The mark by which it is not a reply; "" where it is one."""
    sender: str
    """The key of the one From address, as players have it; "" where there is none, or not just one."""
    recipients: tuple[str, ...]
    """Every address that it was sent or delivered to, in lower case, as they stand in the headers."""
    message_id: str
    """Without brackets; "" where there is none."""
    references: tuple[str, ...]
    """Ids of the messages that it answers, without brackets."""
    subject: str
    date: datetime | None
    """As the sender says, in UTC."""
    body: str
    """The text as typed, in lines, without what cannot be seen; quotes from HTML begin with `>`. Or ""."""
    body_from: Literal["plain", "html", "attachment", "nothing"]
    seems_automatic: bool
    """The subject looks like an answering machine's. No proof: keep silent only where no command is found."""

    @property
    def identity(self) -> str:
        """Equal for two deliveries of one message: from its id or, where it has none, from what it says."""
        said = self.message_id or f"{self.sender}\n{self.date}\n{self.subject}\n{self.body}"
        return hashlib.sha256(said.encode(errors="replace")).hexdigest()


class Unreadable(msgspec.Struct, frozen=True):
    """A message for the operator to look at."""

    reason: Literal["too_big", "long_headers", "many_lines", "many_parts", "deep", "broken"]
    """All but `broken` are limits; most are met before anything is taken apart."""
    error: str = ""
    """What went wrong, for the operator."""


def _stands_in(name: str, line: str) -> bool:
    """Whether a name stands in a line and is not a piece of a longer one."""
    at = line.find(name) if name.strip("@") else -1
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(name) : at + len(name) + 1]
        inside = (name[0] != "@" and (before.isalnum() or before == "-")) or after.isalnum() or after == "-"
        if not inside:
            return True
        at = line.find(name, at + 1)
    return False
