"""A move to another database takes every row, and leaves nobody in the old one."""

import pytest

from app.play.match import site_stops
from app.store import heartbeat, migrate
from app.store.session import Store
from app.upkeep import transfer
from tests.upkeep.conftest import read

WAYS = [
    ("sqlite", "postgresql"),
    ("postgresql", "sqlite"),
    ("sqlite", "sqlite"),
    ("postgresql", "postgresql"),
]


@pytest.mark.parametrize(("source", "target"), WAYS)
def test_every_row_is_moved(filled, databases, source, target):
    url, empty = filled(source), databases(target)
    before = read(url)
    before.pop("picture")
    found = transfer.transfer(url, empty)
    after = read(empty)
    assert after.pop("picture") == []
    assert after == before
    assert found == {name: len(rows) for name, rows in before.items()}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_part_takes_the_old_database_any_more(filled, databases, kind):
    url, empty = filled(kind), databases("sqlite")
    transfer.transfer(url, empty)
    with pytest.raises(migrate.CannotUpgrade, match="moved to another database"):
        migrate.upgrade(url)
    store = Store(url)
    assert not migrate.is_current(store)
    store.engine.dispose()
    migrate.upgrade(empty)


@pytest.mark.parametrize(("source", "target"), WAYS[:2])
def test_there_and_back(filled, databases, source, target):
    url, there, back = filled(source), databases(target), databases(source)
    before = read(url)
    before["picture"] = []
    transfer.transfer(url, there)
    transfer.transfer(there, back)
    assert read(back) == before


def test_nothing_is_moved_into_a_database_with_games(filled):
    url, other = filled("sqlite"), filled("sqlite")
    before = read(other)
    with pytest.raises(transfer.CannotTransfer, match="must be empty"):
        transfer.transfer(url, other)
    assert read(other) == before
    migrate.upgrade(url)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_is_moved_onto_itself(filled, kind):
    url = filled(kind)
    with pytest.raises(transfer.CannotTransfer, match="same database"):
        transfer.transfer(url, url)


def test_nothing_is_moved_under_the_feet_of_a_worker(filled, databases, clock):
    url, empty = filled("sqlite"), databases("sqlite")
    store = Store(url)
    with store.transaction() as connection:
        heartbeat.beat(connection, site_stops.TICK, clock.now())
    with pytest.raises(transfer.CannotTransfer, match="stop all parts"):
        transfer.transfer(url, empty)
    clock.advance(days=60)
    transfer.transfer(url, empty)
    store.engine.dispose()


def test_a_row_too_few_stops_the_move(filled, databases, monkeypatch):
    url, empty = filled("sqlite"), databases("sqlite")
    every = transfer.copying._rows

    def one_less(source, table):
        rows = list(every(source, table))
        return ([rows[0][:-1]] if table.name == "whatif" else rows).__iter__()

    monkeypatch.setattr(transfer.copying, "_rows", one_less)
    with pytest.raises(transfer.copying.Differs, match="whatif: 2 and 1"):
        transfer.transfer(url, empty)
    assert read(empty)["player"] == []
    migrate.upgrade(url)
