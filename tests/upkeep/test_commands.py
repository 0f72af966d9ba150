"""The commands say what they did, or why not, in lines that an operator can act on."""

import pytest
from click.testing import CliRunner

from app.cli import main
from tests.upkeep.conftest import KEY, read


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command for a database; gives its status and what it printed."""
    monkeypatch.setenv("TIDEPOST_URL", "https://games.example.org")

    def invoke(url, *arguments, data="data", keys=KEY):
        monkeypatch.setenv("TIDEPOST_DATABASE_URL", url)
        monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path / data))
        monkeypatch.setenv("TIDEPOST_SECRET_KEYS", keys)
        done = CliRunner().invoke(main, [str(one) for one in arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def test_backup_and_restore(run, filled, databases, tmp_path):
    code, said = run(filled("sqlite"), "backup", tmp_path / "copies", "--keep", 3)
    assert code == 0
    assert "rows and the keys" in said
    assert KEY not in said
    empty = databases("sqlite")
    code, said = run(empty, "restore", tmp_path / "copies", data="new", keys="")
    assert code == 0, said
    assert "2 player" in said
    assert "made for https://games.example.org, is back" in said
    assert (tmp_path / "new" / "secret_keys").exists()
    assert len(read(empty)["match"]) == 2


def test_restore_says_which_keys_are_missing(run, filled, databases, tmp_path):
    run(filled("sqlite"), "backup", tmp_path / "copies")
    code, said = run(databases("sqlite"), "restore", tmp_path / "copies", keys="another")
    assert code == 0
    assert "TIDEPOST_SECRET_KEYS lacks keys" in said
    assert KEY not in said


def test_restore_over_games_is_refused(run, filled, tmp_path):
    url = filled("sqlite")
    run(url, "backup", tmp_path / "copies")
    code, said = run(url, "restore", tmp_path / "copies")
    assert code == 1
    assert "into an empty one only; nothing was changed" in said


def test_transfer(run, filled, databases, tmp_path):
    url, empty = filled("sqlite"), databases("postgresql")
    code, said = run(url, "transfer", "--to", empty)
    assert code == 0, said
    assert "2 letter" in said
    assert "Set TIDEPOST_DATABASE_URL to the new address" in said
    code, said = run(url, "worker")
    assert code == 1
    for command in (
        ["letters", "list"],
        ["letters", "drop", "mzxw6ytboi2dc"],
        ["people", "bars"],
        ["matches", "list"],
        ["operator", "list"],
        ["export", "1"],
        ["inbox", "list"],
        ["health"],
        ["freeze"],
        ["backup", tmp_path / "copies"],
    ):
        code, said = run(url, *command)
        assert (code, "moved" in said) == (1, True), (command, said)
    assert run(url, "inbox", "-", "--to", "match-1@games.example.org")[0] == 75, "the mail system keeps it"


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("mysql://somewhere/games", "must be written as"),
        ("postgresql://tidepost:secret@127.0.0.1:1/games", "cannot be used"),
        ("sqlite:////proc/nowhere/file.db", "cannot be used"),
    ],
)
def test_a_database_that_is_none_is_refused_without_its_password(run, filled, target, why):
    url = filled("sqlite")
    before = read(url)
    code, said = run(url, "transfer", "--to", target)
    assert code == 1
    assert why in said
    assert "nothing was changed" in said
    assert "secret" not in said
    assert read(url) == before


def test_a_folder_that_cannot_be_written_is_told(run, filled):
    code, said = run(filled("sqlite"), "backup", "/proc/copies")
    assert code == 1
    assert "nothing was changed" in said


@pytest.mark.parametrize("command", ["backup", "restore", "transfer"])
def test_each_command_explains_itself_with_an_example(run, command):
    code, said = run("sqlite:///unused.db", command, "--help")
    assert code == 0
    assert "Example" in said
