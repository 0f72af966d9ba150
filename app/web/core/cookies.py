"""The cookie of a session, as Flask writes and reads it, with less work: it is the dearest part of an answer.

The keys are derived once for all cookies, and the contents are plain JSON. Cookies of Flask are read,
and Flask reads these.
"""

import hashlib
import hmac
import zlib
from typing import Any

import msgspec
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from itsdangerous.encoding import base64_decode, base64_encode

SQUEEZED_FROM = 400
"""Bytes. A shorter cookie is hardly made shorter by compressing it."""
_TAG = b'" '
"""Begins the name of a type that JSON does not have, in cookies that Flask wrote."""


class KeptSigner(TimestampSigner):
    """A signer that derives its keys once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As the signer that it stands for; its method is HMAC."""
        super().__init__(*args, **kwargs)
        self._begun = [
            hmac.new(self.derive_key(one), digestmod=hashlib.sha1) for one in reversed(self.secret_keys)
        ]

    def get_signature(self, value: str | bytes) -> bytes:
        """The signature by the newest key."""
        return base64_encode(_signed(self._begun[0], _bytes(value)))

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Whether one of the keys gave this signature."""
        try:
            given = base64_decode(sig)
        except Exception:  # noqa: BLE001 - whatever is wrong with it, it is none
            return False
        return any(hmac.compare_digest(_signed(one, _bytes(value)), given) for one in self._begun)


class KeptSerializer(URLSafeTimedSerializer):
    """Sessions as texts that nobody else can write, by one signer."""

    default_signer = KeptSigner

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As the serializer that it stands for."""
        super().__init__(*args, **kwargs)
        self._signer = super().make_signer()

    def make_signer(self, salt: str | bytes | None = None) -> Any:
        """The one signer; another one for another salt."""
        return self._signer if salt in (None, self.salt) else super().make_signer(salt)

    def dump_payload(self, obj: Any) -> bytes:
        """The contents of a session as base64, compressed if long. Raises TypeError if they aren't JSON."""
        text = msgspec.json.encode(obj)
        if len(text) >= SQUEEZED_FROM and len(squeezed := zlib.compress(text)) < len(text) - 1:
            return b"." + base64_encode(squeezed)
        return base64_encode(text)

    def load_payload(self, payload: bytes, *args: Any, **kwargs: Any) -> Any:
        """The contents of a session. Raises BadPayload."""
        if not payload.startswith(b"."):
            try:
                text = base64_decode(payload)
                if _TAG not in text:
                    return msgspec.json.decode(text)
            except Exception:  # noqa: BLE001 - the careful reader says what is wrong with it
                return super().load_payload(payload, *args, **kwargs)
        return super().load_payload(payload, *args, **kwargs)


def _signed(begun: Any, value: bytes) -> bytes:
    mac = begun.copy()
    mac.update(value)
    return bytes(mac.digest())


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
