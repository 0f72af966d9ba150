"""Processing of incoming mail: each is claimed by one worker, read, carried out and answered once.

If a worker dies, its claim ends with the lease and another worker reads the mail again. The lines that were
carried out are known by the mail's key and are not repeated; the answer is enqueued once.
"""

import logging
import random
import traceback
from collections.abc import Callable, Mapping
from datetime import timedelta

from app import clock, metrics
from app.mail.bounces import dsn
from app.mail.core import inbound_address, inbox, signed_addresses
from app.mail.core.context import MailContext
from app.mail.core.inbox import Mail, Settled
from app.mail.inbound import replies
from app.mail.inbound.replies import Ignored, Outcome
from app.mail.policy import unsubscribe
from app.settings import Settings
from app.store.outbox import enqueue
from app.store.session import Store

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
TRIES = 5
"""After these a mail is left to the operator."""
BUSY = timedelta(seconds=5)
"""The length of one round."""
BUNDLE = 20


def waiting(store: Store, most: int = BUNDLE) -> list[str]:
    """The ids of mails to read now, the oldest first."""
    with store.reading() as connection:
        return inbox.waiting(connection, clock.now(), most)


def run_batch(store: Store, settings: Settings) -> bool:
    """Read mails until none waits or the round has lasted for BUSY; returns whether any are left."""
    end = clock.now() + BUSY
    while bundle := waiting(store):
        if len(bundle) == BUNDLE:
            random.shuffle(bundle)
        for mail_id in bundle:
            if clock.now() >= end:
                return True
            process(store, settings, mail_id)
    return False


def process(store: Store, settings: Settings, mail_id: str) -> str:
    """Read one mail; returns its status now, or `held` if it could not be claimed."""
    now = clock.now()
    with store.transaction() as connection:
        mail = inbox.claim(connection, mail_id, now, now + LEASE)
    if mail is None:
        return "held"
    try:
        outcome = READERS[mail.kind](MailContext(store, settings), mail)
    except Ignored as ignored:
        outcome = Outcome(Settled(status="dropped", reason=ignored.reason))
    except Exception:  # one bad mail must not stop the others, nor be tried for ever
        log.exception("mail %s cannot be read", mail.id)
        error = traceback.format_exc(limit=-8)
        if mail.tries >= TRIES:
            outcome = replies.given_up(MailContext(store, settings), mail, error)
        else:
            outcome = Outcome(Settled(status="waiting", error=error, held_until=clock.now() + LEASE))
    return _settle(store, mail, outcome)


def _settle(store: Store, mail: Mail, outcome: Outcome) -> str:
    """Record the result and enqueue the answer, unless another worker has settled the mail."""
    now = clock.now()
    with store.transaction() as connection:
        if inbox.settle(connection, now, mail.id, outcome.settled) and outcome.answer is not None:
            enqueue(connection, now, outcome.answer)
    metrics.count("replies", outcome.settled.reason.partition(":")[0] or outcome.settled.status)
    return outcome.settled.status


def _bounce(mailer: MailContext, mail: Mail) -> Outcome:
    """A letter of ours that came back, or an automatic answer to its sender."""
    result = dsn.bounced(mailer.store, mailer.settings, _local_part(mailer, mail), mail.raw)
    if result != "bounced":
        raise Ignored(result)
    return Outcome(Settled(status="read", reason=result))


def _unsubscribe(mailer: MailContext, mail: Mail) -> Outcome:
    """A mail that stops letters like the one whose address it came to."""
    if not unsubscribe.unsubscribe_by_mail(mailer.store, mailer.settings, _local_part(mailer, mail)):
        raise Ignored("unknown")
    return Outcome(Settled(status="read", reason="left"))


def _probe(_mailer: MailContext, _mail: Mail) -> Outcome:
    """A mail of ours that tests the way by which mail comes in."""
    return Outcome(Settled(status="read", reason="probe"))


def _local_part(mailer: MailContext, mail: Mail) -> str:
    """The local part of the mail's address here, which is not stored."""
    mark = inbound_address.MARKS[mail.kind]
    return f"{mark}+{signed_addresses.signed(mailer.settings, mark, mail.letter_id or '')}"


READERS: Mapping[str, Callable[[MailContext, Mail], Outcome]] = {
    inbound_address.REPLY: replies.read_reply,
    inbound_address.BOUNCE: _bounce,
    inbound_address.LEAVE: _unsubscribe,
    inbound_address.PROBE: _probe,
}
"""By the purpose of the address."""
