"""Delivery of letters that are due: one worker claims each, decides, composes it, sends it, records it.

A letter that its reader's settings hold back or stop is put off or dropped; the row says why. What becomes
of a letter is recorded the moment it is known: before its text is sent, that it may be taken from now on;
after the server's answer, that it was. If a worker dies between the two, its claim ends with the lease and
another sends the letter once more under the same Message-ID. So a letter may come twice, but is never lost.

A mail server that fails is left alone for a while: letters wait without being tried.
"""

import logging
import random
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from functools import partial

from app import clock
from app.mail.bounces.refusals import About, masked
from app.mail.core import outbox
from app.mail.core.letter import Composed, Dropped, LetterRow
from app.mail.hooks import asking
from app.mail.outbound import notify, outcome, server, signature, smtp
from app.mail.outbound.compose import compose
from app.mail.policy import strangers
from app.mail.policy.decide import decide, digest_of
from app.mail.policy.rules import QUIET, InDigest, Later, Never, Now, Verdict
from app.play.match.editions import waits_for_rules
from app.settings import Settings
from app.store.connection import Connection
from app.store.outbox import enqueue
from app.store.session import Store

log = logging.getLogger(__name__)

BUSY = timedelta(seconds=5)
"""The length of one round, so that the worker's other tasks don't wait longer."""
BUNDLE = 40
"""The number of letters that are looked up at a time."""

Send = Callable[[str, str, str, EmailMessage], None]
"""Another way to hand a letter over than to a mail server, for rehearsals."""


def due(store: Store, most: int = BUNDLE) -> list[str]:
    """The ids of letters to send now, the longest waiting first."""
    with store.looking() as connection:
        return outbox.due(connection, clock.now(), most)


def run_batch(store: Store, settings: Settings, send: Send | None = None) -> bool:
    """Send letters until none is due or the round has lasted for BUSY; returns whether any are left.

    Several workers can do so at once: each shuffles its letters, so that they seldom reach for the same one.
    While the mail server is left alone, letters are only decided about.
    """
    end = clock.now() + BUSY
    outcome.mark_what_is_left(store)
    with smtp.kept():
        while bundle := _bundle(store):
            random.shuffle(bundle)
            for letter_id in bundle:
                if clock.now() >= end:
                    return True
                deliver(store, settings, letter_id, send)
    return False


def _bundle(store: Store) -> list[str]:
    """The letters to look at: all that are due, or only those not known to be stuck."""
    with store.looking() as connection:
        now = clock.now()
        look = outbox.due_unstuck if server.rests(connection, now) else outbox.due
        return look(connection, now, BUNDLE)


def deliver(store: Store, settings: Settings, letter_id: str, send: Send | None = None) -> str:
    """Send one letter if it is due and no other worker holds it.

    Returns the letter's status (`waiting`: it will be tried again), or `held` if it could not be claimed.
    """
    letter, until = outcome.claim(store, letter_id)
    if letter is None:
        return "held"
    if letter.reason == outbox.LOST_TWICE:
        return outcome.perhaps_sent(store, letter)
    if letter.kind == "asked":
        notify.ask(store, letter)
    asking.ask(store, letter)
    if (held_back := _hold_back(store, settings, letter)) is not None:
        return held_back
    if server.is_resting(store):
        return outcome.stuck(store, letter)
    try:
        composed = compose(store, settings, letter)
    except Exception as error:  # one bad letter must not stop the others, nor be tried every half minute
        if waits_for_rules(letter.match_id or 0, error):
            return outcome.later(store, letter, "no_rules")
        log.exception("letter %s cannot be written", letter_id)
        return outcome.later(store, letter, "unwritable")
    if isinstance(composed, Dropped):
        return outcome.dropped(store, letter, composed)
    if not server.admits(store):
        return outcome.stuck(store, letter)
    progress = outcome.Progress(store, letter, composed, until)
    try:
        if send is None:
            smtp.send(
                settings.smtp_url,
                composed.sender,
                composed.recipient,
                composed.message,
                progress,
                sign=partial(signature.signed, settings),
            )
        else:
            progress.begins()
            send(settings.smtp_url, composed.sender, composed.recipient, composed.message)
            progress.taken()
    except smtp.Unsent as error:
        return _unsent(store, letter, composed, error)
    except smtp.Lost as error:
        log.warning("letter %s was perhaps sent: %s", letter_id, error)
        server.failed(store, "connection", str(error))
        return outcome.perhaps_sent(store, letter)
    except outcome.Unrecorded as error:
        log.warning("letter %s was not sent, because that could not be recorded: %s", letter_id, error)
        return "waiting"
    except Exception:  # the letter was not handed over
        log.exception("letter %s cannot be sent", letter_id)
        return outcome.later(store, letter, "unsendable")
    return "sent"


def _unsent(store: Store, letter: LetterRow, composed: Composed, error: smtp.Unsent) -> str:
    """Record what a refusal means for the letter, its address, and the letters after it."""
    about, words = error.about, masked(f"{error.code or ''} {error.text}")
    log.warning("letter %s was not taken (%s, %s): %s", letter.id, error.word, about, words)
    if error.concerns_all:
        server.failed(store, error.word, words)
        return outcome.later(store, letter, error.word)
    server.spoke(store)
    if isinstance(error, smtp.TryLater) and about is not About.FULL:
        return outcome.later(store, letter, error.word)
    return outcome.refused(store, letter, composed, error.word, about, words)


def _hold_back(store: Store, settings: Settings, letter: LetterRow) -> str | None:
    """The letter's status if its reader's settings, or a limit, keep it from going now; None: it goes.

    A letter that the mail server may have taken is not decided about again. What the mail catcher takes
    waits for no quiet minutes: it floods nobody, and people who try the server should not wait.
    """
    quiet = timedelta() if settings.caught else QUIET
    now = clock.now()
    with store.looking() as connection:
        if letter.reason == outbox.LOST:
            return None
        goes = isinstance(decide(connection, letter, now, quiet), Now)
        if goes and not strangers.counted(connection, letter):
            return None
    with store.statements() as connection:
        # Decided again: in here no other wish can come between the verdict and its record.
        verdict = decide(connection, letter, now, quiet)
        if isinstance(verdict, Now):
            verdict = strangers.verdict(connection, letter, now)
        if isinstance(verdict, Now):
            return None
        if (status := _record(connection, letter, verdict)) is not None:
            return status
        outbox.release(connection, letter)  # its row has changed since: look at it anew
    return "waiting"


def _record(connection: Connection, letter: LetterRow, verdict: Verdict) -> str | None:
    """The letter's new status; None: its row has changed since it was claimed, and nothing was recorded."""
    now = clock.now()
    if isinstance(verdict, Never):
        return "dropped" if outbox.refuse(connection, letter, verdict.reason) else None
    if isinstance(verdict, Later):
        return "waiting" if outbox.put_off(connection, letter, verdict.until, verdict.reason) else None
    assert isinstance(verdict, InDigest)
    if now < verdict.at:
        status, done = "waiting", outbox.put_off(connection, letter, verdict.at, "digest")
    else:
        status, done = "dropped", outbox.refuse(connection, letter, outbox.DIGESTED, verdict.at)
    if done:
        enqueue(connection, now, digest_of(verdict.player_id, verdict.at))
    return status if done else None
