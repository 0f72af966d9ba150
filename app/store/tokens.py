"""Tokens of links: 128 random bits. Only their hash is stored, so that a stolen database opens nothing.

An email that asks for a turn has a link and an address for replies, and one row keeps both: the address is
made from the link's token, which can't be found from it, and the row has the hash of the address.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from app.store import base32
from app.store.connection import Connection
from app.store.sql import Command, Query

_OF_REPLIES = re.compile("[a-z2-7]{26}")
_OF_BOTH = 23
"""Characters of a turn's token that brings an address for replies. Others, also those of before, have 22."""
PURPOSES = ("turn", "invitation", "sign_in", "reply", "address", "confirm", "undo", "again")

_insert = Command(
    """INSERT INTO token (hash, purpose, match_id, invitation_id, player_id, seat, run, letter_id,
                          created_at, expires_at)
       VALUES (:hash, :purpose, :match_id, :invitation_id, :player_id, :seat, :run, :letter_id,
               :created_at, :expires_at)
       ON CONFLICT (hash) DO NOTHING"""
)
_use = Command(
    """UPDATE token SET used_at = :now
       WHERE hash = :hash AND used_at IS NULL AND ended_at IS NULL
         AND (expires_at IS NULL OR expires_at > :now)"""
)
# The link that undoes a change of address stays: who took an account over could end it otherwise.
_end_all = Command(
    """UPDATE token SET ended_at = :now
       WHERE ended_at IS NULL AND hash <> :kept AND purpose <> 'undo'
         AND (player_id = :player_id OR invitation_id IN (
             SELECT i.id FROM invitation i JOIN player p ON p.id = :player_id
             WHERE i.player_id = p.id OR i.address_key = p.address_key))"""
)
_SPENT = -1
"""The turn of a token whose match is long over: it shows how things stand, and plays nothing."""
_shrink = Command(
    f"""UPDATE token SET run = {_SPENT}, letter_id = NULL, expires_at = NULL, used_at = NULL
        WHERE hash IN (SELECT hash FROM token
                       WHERE match_id = :match_id AND purpose = 'turn' AND run <> {_SPENT} LIMIT :most)"""  # noqa: S608
)
_delete_passing = Command(
    """DELETE FROM token WHERE hash IN (SELECT hash FROM token
           WHERE match_id = :match_id AND purpose NOT IN ('turn', 'invitation') LIMIT :most)"""
)
_OF_MATCH = """match_id = :match_id
               OR invitation_id IN (SELECT i.id FROM invitation i WHERE i.match_id = :match_id)"""
_delete_of_match = Command(
    f"DELETE FROM token WHERE hash IN (SELECT hash FROM token WHERE {_OF_MATCH} LIMIT :most)"  # noqa: S608
)
_part = Command(
    f"""UPDATE token SET match_id = NULL, invitation_id = NULL
        WHERE hash IN (SELECT hash FROM token WHERE {_OF_MATCH} LIMIT :most)"""  # noqa: S608 - constants
)
_forget = Command(
    """DELETE FROM token WHERE hash IN (SELECT hash FROM token
           WHERE match_id IS NULL AND invitation_id IS NULL AND created_at < :before
           ORDER BY created_at LIMIT :most)"""
)


class NewToken(msgspec.Struct, frozen=True):
    """The row of a token."""

    hash: bytes
    purpose: str
    match_id: int | None
    invitation_id: int | None
    player_id: int | None
    seat: str | None
    run: int | None
    letter_id: str | None
    created_at: datetime
    expires_at: datetime | None


class Token(msgspec.Struct, frozen=True):
    """The purpose of a token: its match, seat and player."""

    match_id: int | None
    invitation_id: int | None
    player_id: int | None
    seat: str | None
    run: int | None
    letter_id: str | None
    expires_at: datetime | None
    used_at: datetime | None
    ended_at: datetime | None
    created_at: datetime

    def good(self, now: datetime) -> bool:
        """It can be used: it was not yet, has not expired, and was not ended by its player."""
        return self.used_at is None and self.lasts(now)

    def lasts(self, now: datetime) -> bool:
        """It has neither expired nor been ended by its player."""
        return self.ended_at is None and (self.expires_at is None or self.expires_at > now)


_find = Query(
    Token,
    """SELECT match_id, invitation_id, player_id, seat, run, letter_id, expires_at, used_at, ended_at,
              created_at
       FROM token
       WHERE hash = :hash AND (purpose = :purpose OR purpose = :also AND letter_id IS NOT NULL)""",
)


