"""Secrets that are needed again, sealed in the database: who has a copy of it alone can't read them.

Each secret key of the server makes a key for this; the first seals, and all open.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

# The library takes 8 MB: it is imported where something is sealed or opened.

_BEGINS = "sealed:"
_PURPOSE = b"tidepost: addresses and keys of webhooks"


class Unopened(Exception):  # noqa: N818 - what became of it
    """The key that sealed it isn't here any more."""


def sealed(keys: Sequence[str], text: str) -> str:
    """The text as it is kept, by the first of the server's secret keys; empty: there is none."""
    if not text:
        return ""
    return f"{_BEGINS}{name_of(keys[0])}:{_fernet(keys[0]).encrypt(text.encode()).decode()}"


def opened(keys: Sequence[str], kept: str) -> str:
    """The text that is kept, also one from before there were seals. Raises Unopened."""
    if not kept.startswith(_BEGINS):
        return kept
    from cryptography.fernet import InvalidToken

    name, _, token = kept.removeprefix(_BEGINS).partition(":")
    for key in keys:
        if name_of(key) == name:
            try:
                return _fernet(key).decrypt(token.encode()).decode()
            except InvalidToken as error:
                raise Unopened from error
    raise Unopened


def name_of(key: str) -> str:
    """A name of a secret key that tells nothing of it."""
    return hmac.new(key.encode(), b"tidepost: name of the key", hashlib.sha256).hexdigest()[:8]


def is_current(keys: Sequence[str], kept: str) -> bool:
    """Whether it is sealed by the first of the keys, or there is nothing to seal."""
    return not kept or kept.startswith(f"{_BEGINS}{name_of(keys[0])}:")


@lru_cache(maxsize=16)
def _fernet(key: str) -> "Fernet":
    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    made = HKDF(SHA256(), 32, None, _PURPOSE).derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(made))
