"""A copy made while games go on shows one moment, from which they can be played on."""

import threading

import pytest
from sqlalchemy import text

from app.play.views.player_view import player_view
from app.store.session import Store
from app.upkeep import backup, restore
from tests.mail.outbox import answer
from tests.play import cast

ROUNDS = 3


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


def logs(store):
    """Of each match its ply, as it stands in its row and as its log ends."""
    with store.reading() as connection:
        return {
            row.id: (row.ply, row.last)
            for row in connection.execute(
                text(
                    "SELECT id, ply, (SELECT max(ply) FROM played WHERE match_id = m.id) AS last"
                    ' FROM "match" AS m'
                )
            )
        }


@pytest.mark.slow
@pytest.mark.usefixtures("toy", "clock")
def test_moves_go_on_while_copies_are_made(store, store_url, house, databases, tmp_path, clock):
    settings = house(store_url)
    going = [cast.seat(store, dice=str(n).encode()) for n in range(3)]
    ended = threading.Event()
    failed: list[BaseException] = []

    def play():
        try:
            while not ended.is_set():
                for match in going:
                    asked = [seat for seat in match.rows if match.player_view(seat).asked]
                    if asked:
                        answer(match, asked[0])
        except BaseException as error:  # noqa: BLE001 - told at the end
            failed.append(error)

    player = threading.Thread(target=play)
    player.start()
    try:
        for _ in range(ROUNDS):
            clock.advance(seconds=1)
            backup.back_up(settings, tmp_path / "copies")
    finally:
        ended.set()
        player.join()
    assert failed == []
    for number, copy in enumerate(backup.copies(tmp_path / "copies")):
        url = databases("sqlite")
        restore.restore(url, tmp_path / f"data{number}", (), copy)
        back = Store(url)
        found = logs(back)
        assert len(found) == len(going)
        assert all(ply == last for ply, last in found.values()), found
        for match in going:
            again = cast.Seated(back, match.match_id)
            before = player_view(back, match.match_id, again.bearer("red")).ply
            asked = [seat for seat in again.rows if again.player_view(seat).asked]
            if asked:
                answer(again, asked[0])
                assert player_view(back, match.match_id, again.bearer("red")).ply > before
        back.engine.dispose()
