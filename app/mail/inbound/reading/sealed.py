"""Mail in envelopes of cryptography: what was only signed is unwrapped, what was encrypted is told apart."""

from email.message import Message as Mail
from typing import Literal

from pyasn1.codec.ber import decoder
from pyasn1.type.univ import OctetString

Sealed = Literal["", "smime", "signed", "pgp"]
"""An encryption, or a signature that can't be opened; "" if the text can be read."""
SMIME = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_SIGNED = bytes.fromhex("06092a864886f70d010702")
"""The name of signed content, at its beginning: 1.2.840.113549.1.7.2."""
_PLAIN_DATA = bytes.fromhex("06092a864886f70d010701")
"""The name of the content that a signature encloses: 1.2.840.113549.1.7.1."""
_ENCLOSED = 0xA0
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_ABOVE = 12
"""Lines that may stand above a PGP message."""


def is_smime(part: Mail, kind: str) -> bool:
    """Whether a part is an S/MIME envelope, signed or encrypted."""
    if kind in SMIME:
        return True
    name = str(part.get_filename() or part.get_param("name") or "").casefold()
    return kind in ("application/octet-stream", "application/pkcs7") and name.endswith((".p7m", ".p7m'"))


def unwrapped(part: Mail) -> bytes | None:
    """The message inside a signed S/MIME envelope; None if there is none, as in an encrypted one.

    The signature isn't checked: a reply is trusted by its address. Never raises.
    """
    data = _bytes(part)
    at = data.find(_PLAIN_DATA)
    if at < 0:
        return None
    inside = data[at + len(_PLAIN_DATA) :]
    if len(inside) < 2 or inside[0] != _ENCLOSED:
        return None
    length = inside[1] & 0x7F if inside[1] & 0x80 else 0
    try:
        found, _ = decoder.decode(inside[2 + length :])
    except Exception:  # noqa: BLE001 - malformed bytes raise many kinds
        return None
    return bytes(found) if isinstance(found, OctetString) else None


def hidden_by(part: Mail) -> Sealed:
    """Whether an S/MIME envelope that couldn't be unwrapped is encrypted, or signed and damaged."""
    return "signed" if _SIGNED in _bytes(part)[:40] else "smime"


def _bytes(part: Mail) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def sealed_by(kinds: list[str], body: str) -> Sealed:
    """The encryption of a message by the types of its parts and its text."""
    if "multipart/encrypted" in kinds or "application/pgp-encrypted" in kinds:
        return "pgp"
    if _ARMOUR in (line.strip() for line in body.split("\n", _ABOVE)[:_ABOVE]):
        return "pgp"
    return ""
