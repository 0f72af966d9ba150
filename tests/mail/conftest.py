"""The small game, so that letters about it can be written."""

from pathlib import Path

import pytest

from app.engine.game import Game
from app.store.session import Store
from tests.conftest import HeldClock
from tests.mail.outbox import Outbox


@pytest.fixture
def ferry(toy: Game) -> Game:
    """Ferry, on the shelf."""
    return toy


@pytest.fixture
def outbox(store: Store, ferry: Game, clock: HeldClock, tmp_path: Path) -> Outbox:  # noqa: ARG001 - must be there
    return Outbox(store, tmp_path)
