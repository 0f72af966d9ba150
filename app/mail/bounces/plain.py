"""Delivery notices written for people alone: qmail's and Exim's, recognised by their fixed form.

Both quote the refusal of each address. A mail without the whole form is no notice: text that people write is
not searched.
"""

import re
from collections.abc import Iterator
from email.message import Message
from itertools import takewhile

LONGEST = 20_000
"""Characters that are searched."""
REFUSED = 500
"""A permanent refusal that may be of the letter, or of anything."""

_BLANK = re.compile(r"\n[ \t]*\n")
_QMAIL = re.compile(r"Hi\. This is the [^\n]+")
_QMAIL_COPY = "--- Below this line is a copy of the message."
_QMAIL_OWN = re.compile(r"\(#([245]\.\d{1,3}\.\d{1,3})\)")
_QMAIL_TOLD = re.compile(r"Remote host said: ([245]\d\d)([^\n]*)")
_QMAIL_RECIPIENT = "does not like recipient."
_EXIM = "This message was created automatically by mail delivery software."
_EXIM_FAILED = "This is a permanent error. The following address(es) failed:"
_EXIM_COPY = "------ This is a copy of "
_EXIM_RECIPIENT = re.compile(r"SMTP error from remote mail(?:er| server) after RCPT TO:<[^>]*>: (.*)")
_EXIM_TOLD = re.compile(r"(?:host \S+ \[[^\]]*\]: )?([245]\d\d)(?:[ -]|$)(.*)")


def refusals(mail: Message) -> Iterator[tuple[int, str]]:
    """The code and the text of the refusal of each address in such a notice.

    Nothing if it is no such notice. The code is REFUSED if no server gave one for the address itself.
    """
    if mail.get_content_type() != "text/plain":
        return
    found = mail.get_payload(decode=True)
    text = found.decode("utf-8", "replace") if isinstance(found, bytes) else ""
    blocks = [block.strip("\n") for block in _BLANK.split(text.replace("\r\n", "\n").strip()[:LONGEST])]
    first, second = blocks[0], " ".join(" ".join(blocks[1:2]).split())
    if _QMAIL.match(first) and "This is a permanent error" in first:
        yield from _qmail(blocks[1:])
    elif mail.get("X-Failed-Recipients") and first == _EXIM and second.endswith(_EXIM_FAILED):
        yield from _exim(blocks[2:])


def _qmail(blocks: list[str]) -> Iterator[tuple[int, str]]:
    for block in _above(_QMAIL_COPY, blocks):
        address, _, reason = block.partition(":\n")
        if not address.startswith("<") or not address.endswith(">"):
            continue
        told, own = _QMAIL_TOLD.search(reason), _QMAIL_OWN.search(reason)
        if told is not None:
            yield int(told[1]) if _QMAIL_RECIPIENT in reason else REFUSED, told[2]
        else:
            yield REFUSED, own[1] if own is not None else ""


def _exim(blocks: list[str]) -> Iterator[tuple[int, str]]:
    for block in _above(_EXIM_COPY, blocks):
        _, _, reason = block.strip().partition("\n")
        refused = _EXIM_RECIPIENT.search(" ".join(reason.split()))
        told = _EXIM_TOLD.match(refused[1]) if refused is not None else None
        yield (int(told[1]), told[2]) if told is not None else (REFUSED, "")


def _above(copy: str, blocks: list[str]) -> Iterator[str]:
    """The blocks before the first line of dashes; nothing if no copy of the letter follows."""
    if any(block.startswith(copy) for block in blocks):
        yield from takewhile(lambda block: not block.startswith("-"), blocks)
