"""Where nobody asks for a sweep, the worker makes one itself."""

import logging
from datetime import datetime, timedelta

import pytest

from app import clock
from workers.watch import OVERDUE, Watch


@pytest.fixture
def swept() -> list[datetime]:
    return []


def look(last: datetime | None, swept: list[datetime]) -> bool:
    return Watch(lambda: last, lambda: swept.append(clock.now())).look()


@pytest.mark.usefixtures("clock")
def test_a_sweep_that_is_overdue_is_made_and_one_that_is_not_is_left_to_beat(swept):
    now = clock.now()
    assert not look(now, swept)
    assert not look(now - OVERDUE, swept)
    assert swept == []
    assert look(now - OVERDUE - timedelta(seconds=1), swept)
    assert look(None, swept), "there was never one"
    assert swept == [now, now]


def test_a_database_that_is_away_ends_no_watch(caplog):
    def away() -> datetime:
        raise OSError("away")

    caplog.set_level(logging.WARNING)
    assert not Watch(away, lambda: None).look()
    assert not Watch(lambda: None, away).look()
    assert len(caplog.records) == 2
