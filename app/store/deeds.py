"""Each form acts once: its key is kept in the transaction of what it does, so that two senders act once."""

from datetime import datetime, timedelta

from app import clock
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query

KEPT = timedelta(days=30)
"""How long a form that acted is remembered. A browser that has lain asleep may send it days later."""

_claim = Command(
    """INSERT INTO deed (key, result, at) VALUES (:key, '', :now) ON CONFLICT (key) DO NOTHING"""
)
_hold = Query(
    str,
    """INSERT INTO deed (key, result, at) VALUES (:key, '', :now)
       ON CONFLICT (key) DO UPDATE SET at = excluded.at RETURNING result""",
)
_result = Query(str, "SELECT result FROM deed WHERE key = :key")
_settle = Command("UPDATE deed SET result = :result WHERE key = :key")
_release = Command("DELETE FROM deed WHERE key = :key")
_forget = Command(
    """DELETE FROM deed WHERE key IN (SELECT key FROM deed WHERE at < :before ORDER BY at LIMIT :most)"""
)


class AlreadyDone(Exception):  # noqa: N818 - a fact
    """The form has acted before. `result` is the address that shows what came of it, or empty."""

    def __init__(self, result: str) -> None:
        super().__init__(result)
        self.result = result


class Deed:
    """One sending of a form: the first transaction of its store that writes keeps the form's key.

    Where the transaction fails, the key is free again. Where the same form acted before, the transaction
    raises AlreadyDone before anything else happens in it; a form that is acting at this moment is waited for.
    """

    def __init__(self, store: Store, key: str) -> None:
        self._plain = store
        self._key = key
        self.done = False
        """The form has acted: its key is kept."""
        self.store = store.guarded(self)
        """For everything that the form does."""

    def begun(self, connection: Connection) -> None:
        """Keep the key in this transaction. Raises AlreadyDone."""
        if self.done or _claim.run(connection, key=self._key, now=clock.now()):
            return
        raise AlreadyDone(_result.first(connection, key=self._key) or "")

    def committed(self) -> None:
        """The key is kept for good."""
        self.done = True

    def settle(self, result: str) -> None:
        """Keep the address that shows what came of the form."""
        if self.done:
            with self._plain.transaction() as connection:
                _settle.run(connection, result=result, key=self._key)

    def release(self) -> None:
        """Free the key, because the form was refused after all."""
        if self.done:
            with self._plain.transaction() as connection:
                _release.run(connection, key=self._key)


def hold(connection: Connection, key: str, now: datetime) -> str:
    """The result kept under a key, or an empty text; others that want the same key wait for the commit."""
    return _hold.one(connection, key=key, now=now)


def result(connection: Connection, key: str) -> str:
    """The result kept under a key; empty if there is none."""
    return _result.first(connection, key=key) or ""


def keep(connection: Connection, key: str, result: str) -> None:
    """Replace the result of a key that is held."""
    _settle.run(connection, result=result, key=key)


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Drop forms that acted before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
