"""Signed addresses that name a letter: for bounces, and for unsubscribing.

`b+…@domain` is the envelope's sender; `u+…@domain` and the page `/u/…` unsubscribe; `d+…@domain` is for
tests of the way by which mail comes in, and has an id of no letter. Each has the letter's id
and a signature, in base32 because some mail systems convert addresses to lower case.
"""

import base64
import hmac
import re

from app.settings import Settings
from app.store import base32

BOUNCE, LEAVE, PROBE = "b", "u", "d"
"""The purposes of an address. A signature for one of them is not valid for the other."""
_LETTER = re.compile("[a-z2-7]{13}|[0-9a-f]{32}")
"""The letters of before have the longer ids."""
_SIGNED = re.compile("[a-z2-7]{29}|[a-z2-7]{42}")
_MAC = 10
_LONG = 16
"""Bytes of a signature, and of a long id."""


def signed(settings: Settings, purpose: str, letter_id: str) -> str:
    """The letter's id with a signature, 29 or 42 letters and digits; empty for an id that is none of ours."""
    if not _LETTER.fullmatch(letter_id):
        return ""
    raw = bytes.fromhex(letter_id) if len(letter_id) == 2 * _LONG else _bytes_of(letter_id)
    return _text_of(raw + _mac(settings.secret_keys[0], purpose, raw))


def letter_of(settings: Settings, purpose: str, text: str) -> str | None:
    """The id of the letter that `signed` was given, in any case; None for text that it did not return."""
    text = text.lower()
    if not _SIGNED.fullmatch(text):
        return None
    raw = _bytes_of(text)
    letter, mac = raw[:-_MAC], raw[-_MAC:]
    good = [hmac.compare_digest(_mac(key, purpose, letter), mac) for key in settings.secret_keys]
    if not any(good):
        return None
    return letter.hex() if len(letter) == _LONG else _text_of(letter)


def address(settings: Settings, purpose: str, letter_id: str) -> str:
    """The mail address; empty for an id that is none of ours."""
    text = signed(settings, purpose, letter_id)
    return f"{purpose}+{text}@{settings.mail_domain}" if text else ""


def letter_at(settings: Settings, purpose: str, local_part: str) -> str | None:
    """The id of the letter whose address has this local part, such as `b+…`; None for any other."""
    begins, _, text = local_part.partition("+")
    return letter_of(settings, purpose, text) if begins.lower() == purpose else None


def _bytes_of(text: str) -> bytes:
    return base64.b32decode(text.upper() + "=" * (-len(text) % 8))


def _text_of(raw: bytes) -> str:
    return base32.written(raw)


def _mac(key: str, purpose: str, raw: bytes) -> bytes:
    return hmac.digest(key.encode(), f"tidepost letter {purpose} ".encode() + raw, "sha256")[:_MAC]
