"""The small game with its words and boards, a house whose letters go into a list, and its pages."""

import pytest
from sqlmodel import SQLModel

from app.web import create_app
from tests.mail.conftest import ferry, outbox

__all__ = ["ferry", "outbox"]


@pytest.fixture
def pages(outbox):
    """The pages of the house, to a browser that is not signed in."""
    return create_app(outbox.settings, outbox.store).test_client()


@pytest.fixture
def sizes(outbox):
    """A function that counts the rows of each table."""

    def count() -> dict[str, int]:
        return {
            name: outbox.rows(f'SELECT count(*) AS many FROM "{name}"')[0].many
            for name in SQLModel.metadata.tables
        }

    return count
