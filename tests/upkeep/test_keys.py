"""The secret keys are changed by command, and what earlier ones signed goes on."""

import hashlib
import stat

import pytest
from click.testing import CliRunner

from app import settings
from app.cli import main
from app.mail.core import signed_addresses

LETTER = "a" * 13


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Types a command for a data folder with a key in it."""
    folder = tmp_path / "data"
    settings.make_keys(folder)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(folder))
    monkeypatch.delenv("TIDEPOST_SECRET_KEYS", raising=False)

    def type_(*arguments):
        result = CliRunner().invoke(main, ["keys", *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    return type_


def test_a_new_key_signs_and_those_of_before_are_accepted(run, tmp_path):
    before = settings.read()
    signed = signed_addresses.signed(before, signed_addresses.LEAVE, LETTER)
    assert "restart all parts" in run("new")
    after = settings.read()
    assert len(after.secret_keys) == 2
    assert after.secret_keys[1:] == before.secret_keys
    assert signed_addresses.letter_of(after, signed_addresses.LEAVE, signed) == LETTER
    assert signed_addresses.signed(after, signed_addresses.LEAVE, LETTER) != signed
    files = list((tmp_path / "data").iterdir())
    assert [(one.name, stat.S_IMODE(one.stat().st_mode)) for one in files] == [("secret_keys", 0o600)]
    names = [hashlib.sha256(key.encode()).hexdigest()[:8] for key in after.secret_keys]
    assert run("list") == f"{names[0]}  signs\n{names[1]}  is accepted\n"


def test_keys_of_the_environment_stay_where_they_are(run, monkeypatch):
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", "k" * 40)
    kept = settings.kept_keys(settings.data_dir_of({"TIDEPOST_DATA_DIR": ""}))
    said = run("new").splitlines()
    assert len(said[1]) == 64
    assert "before those in TIDEPOST_SECRET_KEYS" in said[0]
    assert settings.read().secret_keys == ("k" * 40,)
    assert settings.kept_keys(settings.data_dir_of({"TIDEPOST_DATA_DIR": ""})) == kept


@pytest.mark.parametrize("command", [[], ["list"], ["new"]])
def test_each_command_explains_itself(run, command):
    assert "Example: tidepost keys" in run(*command, "--help")
