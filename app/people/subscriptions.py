"""Browsers that a player has notified of their turns (web push). Deleting a row ends it."""

import base64
import binascii
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import msgspec

from app.people.errors import Refused
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query
from app.store.tokens import hash_of

MOST = 10
"""Browsers of a player. The one that was turned on first goes."""
LONGEST_ADDRESS = 1000
HTTPS = 443
FIRST_REST = timedelta(minutes=5)
LONGEST_REST = timedelta(days=1)
MOST_FAILURES = 15
"""In a row, some two weeks; after that a browser is forgotten."""


class Browser(msgspec.Struct, frozen=True):
    """A browser as its push service knows it. The repr shows no secret."""

    endpoint: str
    p256dh: str
    auth: str

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.hash[:8]}>"

    @property
    def hash(self) -> str:
        """The key of its row."""
        return hash_of(self.endpoint)


class Notified(Browser, frozen=True):
    """A browser with the language of its player."""

    language: str
    failures: int


_insert = Command(
    """INSERT INTO subscription (hash, player_id, session, endpoint, p256dh, auth, created_at, failures)
       VALUES (:hash, :player_id, :session, :endpoint, :p256dh, :auth, :now, 0)
       ON CONFLICT (hash) DO UPDATE SET player_id = :player_id, session = :session, p256dh = :p256dh,
           auth = :auth, created_at = :now, failures = 0, rests_until = NULL"""
)
_bound = Command(
    """DELETE FROM subscription WHERE player_id = :player_id AND hash NOT IN
           (SELECT hash FROM subscription WHERE player_id = :player_id
            ORDER BY created_at DESC, hash LIMIT :most)"""
)
_find = Query(
    Notified,
    """SELECT s.endpoint, s.p256dh, s.auth, p.language, s.failures
       FROM subscription s JOIN player p ON p.id = s.player_id
       WHERE s.hash = :hash AND s.player_id = :player_id""",
)
_hashes = Query(str, "SELECT hash FROM subscription WHERE player_id = :player_id ORDER BY hash")
_off = Command("DELETE FROM subscription WHERE player_id = :player_id AND hash = :hash")
_gone = Command("DELETE FROM subscription WHERE hash = :hash")
_pass_on = Command("UPDATE subscription SET session = :session WHERE session = :before")
_end = Command("DELETE FROM subscription WHERE session = :session")
_end_all = Command("DELETE FROM subscription WHERE player_id = :player_id")
_worked = Command(
    """UPDATE subscription SET failures = 0, rests_until = NULL
       WHERE hash = :hash AND (failures > 0 OR rests_until IS NOT NULL)"""
)
_failed = Command("UPDATE subscription SET failures = failures + 1, rests_until = :until WHERE hash = :hash")
_forget = Command(
    """DELETE FROM subscription WHERE hash IN (SELECT hash FROM subscription
           WHERE created_at <= :before ORDER BY created_at LIMIT :most)"""
)


def turn_on(store: Store, now: datetime, player_id: int, key: str, browser: Browser) -> None:
    """Notify a browser, which is signed in by this key. Another player's on that browser ends.

    Raises Refused.
    """
    check(browser)
    with store.transaction() as connection:
        _insert.run(connection, browser, player_id=player_id, session=hash_of(key), now=now)
        _bound.run(connection, player_id=player_id, most=MOST)


def turn_off(store: Store, player_id: int, endpoint: str) -> None:
    """Notify the player's browser with this endpoint no more."""
    with store.transaction() as connection:
        _off.run(connection, player_id=player_id, hash=hash_of(endpoint))


def hashes(store: Store, player_id: int) -> list[str]:
    """The keys of the player's browsers: hashes of their endpoints."""
    with store.reading() as connection:
        return _hashes.all(connection, player_id=player_id)


def find(connection: Connection, key: str, player_id: int) -> Notified | None:
    """The player's browser with this hash, or None."""
    return _find.first(connection, hash=key, player_id=player_id)


def pass_on(connection: Connection, before: str, key: str) -> None:
    """Those that were turned on in the session with one key belong to that with another from now on."""
    _pass_on.run(connection, before=hash_of(before), session=hash_of(key))


def end(connection: Connection, key: str) -> None:
    """End those that were turned on in the session with this key."""
    _end.run(connection, session=hash_of(key))


def end_all(connection: Connection, player_id: int) -> None:
    """End all of a player."""
    _end_all.run(connection, player_id=player_id)


def worked(connection: Connection, key: str) -> None:
    """It was reached: its failures are over."""
    _worked.run(connection, hash=key)


def failed(connection: Connection, now: datetime, key: str, failures: int) -> None:
    """It was not reached, after so many failures before: it is left alone a while, or at last forgotten."""
    if failures + 1 >= MOST_FAILURES:
        _gone.run(connection, hash=key)
        return
    until = now + min(FIRST_REST * (1 << failures), LONGEST_REST)
    _failed.run(connection, hash=key, until=until)


def gone(connection: Connection, key: str) -> None:
    """Its push service doesn't know it any more."""
    _gone.run(connection, hash=key)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete those that were turned on before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)


def check(browser: Browser) -> None:
    """Raises Refused unless it is the address of a push service and has the keys of a browser.

    Whether the address is a public one is looked at each time something is sent there.
    """
    try:
        parts = urlsplit(browser.endpoint)
        good = parts.scheme == "https" and "." in (parts.hostname or "") and parts.port in (None, HTTPS)
    except ValueError:
        good = False
        parts = urlsplit("")
    plain = browser.endpoint.isascii() and browser.endpoint.isprintable() and " " not in browser.endpoint
    if not good or not plain or "@" in parts.netloc or parts.fragment:
        raise Refused("push")
    if len(browser.endpoint) > LONGEST_ADDRESS or len(_bytes(browser.auth)) != 16:
        raise Refused("push")
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey  # 8 MB

    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(browser.p256dh))
    except ValueError:
        raise Refused("push") from None


def _bytes(text: str) -> bytes:
    """The bytes of a text in base64url, with or without padding; none if it is not that."""
    try:
        return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, ValueError):
        return b""
