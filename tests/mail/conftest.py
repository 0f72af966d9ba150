"""The small game with its words and boards, so that letters about it can be written."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, FileSystemLoader

from app import draw, narrate, templating
from app.engine.game import Game
from app.store.session import Store
from tests.conftest import HeldClock
from tests.mail.outbox import Outbox

FERRY = Path(__file__).parent.parent / "ferry"


def forget():
    for remembered in (templating.environment, templating.plain, narrate._module, draw.looks.look):
        remembered.cache_clear()


@pytest.fixture
def ferry(toy: Game, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Ferry, on the shelf and among the templates."""
    loader = ChoiceLoader([FileSystemLoader(FERRY), templating.loader()])
    monkeypatch.setattr(templating, "loader", lambda: loader)
    forget()
    yield toy
    monkeypatch.undo()
    forget()


@pytest.fixture
def outbox(store: Store, ferry: Game, clock: HeldClock, tmp_path: Path) -> Outbox:  # noqa: ARG001 - must be there
    return Outbox(store, tmp_path)
