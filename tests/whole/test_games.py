"""Three people with a mail client and a browser play whole games."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from app.games import all_games
from app.store.session import Store
from tests.desk import WITHOUT_PICTURES, House, Person, PostOffice
from tests.servers import fresh_database
from tests.share import sharing
from tests.whole import checking
from tests.whole.playing import Table

pytestmark = pytest.mark.slow
CAST = ("ada@example.org", "bo@example.net", "cleo@example.com", "dan@example.org")


@pytest.fixture
def office() -> Iterator[PostOffice]:
    office = PostOffice()
    yield office
    office.close()


def seated(house: House, office: PostOffice, count: int, seed: int) -> Table:
    house.open()
    return Table(house, office, [Person(address, office) for address in CAST[:count]], seed)


def let_leases_run_out(database_url: str) -> None:
    """What the dead worker was about to send is free again, as it would be some minutes later."""
    store = Store(database_url)
    with store.transaction() as connection:
        connection.execute(text("UPDATE letter SET held_until = created_at WHERE held_until IS NOT NULL"))
    store.engine.dispose()


def check(table: Table, database_url: str, resent: int = 0) -> None:
    store = Store(database_url)
    checking.every_letter_came_once(store, table.office, resent)
    checking.nobody_learnt_a_secret(store, table.people)
    checking.logs_hold_no_token(table.house.logs(), table.people)
    store.engine.dispose()


@pytest.mark.parametrize(
    ("game", "seats"),
    sharing(
        [(slug, seats) for slug, game in all_games().items() for seats in game.seats],
        ("atlandice", 2),  # the other games are played below
    ),
)
def test_a_whole_game_from_the_invitation_to_the_count(
    tmp_path: Path, office: PostOffice, game: str, seats: int
):
    house = House(tmp_path, office, **({} if seats == 2 else WITHOUT_PICTURES))
    try:
        table = seated(house, office, seats, seed=seats)
        table.open(game, seats)
        assert table.play()
    finally:
        house.close()
    check(table, f"sqlite:///{tmp_path}/tidepost.db")


def test_a_whole_game_on_postgresql_and_redis(tmp_path: Path, office: PostOffice, postgres: str, redis: str):
    database = fresh_database(postgres)
    parts = {"TIDEPOST_DATABASE_URL": database, "TIDEPOST_BROKER_URL": redis}
    house = House(tmp_path, office, **parts, **WITHOUT_PICTURES)
    try:
        table = seated(house, office, 2, seed=2)
        table.open("survive", 2, setup="random")
        assert table.play()
    finally:
        house.close()
    check(table, database)


@pytest.mark.parametrize(("game", "seats"), sharing([("survive", 4), ("atlantis", 3)], ("atlantis", 3)))
def test_the_worker_is_killed_in_the_middle_and_nothing_is_lost(
    tmp_path: Path, office: PostOffice, game: str, seats: int
):
    house = House(tmp_path, office, **WITHOUT_PICTURES)
    try:
        table = seated(house, office, seats, seed=4)
        table.open(game, seats)
        for _ in range(3):
            assert not table.play(turns=4)
            house.kill("worker")
            let_leases_run_out(f"sqlite:///{tmp_path}/tidepost.db")
            house.start("worker", "--beat")
        assert table.play()
    finally:
        house.close()
    check(table, f"sqlite:///{tmp_path}/tidepost.db", resent=3)
