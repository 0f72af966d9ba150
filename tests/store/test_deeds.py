"""A form acts once: its key is kept with what it does, and with nothing else."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from app.retention.sweep import sweep
from app.settings import Keep
from app.store import deeds
from app.store.deeds import AlreadyDone, Deed
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.sql import Query

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
LETTERS = Query(int, "SELECT count(*) AS n FROM letter")
KEYS = Query(str, "SELECT key FROM deed ORDER BY key")


@pytest.fixture(params=["transaction", "statements"])
def way(request) -> str:
    """Both ways into a transaction."""
    return request.param


def act(store, way, key, once):
    deed = Deed(store, key)
    with getattr(deed.store, way)() as connection:
        enqueue(connection, NOW, LetterRequest(kind="sign_in", once=once))
    return deed


def read(store, query):
    with store.reading() as connection:
        return query.all(connection)


def test_the_second_time_nothing_happens_and_the_result_is_told(store, way):
    act(store, way, "k", "one").settle("/there")
    with pytest.raises(AlreadyDone) as told:
        act(store, way, "k", "two")
    assert told.value.result == "/there"
    assert read(store, LETTERS) == [1]
    act(store, way, "another", "three")
    assert read(store, LETTERS) == [2]


def test_a_form_that_failed_may_be_sent_again(store, way):
    deed = Deed(store, "k")
    with pytest.raises(ZeroDivisionError), getattr(deed.store, way)():
        raise ZeroDivisionError
    assert not deed.done
    deed.settle("/nowhere")
    deed.release()
    assert read(store, KEYS) == []
    act(store, way, "k", "one")
    assert read(store, LETTERS) == [1]


def test_a_form_that_was_refused_after_all_may_be_sent_again(store, way):
    act(store, way, "k", "one").release()
    act(store, way, "k", "two")
    assert read(store, LETTERS) == [2]


def test_one_form_may_need_several_transactions(store, way):
    deed = act(store, way, "k", "one")
    with getattr(deed.store, way)() as connection:
        enqueue(connection, NOW, LetterRequest(kind="sign_in", once="two"))
    assert read(store, LETTERS) == [2]


def test_two_senders_at_the_same_moment_act_once(store, store_url, way):
    """Each has a database connection of its own, as two processes have."""
    stores = [Store(store_url) for _ in range(4)]

    def sent(n):
        try:
            act(stores[n % 4], way, "k", f"once {n}")
        except AlreadyDone:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(sent, range(16))) == 1
    for one in stores:
        one.engine.dispose()
    assert read(store, LETTERS) == [1]


def test_keys_are_forgotten_after_their_time(store, clock):
    act(store, "transaction", "old", "one")
    clock.advance(days=29)
    act(store, "transaction", "new", "two")
    sweep(store, Keep())
    assert read(store, KEYS) == ["new", "old"]
    clock.advance(days=2)
    sweep(store, Keep())
    assert read(store, KEYS) == ["new"]


def test_what_is_held_keeps_its_result(store, clock):
    with store.transaction() as connection:
        assert deeds.hold(connection, "k", clock.now()) == ""
        deeds.keep(connection, "k", "7")
    with store.transaction() as connection:
        assert deeds.hold(connection, "k", clock.now()) == "7"
