"""A copy holds every row and key, and comes back into a database of either kind."""

import sqlite3
import stat

import pytest
from sqlalchemy import text

from app.store import migrate
from app.upkeep import backup, copying, restore
from app.upkeep.copying import connect
from tests.upkeep.conftest import KEY, read

KINDS = ("sqlite", "postgresql")


def kept(found):
    return {name: rows for name, rows in found.items() if name not in copying.REMADE}


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("source", KINDS)
def test_a_copy_comes_back_with_every_row(filled, databases, house, tmp_path, source, target):
    url = filled(source)
    before = read(url)
    made = backup.back_up(house(url), tmp_path / "copies")
    empty = databases(target)
    done = restore.restore(empty, tmp_path / "elsewhere", (), tmp_path / "copies")
    assert kept(read(empty)) == kept(before)
    assert read(url) == before
    assert done.copy == made
    assert done.rows == done.about.rows == {name: len(rows) for name, rows in kept(before).items()}
    assert (tmp_path / "elsewhere" / "secret_keys").read_text().split() == [KEY]


@pytest.mark.parametrize("target", KINDS)
def test_new_rows_get_numbers_above_the_copied(filled, databases, house, tmp_path, target):
    backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    empty = databases(target)
    restore.restore(empty, tmp_path / "elsewhere", (), tmp_path / "copies")
    engine = connect(empty)
    insert = (
        "INSERT INTO report (by_id, about_id, text, at) VALUES (1, 2, '', '2026-03-02 00:00:00') RETURNING id"
    )
    with engine.begin() as connection:
        assert connection.execute(text(insert)).scalar() == 3
    engine.dispose()


def test_only_its_owner_can_read_a_copy(filled, house, tmp_path):
    made = backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in made.iterdir()}
    assert files == {"tidepost.db": 0o600, "secret_keys": 0o600, "about.json": 0o600}


def test_the_key_of_notifications_is_in_it(filled, databases, house, tmp_path):
    settings = house(filled("sqlite"))
    (settings.data_dir / "push_key").write_text("the key\n")
    backup.back_up(settings, tmp_path / "copies")
    restore.restore(databases("sqlite"), tmp_path / "elsewhere", (), tmp_path / "copies")
    assert (tmp_path / "elsewhere" / "push_key").read_text() == "the key\n"


def test_of_many_copies_the_newest_stay_and_the_newest_comes_back(filled, databases, house, tmp_path, clock):
    settings, folder = house(filled("sqlite")), tmp_path / "copies"
    made = []
    for _ in range(4):
        clock.advance(days=1)
        made.append(backup.back_up(settings, folder, keep=2))
    assert backup.copies(folder) == made[2:]
    assert restore.restore(databases("sqlite"), tmp_path / "elsewhere", (), folder).copy == made[3]


@pytest.mark.usefixtures("clock")
def test_a_second_copy_in_one_second_is_refused(filled, house, tmp_path):
    settings = house(filled("sqlite"))
    backup.back_up(settings, tmp_path / "copies")
    with pytest.raises(backup.CannotBackUp, match="there already"):
        backup.back_up(settings, tmp_path / "copies")


def test_a_copy_that_fails_leaves_nothing(filled, house, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_to_disk", full)
    with pytest.raises(OSError, match="No space"):
        backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_database_of_other_tables_is_not_copied(filled, house, tmp_path):
    url = filled("sqlite")
    engine = connect(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0002'"))
    engine.dispose()
    with pytest.raises(backup.CannotBackUp, match="version 0002"):
        backup.back_up(house(url), tmp_path / "copies")


def test_nothing_is_written_over(filled, house, tmp_path):
    backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    other = filled("sqlite")
    before = read(other)
    with pytest.raises(restore.CannotRestore, match="into an empty one only"):
        restore.restore(other, tmp_path / "elsewhere", (), tmp_path / "copies")
    assert read(other) == before
    assert not (tmp_path / "elsewhere").exists()


def test_other_keys_are_not_written_over(filled, databases, house, tmp_path):
    backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    data = tmp_path / "elsewhere"
    data.mkdir()
    (data / "secret_keys").write_text("another\n")
    empty = databases("sqlite")
    with pytest.raises(restore.CannotRestore, match="other keys"):
        restore.restore(empty, data, (), tmp_path / "copies")
    assert not any(read(empty)["player"])
    assert (data / "secret_keys").read_text() == "another\n"


def test_keys_of_the_environment_that_lack_one_are_told(filled, databases, house, tmp_path):
    backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    missing = restore.restore(databases("sqlite"), tmp_path / "one", ("new",), tmp_path / "copies")
    assert missing.keys_missing
    whole = restore.restore(databases("sqlite"), tmp_path / "two", ("new", KEY), tmp_path / "copies")
    assert not whole.keys_missing
    assert not (tmp_path / "two" / "secret_keys").exists()


@pytest.mark.parametrize("file", ["tidepost.db", "about.json"])
def test_a_damaged_copy_is_refused(filled, databases, house, tmp_path, file):
    made = backup.back_up(house(filled("sqlite")), tmp_path / "copies")
    whole = (made / file).read_bytes()
    (made / file).write_bytes(whole[:-100])
    empty = databases("sqlite")
    with pytest.raises(restore.CannotRestore):
        restore.restore(empty, tmp_path / "elsewhere", (), made)
    assert not any(read(empty)["player"])


def test_a_folder_without_copies_is_refused(databases, tmp_path):
    with pytest.raises(restore.CannotRestore, match="is no copy"):
        restore.restore(databases("sqlite"), tmp_path, (), tmp_path)


def test_a_copy_of_older_tables_comes_back_in_the_newest_form(databases, house, tmp_path):
    url = databases("sqlite")
    made = backup.back_up(house(url), tmp_path / "copies")
    migrate.downgrade(f"sqlite:///{made}/tidepost.db", "0020")
    (made / "about.json").write_text(
        (made / "about.json")
        .read_text()
        .replace(backup.about(made).sha256, backup._sha256(made / "tidepost.db"))
    )
    empty = databases("postgresql")
    restore.restore(empty, tmp_path / "elsewhere", (), made)
    engine = connect(empty)
    assert migrate.revision(engine) == migrate.newest()
    engine.dispose()


def test_the_copy_is_one_sound_file(filled, house, tmp_path):
    for kind in KINDS:
        made = backup.back_up(house(filled(kind)), tmp_path / kind)
        copied = sqlite3.connect(made / "tidepost.db")
        assert copied.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert copied.execute("PRAGMA foreign_key_check").fetchall() == []
        copied.close()
