"""Events are packed to few bytes, and read again for ever."""

import hashlib

import pytest
from sqlalchemy import text

from app import games
from app.engine import codec
from app.engine.chance import Chance
from app.play.match import packing
from app.play.moves import service
from app.store import migrate
from tests.play import cast

SAMPLES = {
    "atlandice/told_1.txt": "a0ba605542d37ed9bbb5764606b409ac828599f922f71c1c3d83c112225151f8",
    "atlantis/told_1.txt": "678a41e82515030fc707125c5ce025f24fc6fdf3f36b3eb055287494bf0ca321",
    "survive/told_1.txt": "df1e8dcca34b40609137facc37ba5363a6a05e78a0ab1b438e467b2666082a4d",
}
"""The SHA-256 of each sample. They read what is stored, so they are never edited; a new one is added here."""
FEW = 80
"""Bytes of a ply, on average."""


def play(match, seat, line):
    service.play(match.store, match.bearer(seat), match.question(seat), line)


def told_in(game, plies=400):
    """What is told in random games of the most seats."""
    found, number = [], 0
    while len(found) < plies:
        number += 1
        seed, seats = str(number).encode(), game.colours[: game.seats[-1]]
        state = game.setup(seats, game.complete_options(len(seats), {}), Chance(seed, 0)).state
        ply = 0
        while decisions := game.decisions(state):
            ply += 1
            chance = Chance(seed, ply)
            move = (
                chance.apart("mind").pick(decisions[0].options)
                if decisions[0].options
                else decisions[0].default
            )
            step = game.apply(state, decisions[0].seat, move, chance)
            found.append(codec.dump_told(step.told))
            state = step.state
    return found


@pytest.mark.parametrize("slug", list(games.all_games()))
def test_what_is_packed_is_read_again_and_is_a_quarter_of_its_text_by_a_sample(slug):
    told = told_in(games.all_games()[slug])
    packed = [packing.pack(slug, one) for one in told]
    assert [packing.unpack(slug, one) for one in packed] == told
    if packed[0][0]:
        assert sum(map(len, packed)) / len(packed) < FEW
        assert sum(map(len, packed)) < sum(map(len, told)) / 4


def test_samples_are_never_edited():
    found = {
        f"{file.parent.name}/{file.name}": hashlib.sha256(file.read_bytes()).hexdigest()
        for file in packing.FOLDER.glob("*/told_*.txt")
    }
    assert found == SAMPLES


def test_a_game_without_a_sample_is_packed_all_the_same():
    line = '[[{"type":"Rowed","seat":"red","place":1},null],[{"type":"Rowed","seat":"blue","place":2},null]]'
    packed = packing.pack("ferry", line)
    assert packing.unpack("ferry", packed) == line
    assert len(packed) < len(line)


def test_another_sample_later_leaves_what_the_first_has_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "FOLDER", tmp_path)
    (tmp_path / "ferry").mkdir()
    line = '[[{"type":"Rowed","seat":"red","place":1},null]]'
    for cached in (packing._newest, packing._sample):
        cached.cache_clear()
    (tmp_path / "ferry" / "told_1.txt").write_text(line)
    first = packing.pack("ferry", line)
    packing._newest.cache_clear()
    (tmp_path / "ferry" / "told_2.txt").write_text("something else")
    second = packing.pack("ferry", line)
    for cached in (packing._newest, packing._sample):
        cached.cache_clear()
    assert (first[0], second[0]) == (1, 2)
    assert packing.unpack("ferry", first) == packing.unpack("ferry", second) == line
    for cached in (packing._newest, packing._sample):
        cached.cache_clear()


@pytest.mark.usefixtures("toy")
def test_plies_of_before_are_told_beside_those_that_are_packed(store):
    match = cast.seat(store)
    play(match, "red", "bid 1")
    play(match, "blue", "bid 0")
    whole = match.player_view().heard
    assert any(entry.events for entry in whole)
    with store.transaction() as connection:
        for ply, packed in connection.execute(text("SELECT ply, packed FROM played WHERE ply < 2")).all():
            connection.execute(
                text("UPDATE played SET told = :told, packed = NULL WHERE ply = :ply"),
                {"told": packing.unpack("ferry", packed), "ply": ply},
            )
    assert match.player_view().heard == whole


@pytest.mark.usefixtures("toy")
def test_the_tables_of_before_have_the_text_again(store, store_url):
    match = cast.seat(store)
    play(match, "red", "bid 1")
    packed = [
        packing.unpack("ferry", row.packed)
        for row in cast.rows(store, "SELECT packed FROM played ORDER BY ply")
    ]
    store.engine.dispose()
    migrate.downgrade(store_url, "0017")
    try:
        assert [row.told for row in cast.rows(store, "SELECT told FROM played ORDER BY ply")] == packed
    finally:
        store.engine.dispose()
        migrate.upgrade(store_url)
    assert match.player_view().heard
