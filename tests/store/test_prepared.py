"""PostgreSQL plans a statement once for a connection, and isn't asked whether it is there before each."""

from datetime import UTC, datetime

import msgspec
import pytest

from app.store import patience, versions
from app.store.session import Store
from app.store.sql import Command, Query
from tests.round_trips import RoundTrips
from tests.servers import database_on

NOW = datetime(2026, 3, 2, 9, 30, 15, 123456, tzinfo=UTC)
ONE = Query(int, "SELECT 1 AS n")
MARK = "SELECT length(name) AS n FROM counter WHERE tries = :tries AND until > :until AND name <> :name"
MARKED = Query(int, MARK)
PLANNED = Query(int, f"SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE '{MARK[:30]}%'")
PID = Query(int, "SELECT pg_backend_pid() AS n")
END = Query(bool, "SELECT pg_terminate_backend(CAST(:pid AS int), 60000) AS ended")
WAYS = ("reading", "looking", "transaction", "statements")


@pytest.fixture
def store(postgres):
    """On PostgreSQL."""
    made = Store(database_on(postgres))
    yield made
    made.engine.dispose()


def ask(store, way, query=ONE, **values):
    if way == "outside":
        return query.fetch_outside_tx(store.engine, **values)[:1]
    with getattr(store, way)() as connection:
        return query.all(connection, **values)[:1]


@pytest.mark.parametrize("way", [*WAYS, "outside"])
def test_one_plan_serves_numbers_of_every_size_moments_and_nothing(postgres, way, monkeypatch):
    monkeypatch.setattr(versions, "EVERY", 0.0)  # the look at the tables must not end it either
    store = Store(database_on(postgres))
    for tries in (1, 1, 40_000, 3_000_000_000, -1):
        for until, name in ((NOW, "one"), (None, None)):
            assert ask(store, way, MARKED, tries=tries, until=until, name=name) == []
            for other in WAYS:
                ask(store, other)
    assert ask(store, "looking", PLANNED) == [1]
    store.engine.dispose()


class Kept(msgspec.Struct, frozen=True):
    number: int
    large: int
    share: float
    late: bool
    key: bytes
    at: datetime
    text: str
    never: int | None


@pytest.mark.parametrize(
    "kept",
    [
        Kept(0, 0, 0.0, False, b"", NOW, "", None),
        Kept(-32_769, -(2**63), -1.5e-300, True, b"\0\\x00'\xff", NOW.replace(microsecond=0), "a\\'%s", 7),
        Kept(2**31 - 1, 2**63 - 1, float("inf"), True, bytes(range(256)), NOW.replace(year=1), "é ☃", 0),
    ],
)
def test_values_come_back_as_they_were_written(store, kept):
    write = Command(
        """INSERT INTO kept (number, large, share, late, key, at, text, never)
           VALUES (:number, :large, :share, :late, :key, :at, :text, :never)"""
    )
    read = Query(Kept, "SELECT number, large, share, late, key, at, text, never FROM kept")
    found = Query(int, "SELECT count(*) AS n FROM kept WHERE large = :large AND late = :late AND key = :key")
    with store.statements() as connection:
        connection.connection.cursor().execute(
            """CREATE TEMPORARY TABLE kept (number int, large bigint, share float8, late bool, key bytea,
                                            at timestamptz, text text, never int)"""
        )
        for _ in range(3):
            assert write.run(connection, kept) == 1
            assert write.write(connection, [kept, kept]) == 2
        assert set(read.all(connection)) == {kept}
        assert found.one(connection, kept) == 9


@pytest.mark.parametrize(
    ("way", "trips"),
    [("looking", 1), ("outside", 1), ("reading", 1), ("statements", 3), ("transaction", 3)],
)
def test_a_statement_costs_no_more_messages_than_it_needs(store, way, trips):
    trips_made = RoundTrips(store)
    for _ in range(3):
        ask(store, way)
    assert trips_made.of(lambda: ask(store, way)) == trips


@pytest.mark.parametrize("way", [*WAYS, "outside"])
def test_a_connection_that_the_server_ended_is_replaced_before_it_is_used(store, way):
    with store.looking() as one, store.looking() as two:
        ended = PID.one(one)
        assert END.one(two, pid=ended)
    for _ in range(3):
        assert ask(store, way, PID) != [ended]


def test_a_connection_that_lay_idle_is_asked_first(store, monkeypatch):
    trips = RoundTrips(store)
    for _ in range(3):
        ask(store, "looking")
    monkeypatch.setattr(patience, "IDLE", -1.0)
    assert trips.of(lambda: ask(store, "looking")) == 2


def test_who_reads_and_fails_leaves_a_connection_that_writes(store):
    with pytest.raises(Exception, match="zero"), store.looking() as connection:
        Query(int, "SELECT 1 / 0 AS n").one(connection)
    with store.statements() as connection:
        assert Command("INSERT INTO counter VALUES ('a', 1, :now)").run(connection, now=NOW) == 1
        connection.connection.rollback()
    assert ask(store, "looking", Query(int, "SELECT tries FROM counter")) == []
