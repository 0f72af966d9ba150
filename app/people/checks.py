"""Checks of input about players: the cleaned value, or Refused with a reason."""

import re
import unicodedata
from functools import cache
from zoneinfo import available_timezones

from email_validator import EmailNotValidError, validate_email

from app.graphemes import cut
from app.people.address_list import one_address
from app.people.errors import Refused
from app.people.names import is_link
from app.words.languages import available

LONGEST_NAME = 40
LONGEST_WORD = 40
LONGEST_ADDRESS = 254
_COPIED = re.compile(r"(?P<name>[^<>]+)<[^<>@\s]+@[^<>@\s]+>")
JOINERS = "\u200c\u200d"  # Persian spelling and emoji need them; they change no direction
_SINCE = (range(0x1F000, 0x1FB00), range(0x20000, 0x2FFFE), range(0x30000, 0x3FFFE))
"""Ranges of emoji and Chinese signs, of which phones know some that Python's tables do not list yet."""
_STRAY_TAGS = re.compile(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])(?:(?<= )[\U000e0020-\U000e007f]+ |[\U000e0020-\U000e007f]+)"
)
"""Tags name the country of a flag, such as England's; elsewhere they only hide."""


def check_address(text: str) -> tuple[str, str]:
    """The address to send to, and its key, which is equal for all spellings of one address.

    Read are also `Name <address>` and `mailto:` links, as mail programs copy them. Domains are compared as
    they are written in DNS (A-labels), so straße.de is not strasse.de. Raises Refused("address").
    """
    text = one_address(text)
    if len(text) > LONGEST_ADDRESS:
        raise Refused("address", address=cut(text, LONGEST_NAME) + "…")
    try:
        found = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError:
        raise Refused("address", address=_plain(text)) from None
    domain = found.ascii_domain.lower()
    return f"{found.local_part}@{domain}", f"{found.local_part.casefold()}@{domain}"


def clean_name(text: str) -> str:
    """A name for pages, subjects and headers: one line, no invisible characters, no direction marks.

    HTML stays, as text. Of `Name <address>` it is the name. Raises Refused("name_empty", "name_too_long" or
    "name_link").
    """
    name = _plain(text)
    if (copied := _COPIED.fullmatch(name)) is not None:
        name = copied["name"].strip(' "')
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise Refused("name_empty")
    if len(name) > LONGEST_NAME:
        raise Refused("name_too_long", most=LONGEST_NAME, length=len(name))
    if is_link(name):
        raise Refused("name_link", name=name)
    return name


def check_word(text: str) -> str:
    """A word for the dice, normalised; it may be empty. Raises Refused("word_too_long", "word_link").

    It stands in an email to all players, as names do.
    """
    word = _plain(text)
    if len(word) > LONGEST_WORD:
        raise Refused("word_too_long", most=LONGEST_WORD, length=len(word))
    if is_link(word):
        raise Refused("word_link", word=word)
    return word


def check_text(text: str, most: int, *, lines: bool = False) -> str:
    """A text of one line or, with `lines`, of several, without invisible characters and direction marks.

    Blanks inside a line stay as they are. Raises Refused("text_empty" or "text_too_long").
    """
    rows = [_seen(row).strip() for row in (text.splitlines() if lines else [text])]
    kept = "\n".join(row for row, before in zip(rows, ["", *rows], strict=False) if row or before).strip()
    if not kept:
        raise Refused("text_empty")
    if len(kept) > most:
        raise Refused("text_too_long", most=most, length=len(kept))
    return kept


def check_zone(text: str) -> str:
    """The name of a time zone, such as Europe/Lisbon. Raises Refused("zone")."""
    if text not in _zones():
        raise Refused("zone", zone=cut(_plain(text), LONGEST_NAME))
    return text


def check_language(text: str) -> str:
    """A language of the site. Raises Refused("language")."""
    if text not in available():
        raise Refused("language", language=cut(_plain(text), LONGEST_NAME))
    return text


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"Factory"}  # the value on machines with no zone set


def _plain(text: str) -> str:
    """As `_seen`, with single blanks and none around them."""
    return " ".join(_seen(text).split())


def _seen(text: str) -> str:
    """The text in NFC, on one line, without control, format, private and unassigned characters.

    Joiners, the tags of flags and emoji that are newer than Python's tables stay.
    """
    return "".join(
        " " if character.isspace() else character
        for character in _STRAY_TAGS.sub("", unicodedata.normalize("NFC", text))
        if character.isspace() or _is_seen(character)
    )


def _is_seen(character: str) -> bool:
    category = unicodedata.category(character)
    if category[0] != "C" or character in JOINERS or "\U000e0020" <= character <= "\U000e007f":
        return True
    return category == "Cn" and any(ord(character) in some for some in _SINCE)
