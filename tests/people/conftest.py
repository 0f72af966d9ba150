"""These run on SQLite and on PostgreSQL."""

import pytest


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url
