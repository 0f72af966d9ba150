"""A database that is away is waited for with an end, and told from one that is asked wrongly."""

import sqlite3

import psycopg
import pytest
from sqlalchemy import exc, text

from app.store import migrate
from app.store.patience import is_away
from app.store.session import Store
from app.store.sql import Query
from tests.gate import Gate
from tests.servers import database_in, fresh_database, until

ONE = Query(int, "SELECT 1 AS n")
SLEEP = Query(str, "SELECT pg_sleep(60)::text AS n")


@pytest.fixture
def gate(postgres):
    with Gate(fresh_database(postgres)) as made:
        yield made


@pytest.fixture
def behind(gate):
    store = Store(gate.address, patience=0.2)
    yield store
    store.engine.dispose()


def ask(store, way):
    if way == "reading":
        with store.reading() as connection:
            return ONE.one(connection)
    if way == "transaction":
        with store.transaction() as connection:
            return ONE.one(connection)
    if way in ("statements", "looking"):
        with getattr(store, way)() as lent:
            return ONE.one(lent)
    return ONE.fetch_outside_tx(store.engine)[0]


def answers(store, way):
    try:
        return ask(store, way) == 1
    except (psycopg.OperationalError, exc.OperationalError):
        return False


WAYS = ["reading", "transaction", "statements", "looking", "outside"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "before", "way"),
    [
        *(("shut", before, way) for before in (True, False) for way in WAYS),
        *(("hang", True, way) for way in WAYS),
        ("hang", False, "outside"),
    ],
)
def test_a_server_that_is_away_ends_the_wait_and_comes_back(gate, behind, way, before, what):
    """Without an end this test would never come back from a server that hangs."""
    if before:
        assert ask(behind, way) == 1
    getattr(gate, what)()
    for _ in range(3):
        with pytest.raises(Exception) as caught:  # noqa: PT011 - of the driver or of SQLAlchemy
            ask(behind, way)
        assert is_away(caught.value)
    gate.shut()
    gate.open()
    until(lambda: answers(behind, way), "the database again")


def test_a_statement_that_takes_too_long_is_ended(behind):
    with pytest.raises(psycopg.errors.QueryCanceled) as caught, behind.reading() as connection:
        SLEEP.one(connection)
    assert is_away(caught.value)


def test_a_row_that_stays_locked_is_not_waited_for_without_end(gate, behind):
    with psycopg.connect(gate.address, autocommit=True) as other:
        other.execute("CREATE TABLE t (n int)")
        other.execute("BEGIN")
        other.execute("LOCK t")
        with pytest.raises(exc.OperationalError) as caught, behind.transaction() as connection:
            connection.execute(text("SELECT * FROM t"))
        other.execute("ROLLBACK")
    assert is_away(caught.value)


def test_a_locked_file_is_not_waited_for_without_end(tmp_path):
    store_url = database_in(tmp_path)
    holder = sqlite3.connect(store_url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = Store(store_url, patience=0.05)
    with pytest.raises(sqlite3.OperationalError) as caught, store.transaction():
        pass
    assert is_away(caught.value)
    holder.execute("ROLLBACK")
    holder.close()
    with store.transaction() as connection:
        assert ONE.one(connection) == 1
    store.engine.dispose()


def test_a_full_disk_is_away(tmp_path):
    store = Store(database_in(tmp_path))
    with pytest.raises(sqlite3.OperationalError) as caught, store.statements() as lent:  # noqa: PT012
        cursor = lent.connection.cursor()
        pages = cursor.execute("PRAGMA page_count").fetchall()[0][0]
        cursor.execute(f"PRAGMA max_page_count={pages}")
        cursor.execute("INSERT INTO counter VALUES (?, 1, '')", ("x" * 10_000_000,))
    assert "full" in str(caught.value)
    assert is_away(caught.value)
    store.engine.dispose()


@pytest.mark.parametrize("statement", ["SELECT * FROM nowhere", "SELEC 1", "SELECT 1/0 FROM nothing"])
def test_a_wrong_statement_is_not_away(each_store_url, statement):
    store = Store(each_store_url)
    with pytest.raises(exc.DBAPIError) as caught, store.reading() as connection:
        connection.execute(text(statement))
    assert not is_away(caught.value)
    store.engine.dispose()


@pytest.mark.parametrize("error", [ValueError(), LookupError(), OSError(), None])
def test_other_errors_are_not_away(error):
    assert not is_away(error)


def test_what_led_to_an_error_counts():
    later = ValueError("later")
    later.__cause__ = psycopg.OperationalError("gone")
    assert is_away(later)


def test_it_is_known_whether_the_tables_are_those_of_this_version(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/new.db")
    assert not migrate.is_current(store)
    migrate.upgrade(f"sqlite:///{tmp_path}/new.db")
    assert migrate.is_current(store)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    assert not migrate.is_current(store)
    store.engine.dispose()
