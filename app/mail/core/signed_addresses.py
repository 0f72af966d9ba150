"""Signed addresses that name a letter: for bounces, and for unsubscribing.

`b+…@domain` is the envelope's sender; `u+…@domain` and the page `/u/…` unsubscribe; `d+…@domain` is for
tests of the way by which mail comes in, and has an id of no letter. Each has the letter's id
and a signature, in base32 because some mail systems convert addresses to lower case.
"""

import base64
import hmac
import re

from app.settings import Settings

BOUNCE, LEAVE, PROBE = "b", "u", "d"
"""The purposes of an address. A signature for one of them is not valid for the other."""
_LETTER = re.compile("[0-9a-f]{32}")
_SIGNED = re.compile("[a-z2-7]{42}")
_ID, _MAC = 16, 10
"""Bytes."""


def signed(settings: Settings, purpose: str, letter_id: str) -> str:
    """The letter's id with a signature, 42 letters and digits; empty for an id that is none of ours."""
    if not _LETTER.fullmatch(letter_id):
        return ""
    raw = bytes.fromhex(letter_id)
    mac = _mac(settings.secret_keys[0], purpose, raw)
    return base64.b32encode(raw + mac).decode().rstrip("=").lower()


def letter_of(settings: Settings, purpose: str, text: str) -> str | None:
    """The id of the letter that `signed` was given, in any case; None for text that it did not return."""
    text = text.lower()
    if not _SIGNED.fullmatch(text):
        return None
    raw = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    letter, mac = raw[:_ID], raw[_ID:]
    good = [hmac.compare_digest(_mac(key, purpose, letter), mac) for key in settings.secret_keys]
    return letter.hex() if any(good) else None


def address(settings: Settings, purpose: str, letter_id: str) -> str:
    """The mail address; empty for an id that is none of ours."""
    text = signed(settings, purpose, letter_id)
    return f"{purpose}+{text}@{settings.mail_domain}" if text else ""


def letter_at(settings: Settings, purpose: str, local_part: str) -> str | None:
    """The id of the letter whose address has this local part, such as `b+…`; None for any other."""
    begins, _, text = local_part.partition("+")
    return letter_of(settings, purpose, text) if begins.lower() == purpose else None


def _mac(key: str, purpose: str, raw: bytes) -> bytes:
    return hmac.digest(key.encode(), f"tidepost letter {purpose} ".encode() + raw, "sha256")[:_MAC]
