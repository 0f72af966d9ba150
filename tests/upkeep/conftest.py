"""Databases full of rows, of either kind, and settings for one of them."""

from urllib.parse import urlsplit

import pytest

from app import settings
from app.store import migrate
from app.upkeep.copying import connect
from tests.servers import database_in, fresh_database
from tests.upkeep.every_table import contents, fill

KEY = "k" * 8 + "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def _as_for_players(durable: None) -> None:
    """What is looked after here are databases as a server writes them."""


@pytest.fixture(scope="session")
def template(postgres):
    """The server, and the name of a database with empty tables on it, to be copied."""
    made = fresh_database(postgres)
    migrate.upgrade(made)
    return postgres, urlsplit(made).path[1:]


@pytest.fixture
def databases(tmp_path, request):
    """Makes databases without rows: `databases("sqlite")`, `databases("postgresql")`, as many as wanted."""

    def make(kind):
        if kind == "sqlite":
            folder = tmp_path / f"db{len(list(tmp_path.glob('db*')))}"
            folder.mkdir()
            return database_in(folder)
        return fresh_database(*request.getfixturevalue("template"))

    return make


@pytest.fixture
def filled(databases):
    """Makes databases with two rows in every table."""

    def make(kind):
        url = databases(kind)
        engine = connect(url)
        with engine.begin() as connection:
            fill(connection)
        engine.dispose()
        return url

    return make


@pytest.fixture
def house(tmp_path):
    """Makes settings for a database, with a data folder of its own."""

    def make(url, name="data"):
        found = settings.read(
            {
                "TIDEPOST_DATABASE_URL": url,
                "TIDEPOST_SECRET_KEYS": KEY,
                "TIDEPOST_DATA_DIR": str(tmp_path / name),
                "TIDEPOST_URL": "https://games.example.org",
            }
        )
        found.data_dir.mkdir(exist_ok=True)
        return found

    return make


def read(url):
    """Every row of every table of a database."""
    engine = connect(url)
    with engine.execution_options(reading=True).begin() as connection:
        found = contents(connection)
    engine.dispose()
    return found
