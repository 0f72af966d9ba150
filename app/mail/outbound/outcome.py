"""The outcome of an attempt to deliver a letter: sent, put off, dropped, failed, or unknown."""

import logging
import threading
from datetime import datetime, timedelta

import msgspec

from app import clock, metrics
from app.mail.bounces import address
from app.mail.bounces.refusals import About
from app.mail.core import outbox, relay
from app.mail.core.letter import Composed, Dropped, LetterRow
from app.people import reach
from app.play.deadlines import timeouts
from app.play.match import chairs
from app.play.views import letter_facts
from app.store import tokens
from app.store.connection import Connection
from app.store.session import Store

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""How long a worker holds a letter: twice as long as a hand-over can last, so that it can be recorded."""
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP = timedelta(days=4)
SECOND_TRY = timedelta(minutes=30)
"""Before a letter is tried again that the mail server may have taken."""
REFUSED_WAITS = (timedelta(hours=1), timedelta(hours=6))
"""Before a letter is tried again that was refused because of us: lists forget, a day ends."""
SOON = timedelta(minutes=10)
"""A player who is asked no later than this because of the mail server gets no time added."""
GIVEN_UP = "given_up"
"""The reason of a letter that the mail server has refused to take for GIVE_UP."""
FULL = "mailbox_full"
REASONS = {About.US: "refused_us", About.FULL: FULL}
"""Words for the player's page. Other refusals keep the mail server module's."""
MARKING = (0.2, 0.5, 1.0, 2.0, 4.0, *[8.0] * 40)
"""Seconds between tries to record that a letter was taken; the lease ends them."""

pause = threading.Event().wait
"""Waits for so many seconds."""


class Unrecorded(Exception):  # noqa: N818 - what became of the letter
    """It was not sent, because the database could not be told that it would be."""


class Taken(msgspec.Struct, frozen=True):
    """A letter that the mail server has taken, for the record."""

    letter: LetterRow
    composed: Composed
    at: datetime


_unmarked: dict[str, Taken] = {}
"""Letters of this process that were taken while no database could be told, until one can."""


class Progress:
    """Records each step of a hand-over while it lasts."""

    def __init__(self, store: Store, letter: LetterRow, composed: Composed, until: datetime) -> None:
        self._store, self._letter, self._composed, self._until = store, letter, composed, until

    def begins(self) -> None:
        """From now on the mail server may take it, and its links act. Raises Unrecorded."""
        try:
            with self._store.statements() as connection:
                mine = outbox.begin(connection, self._letter.id, clock.now(), self._until)
                tokens.keep(connection, self._composed.tokens if mine else ())
        except Exception as error:
            raise Unrecorded(type(error).__name__) from error
        if not mine:
            raise Unrecorded("the lease is over")

    def taken(self) -> None:
        """The mail server has it. Never raises."""
        taken = Taken(self._letter, self._composed, clock.now())
        for seconds in MARKING:
            if _mark(self._store, taken):
                return
            if clock.now() + timedelta(seconds=seconds) >= self._until:
                break
            pause(seconds)
        log.error("letter %s went out, and no database can be told", self._letter.id)
        _unmarked[self._letter.id] = taken


def mark_what_is_left(store: Store) -> None:
    """Record the letters that were taken while no database could be told."""
    for letter_id, taken in list(_unmarked.items()):
        if not _mark(store, taken):
            return
        _unmarked.pop(letter_id, None)


def _mark(store: Store, taken: Taken) -> bool:
    try:
        sent(store, taken.letter, taken.composed, taken.at)
    except store.away as error:
        log.warning("letter %s went out, to be recorded: %s", taken.letter.id, type(error).__name__)
        return False
    except Exception:  # what follows from it is broken: that it went out must be kept all the same
        log.exception("letter %s went out, and not all that follows can be recorded", taken.letter.id)
        try:
            with store.statements() as connection:
                _mark_sent(connection, taken.letter, taken.composed, taken.at)
        except store.away:
            return False
    return True


def claim(store: Store, letter_id: str) -> tuple[LetterRow | None, datetime]:
    """Hold the letter until the end of a lease. None: it isn't due, or another worker holds it."""
    now = clock.now()
    with store.statements() as connection:
        return outbox.claim(connection, letter_id, now, now + LEASE), now + LEASE


def sent(store: Store, letter: LetterRow, composed: Composed, at: datetime) -> None:
    """Record that it went out, how far its reader has heard, and the letters that it replaces."""
    metrics.count("letters", letter.kind, "sent")
    metrics.lasted("letter_seconds", (at - letter.due_at).total_seconds())
    with store.statements() as connection:
        _mark_sent(connection, letter, composed, at)
        relay.took(connection, at)
        reach.taken(connection, composed.address_key, at)
        delay = timedelta() if letter.stuck_since is None else at - letter.stuck_since
        if letter.kind == "asked" and delay > SOON:
            turn = letter.seat_turn
            timeouts.asked_late(connection, turn.match_id, turn.seat, turn.turn, delay)
        if letter.player_id is not None:
            if letter.match_id is not None:
                chairs.hear(
                    connection, letter.match_id, letter.player_id, composed.to_ply, composed.to_notice
                )
            for one in composed.reached:
                chairs.hear(connection, one.match_id, letter.player_id, one.ply, one.notice)
        _digest(connection, composed.gathered)


