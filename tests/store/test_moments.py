"""On SQLite moments are numbers, before and after the migration that made them so."""

from datetime import UTC, datetime

import pytest

from app.store import heartbeat, migrate
from app.store.moments import moment_of, number_of
from app.store.session import Store, connect
from tests.mail import sent_letters

TEXTS = {
    "2026-03-03 09:30:00": datetime(2026, 3, 3, 9, 30, tzinfo=UTC),
    "2026-03-03 09:30:00.5": datetime(2026, 3, 3, 9, 30, 0, 500_000, tzinfo=UTC),
    "1999-12-31 23:59:59.999999": datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    "2038-01-19 03:14:08.000001": datetime(2038, 1, 19, 3, 14, 8, 1, tzinfo=UTC),
}


@pytest.mark.parametrize("moment", TEXTS.values())
def test_a_number_is_one_moment_to_the_microsecond(moment):
    assert moment_of(number_of(moment)) == moment


def test_each_moment_is_carried_over_and_back(tmp_path):
    url = f"sqlite:///{tmp_path}/moments.db"
    migrate.upgrade(url)
    migrate.downgrade(url, "0023")
    with connect(url).begin() as connection:
        for text in TEXTS:
            connection.exec_driver_sql("INSERT INTO heartbeat (name, at) VALUES (?, ?)", (text, text))
    migrate.upgrade(url)
    with Store(url).reading() as connection:
        assert {text: heartbeat.last_in(connection, text) for text in TEXTS} == TEXTS
    migrate.downgrade(url, "0023")
    with connect(url).connect() as connection:
        found = dict(connection.exec_driver_sql("SELECT name, at FROM heartbeat").all())
    assert {name: found[name] for name in TEXTS} == {
        name: f"{moment:%Y-%m-%d %H:%M:%S.%f}" for name, moment in TEXTS.items()
    }


def test_no_moment_of_any_table_is_left_as_text(tmp_path):
    """A text is later than any number: a deadline left so would never pass."""
    url = f"sqlite:///{tmp_path}/sent.db"
    sent_letters.at_0002(url).dispose()
    migrate.upgrade(url)
    seen = set()
    with connect(url).connect() as connection:
        for (table,) in connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).all():
            for _, column, kind, *_ in connection.exec_driver_sql(f'PRAGMA table_xinfo("{table}")').all():
                if kind.startswith("DATETIME"):
                    kinds = f'SELECT DISTINCT typeof({column}) FROM "{table}"'
                    found = set(connection.exec_driver_sql(kinds).scalars())
                    assert found <= {"integer", "null"}, (table, column)
                    seen |= {(table, column) for _ in found - {"null"}}
    assert {("letter", "due_at"), ("match", "created_at"), ("question", "look_at"), ("played", "at")} <= seen
