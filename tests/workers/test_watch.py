"""Where nobody asks for a sweep, the worker makes one itself."""

import logging
from datetime import datetime, timedelta

import pytest

from app import clock
from app.store.patience import Outgrown
from workers.watch import OVERDUE, Watch


@pytest.fixture
def swept() -> list[datetime]:
    return []


def look(last: datetime | None, swept: list[datetime]) -> bool:
    return Watch(lambda: last, lambda: swept.append(clock.now()), never).look()


def never() -> None:
    raise AssertionError("this worker goes on")


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
    assert not Watch(away, lambda: None, never).look()
    assert not Watch(lambda: None, away, never).look()
    assert len(caplog.records) == 2


def test_a_worker_that_a_newer_version_has_outgrown_ends(caplog):
    def outgrown() -> datetime:
        raise Outgrown("install the newer version")

    left: list[None] = []
    assert not Watch(outgrown, lambda: None, lambda: left.append(None)).look()
    assert left == [None]
    assert [one.getMessage() for one in caplog.records] == ["this worker ends: install the newer version"]
