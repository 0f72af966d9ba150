"""Letters that are due go out: each is held by one worker, written, sent and marked.

A worker that dies in between holds a letter until its lease ends; then another sends it again, under the same
Message-ID. So a letter may come twice, and never not at all.
"""

import logging
import random
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

from sqlalchemy import or_, select, update
from sqlmodel import col

from app import clock
from app.mail import smtp
from app.mail.compose import compose
from app.mail.letter import Composed, Dropped
from app.settings import Settings
from app.store.session import Store
from app.store.tables import Chair, Letter

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""Longer than a mail server may keep us waiting in all."""
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP = timedelta(days=4)
SECOND_TRY = timedelta(minutes=30)
"""For a letter that was perhaps taken."""
BUSY = timedelta(seconds=5)
"""For which one round goes on, so that what else a worker has to do waits no longer."""
BUNDLE = 40
"""Letters that a round looks for at a time."""
LOST = "lost"
"""The reason of a waiting letter that was perhaps taken."""

Send = Callable[[str, str, str, EmailMessage], None]


def due(store: Store, most: int = BUNDLE) -> list[str]:
    """The ids of letters to send now, those that wait longest first."""
    now = clock.now()
    with store.reading() as connection:
        waiting = (
            select(col(Letter.id))
            .where(col(Letter.status) == "waiting", col(Letter.due_at) <= now)
            .where(or_(col(Letter.held_until).is_(None), col(Letter.held_until) < now))
            .order_by(col(Letter.due_at))
            .limit(most)
        )
        return list(connection.execute(waiting).scalars())


def go_round(store: Store, settings: Settings, send: Send = smtp.send) -> bool:
    """Send what is due until nothing is, or the round has lasted for BUSY; whether letters are left.

    Several may go round at once: each takes the letters in an order of its own, so that they seldom reach for
    the same one.
    """
    end = clock.now() + BUSY
    while bundle := due(store):
        random.shuffle(bundle)
        for letter_id in bundle:
            if clock.now() >= end:
                return True
            deliver(store, settings, letter_id, send)
    return False


def deliver(store: Store, settings: Settings, letter_id: str, send: Send = smtp.send) -> str:
    """Send one letter if it is due and nobody else has it. Returns what became of it.

    That is the letter's status now (`waiting`: another time), or `held` where it was not ours to send.
    """
    tries = _hold(store, letter_id)
    if tries is None:
        return "held"
    try:
        written = compose(store, settings, letter_id)
    except Exception:  # one bad letter must stop neither the others nor be tried every half minute
        log.exception("letter %s cannot be written", letter_id)
        return _later(store, letter_id, tries, "unwritable")
    if isinstance(written, Dropped):
        return _drop(store, letter_id, written.reason)
    try:
        send(settings.smtp_url, written.sender, written.recipient, written.message)
    except smtp.TryLater as error:
        log.warning("letter %s waits: %s", letter_id, error)
        return _later(store, letter_id, tries, error.word)
    except smtp.Refused as error:
        log.error("letter %s was refused: %s", letter_id, error)  # noqa: TRY400 - no need of a traceback
        return _mark(store, letter_id, status="failed", reason=error.word)
    except smtp.Lost as error:
        log.warning("letter %s was perhaps sent: %s", letter_id, error)
        return _perhaps(store, letter_id)
    except Exception:  # as above; whatever it was, the letter was not handed over
        log.exception("letter %s cannot be sent", letter_id)
        return _later(store, letter_id, tries, "unsendable")
    return _sent(store, letter_id, written)


def _hold(store: Store, letter_id: str) -> int | None:
    """Take the letter for the length of a lease; which try this is, or None where it is not to be had."""
    now = clock.now()
    with store.transaction() as connection:
        held = connection.execute(
            update(Letter)
            .where(col(Letter.id) == letter_id, col(Letter.status) == "waiting", col(Letter.due_at) <= now)
            .where(or_(col(Letter.held_until).is_(None), col(Letter.held_until) < now))
            .values(held_until=now + LEASE, tries=Letter.tries + 1)
            .returning(col(Letter.tries))
        )
        return held.scalar()


def _mark(store: Store, letter_id: str, **values: object) -> str:
    """Write what became of the letter, unless that is settled already; returns its status."""
    with store.transaction() as connection:
        connection.execute(
            update(Letter)
            .where(col(Letter.id) == letter_id, col(Letter.status) == "waiting")
            .values(held_until=None, **values)
        )
    return str(values.get("status", "waiting"))


def _sent(store: Store, letter_id: str, written: Composed) -> str:
    to = {"to_ply": written.to_ply, "to_notice": written.to_notice}
    with store.transaction() as connection:
        row = connection.execute(
            update(Letter)
            .where(col(Letter.id) == letter_id)
            .values(status="sent", reason="", held_until=None, sent_at=clock.now(), **to)
            .returning(col(Letter.match_id), col(Letter.seat), col(Letter.player_id))
        ).one()
        for heard, told in ((Chair.heard_ply, written.to_ply), (Chair.heard_notice, written.to_notice)):
            if told is not None:
                connection.execute(
                    update(Chair)
                    .where(col(Chair.match_id) == row.match_id, col(Chair.player_id) == row.player_id)
                    .where(col(Chair.until).is_(None), col(heard) < told)
                    .values({col(heard): told})
                )
    return "sent"


def _later(store: Store, letter_id: str, tries: int, reason: str) -> str:
    """Wait twice as long as the last time; after days of that, give up."""
    now = clock.now()
    with store.reading() as connection:
        row = connection.execute(
            select(col(Letter.created_at), col(Letter.reason)).where(col(Letter.id) == letter_id)
        ).one()
    if now - row.created_at >= GIVE_UP:
        return _mark(store, letter_id, status="failed", reason=reason)
    wait = min(timedelta(minutes=2 ** min(tries - 1, 10)), LONGEST_WAIT)
    return _mark(store, letter_id, due_at=now + wait, reason=LOST if row.reason == LOST else reason)


def _perhaps(store: Store, letter_id: str) -> str:
    """One more try in half an hour, if the letter is still true by then; then it stays uncertain."""
    if _reason(store, letter_id) == LOST:
        return _mark(store, letter_id, status="unknown", reason=LOST)
    return _mark(store, letter_id, due_at=clock.now() + SECOND_TRY, reason=LOST)


def _drop(store: Store, letter_id: str, reason: str) -> str:
    if _reason(store, letter_id) == LOST:  # it was perhaps sent, and the reader may wonder
        return _mark(store, letter_id, status="unknown", reason=LOST)
    return _mark(store, letter_id, status="dropped", reason=reason)


def _reason(store: Store, letter_id: str) -> str:
    with store.reading() as connection:
        return str(connection.execute(select(col(Letter.reason)).where(col(Letter.id) == letter_id)).scalar())
