"""Cursors: where the next page of a list begins. Programs hand them back as they are."""

import base64
import binascii
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from app.people.errors import Refused

Place = TypeVar("Place")


def written(place: object) -> str:
    """The cursor of a place in a list."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def read(cursor: str, kind: type[Place]) -> Place | None:
    """The place that a cursor names; None for an empty one. Raises Refused("request_unreadable")."""
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found = msgspec.json.decode(base64.b64decode(padded, altchars=b"-_", validate=True), type=kind)
        if isinstance(found, datetime):
            if found.tzinfo is None:
                raise ValueError
            found.astimezone(UTC)
    except (ValueError, OverflowError, binascii.Error, msgspec.DecodeError):
        raise Refused("request_unreadable", error="There is no such cursor.") from None
    return found
