"""The data folder is private, served by one, and its logs don't grow for ever."""

import os
import subprocess
import sys

import pytest

from app import data_folder
from app.catcher.server import Sink
from app.draw import pictures
from app.store.broker import FolderChannel


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def open_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_what_is_made_is_for_its_owner_alone_with_all_parents(tmp_path):
    data_folder.private(tmp_path / "a" / "b" / "c")
    assert [mode(tmp_path / one) for one in ("a", "a/b", "a/b/c")] == [0o700] * 3
    assert not data_folder.others_may_read(tmp_path / "a")


def test_a_folder_that_was_open_is_closed(tmp_path):
    old = tmp_path / "pictures"
    old.mkdir(mode=0o755)
    assert data_folder.others_may_read(old)
    data_folder.private(old)
    assert mode(old) == 0o700


def test_pictures_mail_and_messages_are_kept_in_private_folders(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    pictures._keep(folder / "pictures" / "x.png", b"x")
    Sink(folder / "mail")
    channel = FolderChannel.__new__(FolderChannel)
    options = {"folder": str(folder / "broker")}
    connection = type("C", (), {"client": type("D", (), {"transport_options": options})})
    channel.connection = connection
    channel._folder("tidepost")
    for one in ("", "pictures", "mail", "broker", "broker/tidepost"):
        assert mode(folder / one) == 0o700, one
    monkeypatch.undo()


def test_a_folder_is_taken_by_one_process_and_free_after_its_end(tmp_path):
    said = pytest.raises(data_folder.Taken, match=f"is already served by pid {os.getpid()}$")
    with data_folder.take(tmp_path), said:
        data_folder.take(tmp_path)
    with data_folder.take(tmp_path):
        pass
    code = f"from pathlib import Path; from app import data_folder; data_folder.take(Path({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], check=True)
    with data_folder.take(tmp_path):  # that process has ended, however
        pass


def test_a_large_log_is_put_aside_and_its_writer_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(data_folder, "LARGEST_LOG", 10)
    log = tmp_path / "web.log"
    data_folder.put_aside(log)
    with log.open("ab", buffering=0) as out:
        for n in range(6):
            out.write(b"%d23456789abc\n" % n)
            data_folder.put_aside(log)
        assert log.read_bytes() == b""
        out.write(b"after\n")
    assert log.read_bytes() == b"after\n"
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["web.log", "web.log.1", "web.log.2", "web.log.3"]
    assert (tmp_path / "web.log.1").read_bytes().startswith(b"5")
    data_folder.put_aside(log)
    assert log.read_bytes() == b"after\n", "a small one stays"
