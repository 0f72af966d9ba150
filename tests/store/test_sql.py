"""A statement takes values by name and returns records, the same from both databases."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from app.store import sql
from app.store.sql import Clash, Command, Query

NOW = datetime(2026, 3, 2, 9, 30, 15, 123456, tzinfo=UTC)
BEAT = Command("INSERT INTO heartbeat (name, at) VALUES (:name, :at)")


class Beat(msgspec.Struct, frozen=True):
    name: str
    at: datetime


class Span(msgspec.Struct, frozen=True):
    begins: datetime
    ends: datetime | None = None


class Mixed(msgspec.Struct, frozen=True):
    name: str
    late: bool
    never: datetime | None
    spans: tuple[Span, ...]
    facts: dict[str, int]
    key: bytes
    share: float | None


BEATS = Query(Beat, "SELECT name, at FROM heartbeat ORDER BY name")


@pytest.fixture(params=["transaction", "statements"])
def begin(request, store):
    """Both ways into a transaction."""
    return getattr(store, request.param)


def test_many_rows_are_written_by_one_statement(begin, monkeypatch):
    sent = []
    monkeypatch.setattr(sql, "watch", sent.append)
    with begin() as connection:
        assert BEAT.write(connection, [Beat("one", NOW), Beat("two", NOW)]) == 2
        assert BEAT.write(connection, []) == 0
        assert len(sent) == 1
        assert BEATS.all(connection) == [Beat("one", NOW), Beat("two", NOW)]


def test_moments_come_back_in_utc_to_the_microsecond(begin):
    elsewhere = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with begin() as connection:
        BEAT.run(connection, name="one", at=elsewhere)
        found = BEATS.one(connection)
        assert (found.at, found.at.tzinfo) == (NOW, UTC)
        assert Query(datetime, "SELECT at FROM heartbeat").one(connection) == NOW


def test_values_are_named_shared_or_attributes_of_a_record(begin):
    many = Command("INSERT INTO heartbeat (name, at) VALUES (:name, :now)")
    with begin() as connection:
        many.write(connection, [Beat("one", NOW), Beat("two", NOW)], now=NOW + timedelta(days=1))
        move = Command("UPDATE heartbeat SET at = :at WHERE name = :name")
        assert move.run(connection, Beat("one", NOW)) == 1
        assert move.run(connection, Beat("one", NOW), name="nobody") == 0
        assert [beat.at for beat in BEATS.all(connection)] == [NOW, NOW + timedelta(days=1)]


def test_values_before_and_after_the_rows_keep_their_places(begin):
    """As in INSERT … ON CONFLICT DO UPDATE, and with a value used twice."""
    upsert = Command(
        """INSERT INTO heartbeat (name, at) VALUES (:name, :at)
           ON CONFLICT (name) DO UPDATE SET at = :later WHERE heartbeat.name <> :spared"""
    )
    later = NOW + timedelta(days=1)
    with begin() as connection:
        for _ in range(2):
            upsert.write(connection, [Beat("one", NOW), Beat("two", NOW)], later=later, spared="one")
        assert [beat.at for beat in BEATS.all(connection)] == [NOW, later]
        twice = Query(str, "SELECT name FROM heartbeat WHERE name = :name OR name = :name")
        assert twice.all(connection, name="two") == ["two"]


def test_what_an_insert_returns_is_read(begin):
    back = Query(Beat, "INSERT INTO heartbeat (name, at) VALUES (:name, :at) RETURNING name, at")
    with begin() as connection:
        assert back.write(connection, [Beat("one", NOW), Beat("two", NOW)]) == BEATS.all(connection)
        assert back.write(connection, []) == []


def test_each_type_is_converted_and_null_is_none(begin):
    sql_of_all = """SELECT name, EXISTS (SELECT 1 FROM letter) AS late, NULL AS never,
                           '[{"begins": "2026-03-02T09:30:15.123456Z"}]' AS spans, '{"n": 1}' AS facts,
                           m.secret AS key, NULL AS share
                    FROM heartbeat CROSS JOIN "match" m WHERE name = :name"""
    insert = """INSERT INTO "match" (game, edition, options, seats, status, demo, bots, secret, words, state,
                                     ply, barrier_state, barrier_ply, created_at)
                VALUES ('ferry', 1, :options, 2, 'open', :demo, 0, :secret, '[]', '', 0, '', 0, :now)"""
    with begin() as connection:
        BEAT.run(connection, name="one", at=NOW)
        Command(insert).run(connection, options={"wind": "on"}, demo=False, secret=b"\0\xff", now=NOW)
        found = Query(Mixed, sql_of_all).one(connection, name="one")
        assert found == Mixed("one", False, None, (Span(NOW),), {"n": 1}, b"\0\xff", None)
        assert found.late is False
        options = Query(dict, 'SELECT options FROM "match"')
        assert options.one(connection) == {"wind": "on"}


def test_percent_colons_and_casts_are_text(begin):
    odd = Query(str, "SELECT name FROM heartbeat WHERE name LIKE 'o%' AND name <> '12:30' AND name = :name")
    with begin() as connection:
        BEAT.run(connection, name="one", at=NOW)
        assert odd.all(connection, name="one") == ["one"]


def test_other_columns_than_the_fields_are_refused(begin):
    with begin() as connection:
        for wrong in ("SELECT at, name FROM heartbeat", "SELECT name FROM heartbeat"):
            with pytest.raises(TypeError, match="Beat has the fields"):
                Query(Beat, wrong).all(connection)
        with pytest.raises(TypeError, match="one column"):
            Query(str, "SELECT name, at FROM heartbeat").all(connection)


def test_a_name_too_many_or_too_few_is_refused(begin):
    with begin() as connection:
        with pytest.raises(TypeError, match="no such value: when"):
            BEAT.run(connection, name="one", at=NOW, when=NOW)
        with pytest.raises(KeyError, match="at"):
            BEAT.run(connection, name="one")
        with pytest.raises(LookupError):
            BEATS.one(connection)
        assert BEATS.first(connection) is None


def test_a_row_that_is_there_already_clashes(begin):
    with pytest.raises(Clash), begin() as connection:  # noqa: PT012 - the second one fails
        BEAT.run(connection, name="one", at=NOW)
        BEAT.run(connection, name="one", at=NOW)


def test_a_read_outside_a_transaction_gives_the_same_records(store):
    with store.statements() as connection:
        BEAT.run(connection, name="one", at=NOW)
    assert BEATS.fetch_outside_tx(store.engine) == [Beat("one", NOW)]
