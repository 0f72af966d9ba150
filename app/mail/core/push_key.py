"""The key by which push services know this server (VAPID): made at first need, kept in the data folder."""

import base64
import os
import secrets
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.settings import Settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

# The library takes 8 MB: it is imported where a key is used.

NAME = "push_key"
"""The file in the data folder, for its owner only: 32 bytes in base64url."""


def private_key(settings: Settings) -> "EllipticCurvePrivateKey":
    """The key of TIDEPOST_PUSH_KEY, else that of the data folder, which is made if there is none.

    Raises OSError, and ValueError for a text that is no key.
    """
    return _read(settings.push_key or _kept(settings.data_dir / NAME))


def public_key(settings: Settings) -> str:
    """The public half in base64url, as browsers want it. Raises OSError, ValueError."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = private_key(settings).public_key()
    return _written(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


@lru_cache(maxsize=4)
def _read(text: str) -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

    number = int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
    return derive_private_key(number, SECP256R1())


def _kept(file: Path) -> str:
    if not file.exists():
        _make(file)
    return file.read_text().strip()


def _make(file: Path) -> None:
    """Write a new key; if another process was faster, its key stays."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    number = generate_private_key(SECP256R1()).private_numbers().private_value
    whole = file.with_name(f".{NAME}.{secrets.token_hex(8)}")
    handle = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as out:
            out.write(_written(number.to_bytes(32, "big")) + "\n")
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(whole, file)  # never over another's, and never half written
        except FileExistsError:
            return
    finally:
        whole.unlink()


def _written(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()
