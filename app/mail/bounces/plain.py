"""Delivery notices written for people alone: qmail's and Exim's, recognised by their fixed form.

Both quote the refusal of each address. A mail without the whole form is no notice: text that people write is
not searched.
"""

import re
from collections.abc import Iterator
from email.message import Message
from itertools import takewhile

from app.mail.bounces.refusals import Stage

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
_EXIM_REFUSED = re.compile(
    r"SMTP error from remote mail(?:er| server) after (RCPT TO:<[^>]*>|end of data|DATA|pipelined DATA): (.*)"
)
_EXIM_TOLD = re.compile(r"(?:host \S+ \[[^\]]*\]: )?([245]\d\d)(?:[ -]|$)(.*)")


def refusals(mail: Message) -> Iterator[tuple[Stage, int, str]]:
    """The moment, the code and the text of the refusal of each address in such a notice.

    Nothing if it is no such notice. The code is REFUSED if no server gave one.
    """
    if mail.get_content_type() != "text/plain":
        return
    text = text_of(mail).replace("\r\n", "\n").strip()
    blocks = [block.strip("\n") for block in _BLANK.split(text[:LONGEST])]
    first, second = blocks[0], " ".join(" ".join(blocks[1:2]).split())
    if _QMAIL.match(first) and "This is a permanent error" in first:
        yield from _qmail(blocks[1:])
    elif mail.get("X-Failed-Recipients") and first == _EXIM and second.endswith(_EXIM_FAILED):
        yield from _exim(blocks[2:])


def is_form(mail: Message) -> bool:
    """Whether a mail has words of these forms: if it isn't whole, no other reader should guess."""
    text = text_of(mail)[:LONGEST]
    return _QMAIL.search(text) is not None or _EXIM in text


def text_of(part: Message) -> str:
    """The text of a part; empty for one that holds others."""
    found = part.get_payload(decode=True)
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else ""


def _qmail(blocks: list[str]) -> Iterator[tuple[Stage, int, str]]:
    for block in _above(_QMAIL_COPY, blocks):
        address, _, reason = block.partition(":\n")
        if not address.startswith("<") or not address.endswith(">"):
            continue
        told, own = _QMAIL_TOLD.search(reason), _QMAIL_OWN.search(reason)
        if told is not None:
            yield Stage.RECIPIENT if _QMAIL_RECIPIENT in reason else Stage.TEXT, int(told[1]), told[2]
        else:
            yield Stage.RECIPIENT, REFUSED, own[1] if own is not None else ""


def _exim(blocks: list[str]) -> Iterator[tuple[Stage, int, str]]:
    for block in _above(_EXIM_COPY, blocks):
        _, _, reason = block.strip().partition("\n")
        refused = _EXIM_REFUSED.search(" ".join(reason.split()))
        told = _EXIM_TOLD.match(refused[2]) if refused is not None else None
        if refused is None or told is None:
            yield Stage.TEXT, REFUSED, ""
        else:
            yield Stage.RECIPIENT if refused[1].startswith("RCPT") else Stage.TEXT, int(told[1]), told[2]


def _above(copy: str, blocks: list[str]) -> Iterator[str]:
    """The blocks before the first line of dashes; nothing if no copy of the letter follows."""
    if any(block.startswith(copy) for block in blocks):
        yield from takewhile(lambda block: not block.startswith("-"), blocks)