def refused(store: Store, letter: LetterRow, composed: Composed, word: str, about: About, said: str) -> str:
    """Record a refusal that is about its address, about us or about the letter, and what follows from it.

    A full mailbox is tried again until GIVE_UP; a refusal of us, or for now under a permanent code, as
    REFUSED_WAITS say; others are final.
    """
    now = clock.now()
    with store.statements() as connection:
        address.refused(connection, composed.address_key, letter.id, about, said, now)
        if about in (About.US, About.POLICY):
            relay.said(connection, now, about, said)
    if about is About.FULL and now - letter.created_at < GIVE_UP:
        return _retry(store, letter, now + _wait(letter.tries), FULL, ours=False)
    if about in (About.US, About.LATER) and letter.tries <= len(REFUSED_WAITS):
        return _retry(store, letter, now + REFUSED_WAITS[letter.tries - 1], REASONS.get(about, word))
    return failed(store, letter, REASONS.get(about, word), ours=about not in (About.PERSON, About.FULL))


def failed(store: Store, letter: LetterRow, reason: str, *, ours: bool) -> str:
    """Record that it will never be delivered. One that the mail server may have taken stays unknown."""
    if _lost(letter):
        return _settle(store, letter, "unknown", outbox.LOST)
    return _settle(store, letter, "failed", reason, ours=ours)


def later(store: Store, letter: LetterRow, reason: str) -> str:
    """Try again after twice the last wait; give up after GIVE_UP."""
    now = clock.now()
    if now - letter.created_at >= GIVE_UP:
        return failed(store, letter, GIVEN_UP, ours=True)
    return _retry(store, letter, now + _wait(letter.tries), reason)


def stuck(store: Store, letter: LetterRow) -> str:
    """Only the mail server keeps it back, which is left alone now."""
    with store.statements() as connection:
        outbox.stuck(connection, letter.id, clock.now())
    return "waiting"


def perhaps_sent(store: Store, letter: LetterRow) -> str:
    """Try once more after SECOND_TRY if it is still true by then; after that its outcome stays unknown."""
    if _lost(letter):
        return _settle(store, letter, "unknown", outbox.LOST)
    return _retry(store, letter, clock.now() + SECOND_TRY, outbox.LOST)


def dropped(store: Store, letter: LetterRow, why: Dropped) -> str:
    """Record that it is no longer true, nor are the letters that it would have replaced.

    One that the mail server may have taken becomes unknown: its reader may have it and wonder.
    """
    if _lost(letter):
        return _settle(store, letter, "unknown", outbox.LOST)
    with store.statements() as connection:
        _digest(connection, why.gathered)
        outbox.settle(connection, letter.id, "dropped", why.reason, clock.now())
    metrics.count("letters", letter.kind, "dropped")
    return "dropped"


def _mark_sent(connection: Connection, letter: LetterRow, composed: Composed, at: datetime) -> None:
    outbox.mark_sent(connection, letter.id, at, composed.address_key, composed.to_ply, composed.to_notice)


def _wait(tries: int) -> timedelta:
    return min(timedelta(minutes=2 ** min(max(tries, 1) - 1, 10)), LONGEST_WAIT)


def _lost(letter: LetterRow) -> bool:
    return letter.reason in (outbox.LOST, outbox.LOST_TWICE)


def _settle(store: Store, letter: LetterRow, status: str, reason: str, *, ours: bool = False) -> str:
    with store.statements() as connection:
        outbox.settle(connection, letter.id, status, reason, clock.now(), ours=ours)
    metrics.count("letters", letter.kind, status)
    return status


def _retry(store: Store, letter: LetterRow, at: datetime, reason: str, *, ours: bool = True) -> str:
    if _lost(letter):
        reason = outbox.LOST
    with store.statements() as connection:
        outbox.retry(connection, letter.id, at, reason, clock.now(), ours=ours)
    metrics.count("letters", letter.kind, "retried")
    return "waiting"


def _digest(connection: Connection, letter_ids: tuple[str, ...]) -> None:
    for letter_id in letter_ids:
        row = outbox.letter(connection, letter_id)
        if row is not None:
            outbox.mark_digested(connection, letter_id, answered=_is_answered(connection, row))


def _is_answered(connection: Connection, letter: LetterRow) -> bool:
    return letter.kind == "asked" and letter_facts.turn_state(connection, letter.seat_turn).answered
