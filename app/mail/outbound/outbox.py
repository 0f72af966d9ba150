"""What becomes of the rows of the outbox: held, put off, sent, dropped, failed, or nobody knows."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update
from sqlmodel import col

from app import clock
from app.mail.core.letter import Composed, Reached
from app.play.deadlines import timeouts
from app.store.session import Store
from app.store.tables import Chair, Letter, Question

LEASE = timedelta(minutes=5)
"""Longer than a mail server may keep us waiting in all."""
LONGEST_WAIT = timedelta(hours=1)
GIVE_UP = timedelta(days=4)
SECOND_TRY = timedelta(minutes=30)
"""For a letter that was perhaps taken."""
SOON = timedelta(minutes=10)
"""Who is asked so late by fault of the mail server loses no time by it worth speaking of."""
GIVEN_UP = "given_up"
"""The reason of a letter that the mail system did not take for so long."""
LOST = "lost"
"""The reason of a waiting letter that was perhaps taken."""


def hold(store: Store, letter_id: str) -> int | None:
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


def mark(store: Store, letter_id: str, **values: object) -> str:
    """Write what became of the letter, unless that is settled already; returns its status."""
    with store.transaction() as connection:
        return mark_in(connection, letter_id, **values)


def mark_in(connection: Connection, letter_id: str, **values: object) -> str:
    """As `mark`, within a transaction."""
    connection.execute(
        update(Letter)
        .where(col(Letter.id) == letter_id, col(Letter.status) == "waiting")
        .values(held_until=None, **values)
    )
    return str(values.get("status", "waiting"))


def put_off(connection: Connection, letter_id: str, until: datetime, reason: str) -> str:
    """Have it judged again then; it counts as no try."""
    return mark_in(connection, letter_id, due_at=until, reason=reason, tries=Letter.tries - 1)


def sent(store: Store, letter_id: str, written: Composed) -> str:
    """It went out, and its reader has heard what it tells; so have those in whose place it goes."""
    with store.transaction() as connection:
        row = connection.execute(
            update(Letter)
            .where(col(Letter.id) == letter_id)
            .values(
                status="sent",
                reason="",
                held_until=None,
                sent_at=clock.now(),
                sent_to=written.address_key,
                to_ply=written.to_ply,
                to_notice=written.to_notice,
            )
            .returning(
                col(Letter.match_id),
                col(Letter.player_id),
                col(Letter.seat),
                col(Letter.kind),
                col(Letter.run),
                col(Letter.tries),
            )
        ).one()
        if row.kind == "asked" and held_up(row.tries) > SOON:
            timeouts.asked_late(connection, row.match_id, row.seat, row.run, held_up(row.tries))
        for one in (*written.reached, Reached(row.match_id, written.to_ply, written.to_notice)):
            _heard(connection, row.player_id, one)
        _gather(connection, written.gathered)
    return "sent"


def _heard(connection: Connection, player_id: int | None, reached: Reached) -> None:
    for heard, told in ((Chair.heard_ply, reached.ply), (Chair.heard_notice, reached.notice)):
        if told is not None:
            connection.execute(
                update(Chair)
                .where(col(Chair.match_id) == reached.match_id, col(Chair.player_id) == player_id)
                .where(col(Chair.until).is_(None), col(heard) < told)
                .values({col(heard): told})
            )


def held_up(tries: int) -> timedelta:
    """For how long a letter that goes out at this try had to wait for the mail server."""
    return sum((_wait(one) for one in range(1, tries)), timedelta())


def _wait(tries: int) -> timedelta:
    return min(timedelta(minutes=2 ** min(tries - 1, 10)), LONGEST_WAIT)


def later(store: Store, letter_id: str, tries: int, reason: str) -> str:
    """Wait twice as long as the last time; after days of that, give up."""
    now = clock.now()
    with store.reading() as connection:
        row = connection.execute(
            select(col(Letter.created_at), col(Letter.reason)).where(col(Letter.id) == letter_id)
        ).one()
    if now - row.created_at >= GIVE_UP:
        return mark(store, letter_id, status="failed", reason=GIVEN_UP)
    return mark(store, letter_id, due_at=now + _wait(tries), reason=LOST if row.reason == LOST else reason)


def perhaps(store: Store, letter_id: str) -> str:
    """One more try in half an hour, if the letter is still true by then; then it stays uncertain."""
    if _is_lost(store, letter_id):
        return mark(store, letter_id, status="unknown", reason=LOST)
    return mark(store, letter_id, due_at=clock.now() + SECOND_TRY, reason=LOST)


def drop(store: Store, letter_id: str, reason: str, gathered: tuple[str, ...] = ()) -> str:
    """It is no longer true, nor are those in whose place it would have gone."""
    if _is_lost(store, letter_id):  # it was perhaps sent, and the reader may wonder
        return mark(store, letter_id, status="unknown", reason=LOST)
    with store.transaction() as connection:
        _gather(connection, gathered)
        return mark_in(connection, letter_id, status="dropped", reason=reason)


def reason_of(connection: Connection, letter_id: str) -> str:
    """The reason that stands in the row."""
    return str(connection.execute(select(col(Letter.reason)).where(col(Letter.id) == letter_id)).scalar())


def _gather(connection: Connection, letters: tuple[str, ...]) -> None:
    if letters:
        connection.execute(
            update(Letter)
            .where(col(Letter.id).in_(letters), col(Letter.status) == "waiting")
            .values(status="dropped", reason="digested", held_until=None)
        )
        acted = (
            select(col(Question.id))
            .where(col(Question.match_id) == col(Letter.match_id), col(Question.seat) == col(Letter.seat))
            .where(col(Question.run) == col(Letter.run), col(Question.answer).is_not(None))
        )
        connection.execute(  # of these it tells nothing
            update(Letter)
            .where(col(Letter.id).in_(letters), col(Letter.kind) == "asked")
            .where(col(Letter.status) == "dropped", col(Letter.reason) == "digested", acted.exists())
            .values(reason="answered")
        )


def _is_lost(store: Store, letter_id: str) -> bool:
    with store.reading() as connection:
        return reason_of(connection, letter_id) == LOST
