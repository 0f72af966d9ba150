"""Tokens of links: 128 random bits. Only their hash is stored, so that a stolen database opens nothing."""

import base64
import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection

from app.store.statement import Statement, stored

PURPOSES = ("turn", "invitation", "sign_in", "reply", "address")

_insert = Statement(
    """INSERT INTO token (hash, purpose, match_id, invitation_id, player_id, seat, run, letter_id,
                          created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
)


def hash_of(token: str) -> str:
    """SHA-256 in hex of a token, or of whatever else came in its place."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def mint(
    connection: Connection,
    purpose: str,
    now: datetime,
    *,
    match_id: int | None = None,
    invitation_id: int | None = None,
    player_id: int | None = None,
    seat: str | None = None,
    run: int | None = None,
    letter_id: str | None = None,
    expires_at: datetime | None = None,
) -> str:
    """A new token, 22 characters of base64url. It exists once, in the letter that carries it.

    One to reply to is 26 characters of base32: it stands in an address, and some mail systems lower those.
    """
    assert purpose in PURPOSES
    token = secrets.token_urlsafe(16)
    if purpose == "reply":
        token = base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
    expires = None if expires_at is None else stored(connection, expires_at)
    what = (match_id, invitation_id, player_id, seat, run, letter_id)
    _insert.run(connection, hash_of(token), purpose, *what, stored(connection, now), expires)
    return token
