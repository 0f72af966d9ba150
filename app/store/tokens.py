"""Tokens of links: 128 random bits. Only their hash is stored, so that a stolen database opens nothing."""

import base64
import hashlib
import secrets
from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command

PURPOSES = ("turn", "invitation", "sign_in", "reply", "address")

_insert = Command(
    """INSERT INTO token (hash, purpose, match_id, invitation_id, player_id, seat, run, letter_id,
                          created_at, expires_at)
       VALUES (:hash, :purpose, :match_id, :invitation_id, :player_id, :seat, :run, :letter_id,
               :now, :expires_at)"""
)


def hash_of(token: str) -> str:
    """SHA-256 in hex of a token, or of any other text."""
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
    """A new token: 22 characters of base64url. Only the letter that carries it has it.

    A token for replies is 26 characters of base32: it is part of an address, and some mail systems lower
    the case of those.
    """
    assert purpose in PURPOSES
    token = secrets.token_urlsafe(16)
    if purpose == "reply":
        token = base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
    _insert.run(
        connection,
        hash=hash_of(token),
        purpose=purpose,
        match_id=match_id,
        invitation_id=invitation_id,
        player_id=player_id,
        seat=seat,
        run=run,
        letter_id=letter_id,
        now=now,
        expires_at=expires_at,
    )
    return token
