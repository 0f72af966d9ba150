"""What the tests of the house stand on: a database, a clock that is held, and a small game on the shelf."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from app import clock as clock_module
from app import games
from app.engine.game import Game
from app.store import tables  # noqa: F401 - the tables must be known before they are made
from app.store.session import Store
from tests.servers import chromium, fresh_database, postgres, rabbitmq, redis
from tests.toy import TOY

__all__ = ["chromium", "postgres", "rabbitmq", "redis"]


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
    monkeypatch.setattr(games, "shelf", lambda: {game.slug: game})
    return game


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """The address of an empty database. Folders that test the store itself give one after the other kind."""
    return f"sqlite:///{tmp_path}/test.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def each_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/test.db"
    return fresh_database(request.getfixturevalue("postgres"))


@pytest.fixture
def rings() -> list[None]:
    """Grows by one whenever the workers' bell rings."""
    return []


@pytest.fixture
def store(store_url: str, rings: list[None]) -> Iterator[Store]:
    made = Store(store_url, bell=lambda: rings.append(None))
    SQLModel.metadata.create_all(made.engine)
    yield made
    made.engine.dispose()
