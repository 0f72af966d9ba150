"""These run on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from tests.servers import fresh_database


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/empty.db"
    return fresh_database(request.getfixturevalue("postgres"))
