"""Notifications to browsers that it is their player's turn: one for each turn and browser, at most.

A row is taken before anything is sent and never waits again unless it is certain that nothing arrived.
"""

from datetime import datetime, timedelta

import msgspec

from app.mail.core.letter import LetterRow
from app.store.connection import Connection
from app.store.sql import Command, Query

YOUNG = timedelta(minutes=10)
"""For so long after a turn was asked for its browsers are notified, and tried again."""
RETRY = timedelta(seconds=20)
MOST_TRIES = 3
KEPT = timedelta(days=2)
"""How long it is known what was sent, so that nothing is sent twice."""


class Push(msgspec.Struct, frozen=True):
    """A notification that was taken to be sent."""

    letter_id: str
    subscription: str
    tries: int
    created_at: datetime


_FREE = "(s.rests_until IS NULL OR s.rests_until <= :now)"
_wanted = Query(
    bool,
    f"SELECT EXISTS (SELECT 1 FROM subscription s WHERE s.player_id = :player_id AND {_FREE}) AS wanted",  # noqa: S608
)
_ask = Command(
    f"""INSERT INTO push (letter_id, subscription, status, tries, created_at, due_at)
        SELECT :letter_id, s.hash, 'waiting', 0, :now, :now FROM subscription s
        WHERE s.player_id = :player_id AND {_FREE}
        ON CONFLICT (letter_id, subscription) DO NOTHING"""  # noqa: S608 - constants
)
_asked = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM push WHERE letter_id = :letter_id AND status <> 'failed') AS asked""",
)
_due = Query(
    Push,
    """SELECT letter_id, subscription, tries, created_at FROM push
       WHERE status = 'waiting' AND due_at <= :now ORDER BY due_at LIMIT :most""",
)
_take = Query(
    Push,
    """UPDATE push SET status = 'taken', tries = tries + 1
       WHERE letter_id = :letter_id AND subscription = :subscription AND status = 'waiting' AND due_at <= :now
       RETURNING letter_id, subscription, tries, created_at""",
)
_settle = Command(
    """UPDATE push SET status = :status
       WHERE letter_id = :letter_id AND subscription = :subscription AND status = 'taken'"""
)
_again = Command(
    """UPDATE push SET status = 'waiting', due_at = :at
       WHERE letter_id = :letter_id AND subscription = :subscription AND status = 'taken'"""
)
_forget = Command(
    """DELETE FROM push WHERE (letter_id, subscription) IN
           (SELECT letter_id, subscription FROM push WHERE created_at <= :before
            ORDER BY created_at LIMIT :most)"""
)


def wanted(connection: Connection, now: datetime, letter: LetterRow) -> bool:
    """Whether the player of a turn's letter has browsers to be notified, and the letter is young."""
    return now < letter.created_at + YOUNG and _wanted.one(connection, player_id=letter.player_id, now=now)


def ask(connection: Connection, now: datetime, letter: LetterRow) -> int:
    """Ask for a notification of each of the player's browsers; returns how many are new."""
    return _ask.run(connection, letter_id=letter.id, player_id=letter.player_id, now=now)


def asked(connection: Connection, letter_id: str) -> bool:
    """Whether a browser was notified of a letter's turn, or will be."""
    return _asked.one(connection, letter_id=letter_id)


def due(connection: Connection, now: datetime, most: int) -> list[Push]:
    """Those that can be taken now, the longest waiting first."""
    return _due.all(connection, now=now, most=most)


def take(connection: Connection, now: datetime, push: Push) -> Push | None:
    """Take it, to send it. None: another worker has."""
    return _take.first(connection, push, now=now)


def settle(connection: Connection, push: Push, status: str) -> None:
    """Keep what became of it: sent, failed, over."""
    _settle.run(connection, push, status=status)


def again(connection: Connection, now: datetime, push: Push) -> bool:
    """Try it again soon; it is certain that nothing arrived. False: it was tried often, or is late."""
    if push.tries >= MOST_TRIES or now + RETRY > push.created_at + YOUNG:
        return False
    return _again.run(connection, push, at=now + RETRY) == 1


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete those that were asked for before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)
