"""Transactions commit or leave nothing; the workers are woken after a commit only."""

from datetime import UTC, datetime

import pytest

from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store, wake_after_commit
from app.store.sql import Command, Query
from app.store.tables import Heartbeat
from tests.rows import rows_of

NOW = datetime(2026, 3, 2, 9, 30, 15, 123456, tzinfo=UTC)
LETTER = LetterRequest(kind="sign_in", once="sign_in:1:now")
COUNT = Query(int, "SELECT count(*) AS n FROM letter WHERE status = 'waiting'")


@pytest.fixture(params=["transaction", "statements"])
def begin(request, store):
    """Both ways into a transaction."""
    return getattr(store, request.param)


def test_what_fails_leaves_nothing_and_does_not_ring(begin, store, rings):
    with pytest.raises(ZeroDivisionError), begin() as connection:  # noqa: PT012 - it fails at the end
        enqueue(connection, NOW, LETTER)
        raise ZeroDivisionError
    with store.reading() as connection:
        assert COUNT.one(connection) == 0
    assert rings == []


def test_the_same_letter_is_asked_for_once(begin, store, rings):
    with begin() as connection:
        assert enqueue(connection, NOW, LETTER) == 1
    with store.transaction() as connection:
        assert enqueue(connection, NOW, LETTER, LetterRequest(kind="sign_in", once="another")) == 1
        assert enqueue(connection, NOW) == 0
    with store.transaction() as connection:
        assert enqueue(connection, NOW, LETTER) == 0
    with store.reading() as connection:
        assert COUNT.one(connection) == 2
    assert len(rings) == 2


def test_a_broken_bell_does_not_undo_what_was_done(store_url, store):
    def broken():
        raise ConnectionError

    deaf = Store(store_url, wake=broken)
    with deaf.transaction() as connection:
        enqueue(connection, NOW, LETTER)
    deaf.engine.dispose()
    with store.reading() as connection:
        assert COUNT.one(connection) == 1


def test_a_transaction_does_not_ring_for_the_one_before(begin, store, rings):
    with pytest.raises(ZeroDivisionError), begin() as connection:  # noqa: PT012 - it fails at the end
        wake_after_commit(connection)
        raise ZeroDivisionError
    with store.transaction() as connection:
        COUNT.one(connection)
    assert rings == []


def test_moments_are_written_as_the_tables_say(store):
    with store.transaction() as connection:
        beat = Command("INSERT INTO heartbeat (name, at) VALUES (:name, :now)")
        beat.run(connection, name="one", now=NOW)
    with rows_of(store) as session:
        assert session.get(Heartbeat, "one").at == NOW


@pytest.mark.parametrize("way", ["reading", "looking"])
def test_who_reads_sees_one_moment_on_sqlite_and_leaves_nothing(store, way):
    with getattr(store, way)() as connection:
        assert COUNT.one(connection) == 0
        with store.transaction() as other:
            enqueue(other, NOW, LETTER)
        seen = COUNT.one(connection)
        assert seen == (0 if store.engine.dialect.name == "sqlite" else 1)
    with getattr(store, way)() as connection:
        assert COUNT.one(connection) == 1
    assert store.engine.pool.checkedout() == 0


def test_who_looks_and_fails_gives_the_connection_back(store):
    with pytest.raises(ZeroDivisionError), store.looking() as connection:  # noqa: PT012 - it fails at the end
        COUNT.one(connection)
        raise ZeroDivisionError
    assert store.engine.pool.checkedout() == 0
    with store.looking() as connection:
        assert COUNT.one(connection) == 0
