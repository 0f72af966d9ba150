"""Two editions of Ferry, and databases that hold matches as they were stored long ago."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import DateTime, MetaData

from app import games
from app.engine.game import Game
from app.store import migrate
from app.store.session import Store, connect
from tests.conftest import HeldClock

STORED = Path(__file__).parent
BEFORE = "0002"
"""The newest migration when the stored matches were written."""


def stored_matches(slug: str, url: str, until: str = "head") -> None:
    """Fill a new database with a game's stored matches of edition 1, then migrate it.

    They were played by the code of commit 5acae23: one to its end, two that run, with steps taken back and a
    seat given up. The files hold all rows of all tables as that code stored them and are never written anew.
    """
    engine = connect(url)
    with engine.begin() as connection:
        command.upgrade(migrate.configuration(connection), BEFORE)
        tables = MetaData()
        tables.reflect(connection)
        for into_name, table in json.loads((STORED / f"{slug}.1.json").read_text()).items():
            into = tables.tables[into_name]
            if into_name == "house":
                connection.execute(into.delete())
            names = table["columns"]
            rows = [dict(zip(names, map(_value, row), strict=True)) for row in table["rows"]]
            for row in rows:
                for name, value in row.items():
                    if isinstance(value, str) and isinstance(into.columns[name].type, DateTime):
                        row[name] = datetime.fromisoformat(value)
            if rows:
                connection.execute(into.insert(), rows)
        if connection.dialect.name == "postgresql":
            for name in ("match", "invitation", "chair", "player", "notice", "standingorder", "note"):
                key = f"pg_get_serial_sequence('\"{name}\"', 'id')"
                connection.exec_driver_sql(f'SELECT setval({key}, (SELECT max(id) + 1000 FROM "{name}"))')
        command.upgrade(migrate.configuration(connection), until)
    engine.dispose()


def _value(value):
    """The value of a field of the fixture; bytes begin with `hex:`."""
    if isinstance(value, str) and value.startswith("hex:"):
        return bytes.fromhex(value[4:])
    return value


@pytest.fixture
def store_url(each_store_url: str) -> str:
    """Matches of two editions are tried on SQLite and on PostgreSQL."""
    return each_store_url


@pytest.fixture
def stored_store(tmp_path: Path, slug: str, clock: HeldClock) -> Iterator[Store]:
    """The stored matches of the game that the test is about, on a clock some days later."""
    url = f"sqlite:///{tmp_path}/stored.db"
    stored_matches(slug, url)
    clock.moment = clock.moment.replace(year=2026, month=12, day=1)
    store = Store(url)
    yield store
    store.engine.dispose()


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets which editions of Ferry this server has, newest first."""

    def switch(*editions: Game) -> None:
        monkeypatch.setattr(games, "editions", lambda: {"ferry": editions} if editions else {})

    return switch
