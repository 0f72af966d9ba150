"""Headers as text, addresses and ids, however malformed they are."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message as Mail
from email.utils import getaddresses, parsedate_to_datetime

from app.graphemes import cut
from app.mail.inbound.reading.charsets import decoded
from app.mail.inbound.reading.text import clean
from app.people.checks import check_address
from app.people.errors import Refused

LONGEST = 8_000
"""Characters of a header that are read."""
MOST_ADDRESSES = 50
MOST_REFERENCES = 50
LONGEST_ID = 300
LONGEST_SUBJECT = 300
DELIVERED_TO = (
    "X-Original-To",
    "Delivered-To",
    "Envelope-To",
    "X-Envelope-To",
    "X-Forwarded-To",
    "Resent-To",
    "To",
    "Cc",
)
_ADDRESS = re.compile(r"[^\s<>()\[\]\",;:@]+@[^\s<>()\[\]\",;:@]+")
_APART = str.maketrans(dict.fromkeys("<>()[]\"',;:\\", " "))


def values(mail: Mail, name: str) -> list[str]:
    """A header's texts, unfolded, each cut to the characters that are read."""
    return [text.replace("\r", "").replace("\n", "") for text in _folded(mail, name)]


def value(mail: Mail, name: str) -> str:
    """A header's first text, unfolded; "" if there is none."""
    return next(iter(values(mail, name)), "").strip()


def readable(text: str) -> str:
    """A header's text with its encoded words decoded, in one line."""
    try:
        parts = decode_header(text)
    except (HeaderParseError, ValueError):
        parts = [(text, None)]
    said = "".join(
        part if isinstance(part, str) else decoded(part, charset or "utf-8") for part, charset in parts
    )
    return " ".join(clean(said.encode("utf-8", "replace").decode()).split())


def sender(mail: Mail) -> str:
    """The key of the sender's address; "" if From names none, or several, or stands twice."""
    found = values(mail, "From")
    if len(found) != 1:
        return ""
    try:
        addresses = [address for _, address in getaddresses(found) if address]
    except (RecursionError, IndexError):  # the parser recurses into every bracket
        return ""
    if len(addresses) != 1 or "@" not in addresses[0]:
        addresses = _named_alone(found[0])
    try:
        return check_address(addresses[0].strip("'."))[1] if addresses else ""
    except Refused:
        return ""


def _named_alone(text: str) -> list[str]:
    """The one address in a text that breaks the rules, as `a@b <a@b>` and `Lee, Ann <a@b>` do.

    Nothing if another sign of an address is there: who reads it otherwise must find the same one or none.
    """
    words = _ADDRESS.findall(text)
    if len(words) != text.count("@") or "\\" in text:
        return []
    each = {word.casefold().strip("'.") for word in words}
    return list(each) if len(each) == 1 else []


def recipients(mail: Mail) -> tuple[str, ...]:
    """All addresses that it was sent or delivered to, the most reliable first. Folds inside are mended."""
    found: list[str] = []
    for name in DELIVERED_TO:
        for raw in _folded(mail, name):
            mended = "".join(line.strip() for line in raw.splitlines())
            for form in (readable(raw), mended) if "\n" in raw or "=?" in raw else (raw,):
                found += (word.strip(".").casefold() for word in form.translate(_APART).split())
    known = dict.fromkeys(word for word in found if 0 < word.find("@") < len(word) - 1)
    return tuple(known)[:MOST_ADDRESSES]


def message_id(mail: Mail) -> str:
    """The message's own id; "" if it has no valid one."""
    return next(iter(_ids(values(mail, "Message-ID"))), "")


def references(mail: Mail) -> tuple[str, ...]:
    """The ids that it answers, the nearest first. Some programs put commas between them."""
    answered = _ids(values(mail, "In-Reply-To"))
    before = _ids(values(mail, "References"))
    return tuple(dict.fromkeys([*answered, *reversed(before)]))[:MOST_REFERENCES]


def subject(mail: Mail) -> str:
    """The subject in one line."""
    return cut(readable(value(mail, "Subject")), LONGEST_SUBJECT)


def date(mail: Mail) -> datetime | None:
    """The time of sending according to the sender, in UTC."""
    try:
        said = parsedate_to_datetime(value(mail, "Date"))
        return said.replace(tzinfo=said.tzinfo or UTC).astimezone(UTC)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None


def _folded(mail: Mail, name: str) -> list[str]:
    """A header's texts as they came, with bytes beyond ASCII read as UTF-8."""
    wanted = name.casefold()
    found = [str(text)[:LONGEST] for key, text in mail.raw_items() if key.casefold() == wanted]
    return [text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for text in found][
        :MOST_ADDRESSES
    ]


def _ids(texts: Iterable[str]) -> list[str]:
    words = " ".join(texts).replace("<", " ").replace(">", " ").replace(",", " ").split()
    return [word[:LONGEST_ID] for word in words if word.strip("[]@")]