_reply_to = Query(
    bytes,
    """SELECT hash FROM token WHERE letter_id = :letter_id AND purpose IN ('reply', 'turn')
       ORDER BY created_at DESC, hash LIMIT 1""",
)


_last_used = Query(
    datetime,
    """SELECT max(used_at) AS used_at FROM token WHERE player_id = :player_id AND purpose = :purpose""",
)


def last_used(connection: Connection, player_id: int, purpose: str) -> datetime | None:
    """When a player used a link of a purpose last, or None."""
    return _last_used.first(connection, player_id=player_id, purpose=purpose)


def reply_to(connection: Connection, letter_id: str) -> str | None:
    """The hash, in hex, of the token by which a letter is answered, or None."""
    found = _reply_to.first(connection, letter_id=letter_id)
    return None if found is None else found.hex()


def hash_of(token: str) -> str:
    """SHA-256 in hex of a token, or of any other text."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def key_of(token: str) -> bytes:
    """The hash in the row of a link's token. The token of an address for replies has none: it is no link."""
    if _OF_REPLIES.fullmatch(token):
        return b""
    return bytes.fromhex(hash_of(reply_of(token) if len(token) == _OF_BOTH else token))


def reply_of(token: str) -> str:
    """The token of the address for replies that the token of a turn brings."""
    return base32.written(
        hashlib.sha256(f"tidepost reply {token}".encode(errors="surrogatepass")).digest()[:16]
    )


def make(
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
) -> tuple[str, NewToken]:
    """A new token, 22 or (for a turn) 23 characters of base64url, and its row, which `keep` writes.

    A token for replies is 26 characters of base32: it is part of an address, and some mail systems lower
    the case of those. Only the letter that carries a token has it.
    """
    assert purpose in PURPOSES
    if purpose == "reply":
        token = base32.written(secrets.token_bytes(16))
        key = bytes.fromhex(hash_of(token))
    else:
        token = secrets.token_urlsafe(17 if purpose == "turn" else 16)
        key = key_of(token)
    return token, NewToken(
        key, purpose, match_id, invitation_id, player_id, seat, run, letter_id, now, expires_at
    )


def keep(connection: Connection, rows: Sequence[NewToken]) -> None:
    """Let tokens act from now on. Twice does no harm."""
    _insert.write(connection, rows)


def mint(connection: Connection, purpose: str, now: datetime, **what: Any) -> str:
    """A new token, as `make` makes it, that acts from now on."""
    token, row = make(purpose, now, **what)
    keep(connection, [row])
    return token


def find(connection: Connection, token: str, purpose: str) -> Token | None:
    """The token of a link, even if used, expired or ended; None: there is none with this purpose."""
    return _find.first(connection, hash=key_of(token), purpose=purpose, also=purpose)


def find_reply(connection: Connection, token_hash: str) -> Token | None:
    """The token of an address for replies, by its hash in hex, even if expired or ended; or None."""
    key = bytes.fromhex(token_hash)
    return _find.first(connection, hash=key, purpose="reply", also="turn")


def use(connection: Connection, now: datetime, token: str) -> bool:
    """Mark a token as used. False: it was used already, has expired, or does not exist."""
    return _use.run(connection, now=now, hash=key_of(token)) == 1


def end_all(connection: Connection, now: datetime, player_id: int, kept: str = "") -> None:
    """End all links and reply addresses of a player and of the invitations to them, but for one."""
    _end_all.run(connection, now=now, player_id=player_id, kept=key_of(kept))


def shrink(connection: Connection, match_id: int, most: int) -> int:
    """Of tokens of a match that is long over leave what shows how it ended; returns how many changed.

    Reply addresses, which are no longer accepted then, go.
    """
    return _delete_passing.run(connection, match_id=match_id, most=most) + _shrink.run(
        connection, match_id=match_id, most=most
    )


def delete_of_match(connection: Connection, match_id: int, most: int) -> int:
    """Delete tokens of a match, its invitations' too; returns how many."""
    return _delete_of_match.run(connection, match_id=match_id, most=most)


def part_from_match(connection: Connection, match_id: int, most: int) -> int:
    """Keep tokens of a match that is to be deleted, so that its links are known; returns how many changed."""
    return _part.run(connection, match_id=match_id, most=most)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete tokens of no match that were made before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
