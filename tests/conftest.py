"""What the tests of the house stand on: a database, a clock that is held, and a small game on the shelf."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader

from app import clock as clock_module
from app import games, templating
from app.engine.game import Game
from app.store import session
from app.store.session import Store
from tests import rows  # noqa: F401 - tests may write moments by statements of their own
from tests.nim import TEMPLATES as NIM
from tests.running import (
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_runtest_makereport,
    pytest_xdist_make_scheduler,
)
from tests.servers import chromium, database_in, database_on, postgres, rabbitmq, redis
from tests.tongues import five
from tests.toy import TOY

__all__ = [
    "chromium",
    "five",
    "postgres",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_makereport",
    "pytest_xdist_make_scheduler",
    "rabbitmq",
    "redis",
]

FERRY = Path(__file__).parent / "ferry"
DURABLE = session.durability
session.durability = lambda: ("synchronous=OFF",)
"""What a test writes need not survive the machine. Processes that it starts write as they do for players."""


def pytest_xdist_auto_num_workers() -> int:
    """For `-n auto`: two more than cores, because tests with real processes mostly wait for them."""
    return (os.cpu_count() or 1) + 2


def _with_ferry(loader: BaseLoader) -> None:
    """Put the words and boards of the tests' own games among the templates, for good.

    A fixture that did it for a test had to empty Jinja's caches twice: compiling took two thirds of the time.
    """
    both = ChoiceLoader([FileSystemLoader([FERRY, NIM]), loader])
    templating.loader = lambda: both  # type: ignore[assignment]


_with_ferry(templating.loader())


class HeldClock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def advance(self, **span: float) -> None:
        """Let time pass: `advance(days=3)`."""
        self.moment += timedelta(**span)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    held = HeldClock()
    monkeypatch.setattr(clock_module, "now", held.now)
    return held


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Ferry, alone on the shelf."""
    game: Game = TOY
    monkeypatch.setattr(games, "editions", lambda: {game.slug: (game,)})
    return game


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the test's own process too, a commit is on the disk before it is acknowledged."""
    monkeypatch.setattr(session, "durability", DURABLE)


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """The address of a database without rows, on SQLite; folders may say otherwise."""
    return database_in(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def each_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of either kind, without rows."""
    if request.param == "sqlite":
        return database_in(tmp_path)
    return database_on(request.getfixturevalue("postgres"))


@pytest.fixture
def rings() -> list[None]:
    """Grows by one whenever the workers' bell rings."""
    return []


@pytest.fixture
def store(store_url: str, rings: list[None]) -> Iterator[Store]:
    made = Store(store_url, wake=lambda: rings.append(None))
    yield made
    made.engine.dispose()
