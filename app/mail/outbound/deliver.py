"""Letters that are due go out: each is held by one worker, judged, written, sent and marked.

Where its reader wishes so it is put off, or not sent at all; the row says why. A worker that dies in between
holds a letter until its lease ends; then another sends it again, under the same Message-ID. So a letter may
come twice, and never not at all.
"""

import logging
import random
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

from sqlalchemy import or_, select
from sqlmodel import col

from app import clock
from app.mail.bounces import dsn
from app.mail.core.letter import Dropped
from app.mail.outbound import outbox as ledger
from app.mail.outbound import smtp
from app.mail.outbound.compose import compose
from app.mail.policy.decide import decide, digest_of
from app.mail.policy.rules import QUIET, InDigest, Later, Never, Now
from app.settings import Settings
from app.store.outbox import enqueue
from app.store.session import Store
from app.store.tables import Letter

log = logging.getLogger(__name__)

BUSY = timedelta(seconds=5)
"""For which one round goes on, so that what else a worker has to do waits no longer."""
BUNDLE = 40
"""Letters that a round looks for at a time."""

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


def run_batch(store: Store, settings: Settings, send: Send = smtp.send) -> bool:
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
    tries = ledger.hold(store, letter_id)
    if tries is None:
        return "held"
    if (put_away := _put_away(store, settings, letter_id)) is not None:
        return put_away
    try:
        written = compose(store, settings, letter_id)
    except Exception:  # one bad letter must stop neither the others nor be tried every half minute
        log.exception("letter %s cannot be written", letter_id)
        return ledger.later(store, letter_id, tries, "unwritable")
    if isinstance(written, Dropped):
        return ledger.drop(store, letter_id, written.reason, written.gathered)
    try:
        send(settings.smtp_url, written.sender, written.recipient, written.message)
    except smtp.TryLater as error:
        log.warning("letter %s waits: %s", letter_id, error)
        return ledger.later(store, letter_id, tries, error.word)
    except smtp.Refused as error:
        log.error("letter %s was refused: %s", letter_id, error)  # noqa: TRY400 - no need of a traceback
        if error.word == "address_refused" and dsn.nobody_there(error.code, error.text):
            with store.transaction() as connection:
                dsn.comes_back(connection, written.address_key, letter_id)
        return ledger.mark(store, letter_id, status="failed", reason=error.word)
    except smtp.Lost as error:
        log.warning("letter %s was perhaps sent: %s", letter_id, error)
        return ledger.perhaps(store, letter_id)
    except Exception:  # as above; whatever it was, the letter was not handed over
        log.exception("letter %s cannot be sent", letter_id)
        return ledger.later(store, letter_id, tries, "unsendable")
    return ledger.sent(store, letter_id, written)


def _put_away(store: Store, settings: Settings, letter_id: str) -> str | None:
    """The letter's status where its reader's wishes keep it from going now; None: it goes.

    What was perhaps sent is not judged again. What the catcher takes waits for no quiet minutes: nobody has
    to be kept from a flood, and whoever tries the service should not wait.
    """
    quiet = timedelta() if settings.caught else QUIET
    now = clock.now()
    with store.reading() as connection:
        lost = ledger.reason_of(connection, letter_id) == ledger.LOST
        if lost or isinstance(decide(connection, letter_id, now, quiet), Now):
            return None
    with store.transaction() as connection:  # again: here no other wish can come between word and deed
        verdict = decide(connection, letter_id, now, quiet)
        if isinstance(verdict, Never):
            return ledger.mark_in(connection, letter_id, status="dropped", reason=verdict.reason)
        if isinstance(verdict, Later):
            return ledger.put_off(connection, letter_id, verdict.until, verdict.reason)
        if isinstance(verdict, InDigest):
            enqueue(connection, now, digest_of(verdict.player_id, verdict.at))
            if now < verdict.at:
                return ledger.put_off(connection, letter_id, verdict.at, "digest")
            return ledger.mark_in(
                connection, letter_id, status="dropped", reason="digested", due_at=verdict.at
            )
    return None
