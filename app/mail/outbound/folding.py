"""How headers are folded. The standard library loses a space where it parts a text into encoded words.

A subject in Persian came without some of its spaces, because white space between two encoded words doesn't
count (RFC 2047, 6.2): it has to be inside one of them.
"""

from email.header import Header
from email.policy import EmailPolicy
from typing import Any

_TEXTS = frozenset({"subject", "list-id"})
"""Headers with text of any script; the others are addresses, dates and identifiers."""


class Folding(EmailPolicy):
    """SMTP's policy, but for headers of text beyond ASCII: these keep each of their spaces."""

    def fold(self, name: str, value: Any) -> str:
        """The header in lines, without any character beyond ASCII unless `utf8` is set."""
        text = str(value)
        if self.utf8 or name.lower() not in _TEXTS or text.isascii():
            return str(super().fold(name, value))
        words, bracket, identifier = text.partition(" <") if name.lower() == "list-id" else (text, "", "")
        folded = Header(words, "utf-8", header_name=name)
        if bracket:
            folded.append(f"<{identifier}", "us-ascii")
        return f"{name}: {folded.encode(linesep=self.linesep)}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        """As `fold`, in bytes."""
        return self.fold(name, value).encode("utf-8" if self.utf8 else "ascii", "surrogateescape")


SMTP = Folding(linesep="\r\n")
"""For messages and for what goes over the wire."""
