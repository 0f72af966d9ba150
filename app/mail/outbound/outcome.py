"""The outcome of an attempt to deliver a letter: sent, put off, dropped, failed, or unknown."""

from datetime import datetime, timedelta

from app import clock
from app.mail.core import outbox
from app.mail.core.letter import Composed, Dropped, LetterRow
from app.play.deadlines import timeouts
from app.play.match import chairs
from app.play.views import letter_facts
from app.store.connection import Connection
from app.store.session import Store

LEASE = timedelta(minutes=5)
"""How long a worker holds a letter: longer than a mail server can keep it waiting in all."""
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP = timedelta(days=4)
SECOND_TRY = timedelta(minutes=30)
"""Before a letter is tried again that the mail server may have taken."""
SOON = timedelta(minutes=10)
"""A player who is asked no later than this because of the mail server gets no time added."""
GIVEN_UP = "given_up"
"""The reason of a letter that the mail server has refused to take for GIVE_UP."""


def claim(store: Store, letter_id: str) -> LetterRow | None:
    """Hold the letter for the length of a lease. None: it isn't due, or another worker holds it."""
    now = clock.now()
    with store.transaction() as connection:
        return outbox.claim(connection, letter_id, now, now + LEASE)


def sent(store: Store, letter: LetterRow, composed: Composed) -> str:
    """Record that it went out, how far its reader has heard, and the letters that it replaces."""
    now, delay = clock.now(), held_up(letter.tries)
    with store.transaction() as connection:
        outbox.mark_sent(
            connection, letter.id, now, composed.address_key, composed.to_ply, composed.to_notice
        )
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
    return "sent"


def failed(store: Store, letter: LetterRow, reason: str) -> str:
    """Record that it will never be delivered."""
    return _settle(store, letter, "failed", reason)


def later(store: Store, letter: LetterRow, reason: str) -> str:
    """Try again after twice the last wait; give up after GIVE_UP."""
    now = clock.now()
    if now - letter.created_at >= GIVE_UP:
        return failed(store, letter, GIVEN_UP)
    return _retry(store, letter, now + _wait(letter.tries), outbox.LOST if _lost(letter) else reason)


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
    with store.transaction() as connection:
        _digest(connection, why.gathered)
        outbox.settle(connection, letter.id, "dropped", why.reason, clock.now())
    return "dropped"


def held_up(tries: int) -> timedelta:
    """How long a letter that goes out at this try has waited for the mail server."""
    return sum((_wait(one) for one in range(1, tries)), timedelta())


def _wait(tries: int) -> timedelta:
    return min(timedelta(minutes=2 ** min(tries - 1, 10)), LONGEST_WAIT)


def _lost(letter: LetterRow) -> bool:
    return letter.reason == outbox.LOST


def _settle(store: Store, letter: LetterRow, status: str, reason: str, *, ours: bool = False) -> str:
    with store.transaction() as connection:
        outbox.settle(connection, letter.id, status, reason, clock.now(), ours=ours)
    return status


def _retry(store: Store, letter: LetterRow, at: datetime, reason: str) -> str:
    with store.transaction() as connection:
        outbox.retry(connection, letter.id, at, reason, clock.now(), ours=True)
    return "waiting"


def _digest(connection: Connection, letter_ids: tuple[str, ...]) -> None:
    for letter_id in letter_ids:
        row = outbox.letter(connection, letter_id)
        if row is not None:
            outbox.mark_digested(connection, letter_id, answered=_is_answered(connection, row))


def _is_answered(connection: Connection, letter: LetterRow) -> bool:
    return letter.kind == "asked" and letter_facts.turn_state(connection, letter.seat_turn).answered
