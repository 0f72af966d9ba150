"""Tokens of links: 128 random bits. Only their hash is stored, so that a stolen database opens nothing."""

import base64
import hashlib
import secrets
from datetime import datetime

import msgspec

from app.store.connection import Connection
from app.store.sql import Command, Query

PURPOSES = ("turn", "invitation", "sign_in", "reply", "address", "confirm", "undo", "again")

_insert = Command(
    """INSERT INTO token (hash, purpose, match_id, invitation_id, player_id, seat, run, letter_id,
                          created_at, expires_at)
       VALUES (:hash, :purpose, :match_id, :invitation_id, :player_id, :seat, :run, :letter_id,
               :now, :expires_at)"""
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
       WHERE hash = :hash AND purpose = :purpose""",
)


_reply_to = Query(
    str,
    """SELECT hash FROM token WHERE letter_id = :letter_id AND purpose = 'reply'
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
    """The hash of the token by which a letter is answered, or None."""
    return _reply_to.first(connection, letter_id=letter_id)


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


def find(connection: Connection, token: str, purpose: str) -> Token | None:
    """The token, even if used, expired or ended; None: there is none with this purpose."""
    return _find.first(connection, hash=hash_of(token), purpose=purpose)


def find_hash(connection: Connection, token_hash: str, purpose: str) -> Token | None:
    """As `find`, by the token's hash."""
    return _find.first(connection, hash=token_hash, purpose=purpose)


def use(connection: Connection, now: datetime, token: str) -> bool:
    """Mark a token as used. False: it was used already, has expired, or does not exist."""
    return _use.run(connection, now=now, hash=hash_of(token)) == 1


def end_all(connection: Connection, now: datetime, player_id: int, kept: str = "") -> None:
    """End all links and reply addresses of a player and of the invitations to them, but for one."""
    _end_all.run(connection, now=now, player_id=player_id, kept=hash_of(kept))


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
