"""The keys that sign emails (DKIM): files in the data folder, one of which is in use.

A selector names a key in DNS, at `selector._domainkey.domain`. While one key takes over from another both
stay published, because emails that were signed before are still under way.
"""

import base64
import re
import secrets
from pathlib import Path

import msgspec

from app import clock, data_folder
from app.settings import Settings

FOLDER = "dkim"
"""In the data folder. It holds `SELECTOR.pem` for each key, and the name of one in the file `in_use`."""
IN_USE = "in_use"
BITS = 2048
"""As receivers ask for; RFC 8301 forbids fewer than 1024."""
LONGEST_STRING = 255
"""Bytes of one string of a TXT record; longer texts are several, which receivers join."""
_SELECTOR = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class NoSuchKey(LookupError):  # noqa: N818 - a fact
    """There is no key of that selector."""


class Key(msgspec.Struct, frozen=True):
    """A key, by its selector. The repr shows no secret."""

    selector: str
    pem: bytes
    """The private key, as PKCS#1 in PEM."""
    in_use: bool

    def __repr__(self) -> str:
        return f"<Key {self.selector}>"


def folder_of(settings: Settings) -> Path:
    """The folder of the keys."""
    return settings.data_dir / FOLDER


def keys(settings: Settings) -> list[Key]:
    """All keys, by selector. Raises OSError."""
    found = in_use(settings)
    return [
        Key(file.stem, file.read_bytes(), file.stem == found)
        for file in sorted(folder_of(settings).glob("*.pem"))
    ]


def in_use(settings: Settings) -> str:
    """The selector of the key that signs; empty where none does. Raises OSError."""
    try:
        return (folder_of(settings) / IN_USE).read_text().strip()
    except FileNotFoundError:
        return ""


def private_key(settings: Settings) -> tuple[str, bytes] | None:
    """Selector and private key of the one in use, or None. Raises OSError where its file can't be read."""
    selector = in_use(settings)
    return (selector, (folder_of(settings) / f"{selector}.pem").read_bytes()) if selector else None


def make(settings: Settings) -> Key:
    """Make a key, which signs nothing until it is taken into use. Raises OSError."""
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    folder = folder_of(settings)
    folder.mkdir(mode=data_folder.PRIVATE, exist_ok=True)
    selector = f"tidepost{clock.now():%Y%m%d}{secrets.token_hex(2)}"
    made = generate_private_key(public_exponent=65537, key_size=BITS)
    pem = made.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    data_folder.write_private(folder / f"{selector}.pem", pem)
    return Key(selector, pem, in_use=False)


def use(settings: Settings, selector: str) -> None:
    """Let this key sign from now on; an empty selector ends signing. Raises NoSuchKey, OSError."""
    folder = folder_of(settings)
    if not selector:
        (folder / IN_USE).unlink(missing_ok=True)
        return
    _find(settings, selector)
    part = folder / f".{IN_USE}.{secrets.token_hex(4)}"
    data_folder.write_private(part, f"{selector}\n".encode())
    part.replace(folder / IN_USE)


def drop(settings: Settings, selector: str) -> None:
    """Delete a key that is not in use. Raises NoSuchKey, ValueError if it is in use, OSError."""
    file = _find(settings, selector)
    if in_use(settings) == selector:
        raise ValueError(selector)
    file.unlink()


def record_name(selector: str, domain: str) -> str:
    """The name of the TXT record that publishes the key."""
    return f"{selector}._domainkey.{domain}"


def record(key: Key) -> str:
    """The text of its TXT record."""
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_private_key,
    )

    public = load_pem_private_key(key.pem, None).public_key()
    written = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={base64.b64encode(written).decode()}"


def strings(record: str) -> list[str]:
    """The text of a record in strings that DNS can hold."""
    return [record[at : at + LONGEST_STRING] for at in range(0, len(record), LONGEST_STRING)]


def _find(settings: Settings, selector: str) -> Path:
    file = folder_of(settings) / f"{selector}.pem"
    if not _SELECTOR.fullmatch(selector) or not file.exists():
        raise NoSuchKey(selector)
    return file
