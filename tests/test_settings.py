"""A setting that cannot be used is refused at the start, with the way to write it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app import settings
from app.store import migrate
from tests.servers import PATIENCE, free_port, until

ROOT = Path(__file__).parent.parent
KEY = "a key for tests that nobody else has: 0123456789"


def read(tmp_path: Path, **given: str) -> settings.Settings:
    named = {f"TIDEPOST_{name}": value for name, value in given.items()}
    return settings.read({"TIDEPOST_SECRET_KEYS": KEY, "TIDEPOST_DATA_DIR": str(tmp_path)} | named)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "games.example.org"),
        ("URL", "https://games.example.org:port"),
        ("URL", "http://127.0.0.1:99999"),
        ("URL", "https://games.example.org/under"),
        ("URL", "https://games.example.org?q=1"),
        ("DATABASE_URL", "games.db"),
        ("DATABASE_URL", "mysql://host/name"),
        ("BROKER_URL", "localhost:6379"),
        ("BROKER_URL", "kafka://host"),
        ("BROKER_URL", "redis://host:port/0"),
        ("SMTP_URL", "mail.example.org"),
        ("SMTP_URL", "smtp://mail.example.org:port"),
        ("SMTP_URL", "smtp://mail.example.org?tls"),
        ("SMTP_URL", "smtp://user:pass/word@mail.example.org"),
        ("INBOX_URL", "2525"),
        ("INBOX_URL", "pop3://user:password@host"),
        ("INBOX_URL", "imaps://host/INBOX"),
        ("INBOX_URL", "smtp://0.0.0.0:port"),
        ("MAIL_DOMAIN", "not a domain"),
        ("MAIL_DOMAIN", "post@games.example.org"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_way_to_write_it(tmp_path, name, value):
    with pytest.raises(settings.BadSettings, match=rf"TIDEPOST_{name} is .* must be written as .+"):
        read(tmp_path, **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "https://games.example.org/"),
        ("URL", "http://[::1]:8000"),
        ("DATABASE_URL", "postgresql://user:p%40ss@one:5432,two:5433/name?sslmode=require"),
        ("DATABASE_URL", "postgresql:///name?host=/run/postgresql"),
        ("DATABASE_URL", "sqlite:////var/lib/tidepost/tidepost.db"),
        ("BROKER_URL", "folder://"),
        ("BROKER_URL", "redis+socket:///run/redis.sock?virtual_host=0"),
        ("BROKER_URL", "rediss://:password@host:6380/1"),
        ("BROKER_URL", "amqp://user:password@host:5672//"),
        ("SMTP_URL", "smtp://user:password@host:587?starttls"),
        ("SMTP_URL", "smtps://user%40host:password@host"),
        ("SMTP_URL", "smtp+starttls://host/"),
        ("INBOX_URL", "smtp://0.0.0.0:2525"),
        ("INBOX_URL", "lmtp://[::1]:2424"),
        ("INBOX_URL", "imaps://user%40host:password@host/Games by letter"),
        ("INBOX_URL", "imap://user:password@host:143/INBOX?starttls&move=Done"),
        ("INBOX_URL", "pipe:"),
        ("MAIL_DOMAIN", "xn--spiele-9ya.example"),
    ],
)
def test_what_can_be_used_is_taken(tmp_path, name, value):
    assert getattr(read(tmp_path, **{name: value}), name.lower()) == value.rstrip(
        "/" if name == "URL" else ""
    )


def test_a_password_is_not_repeated(tmp_path):
    with pytest.raises(settings.BadSettings) as refused:
        read(tmp_path, SMTP_URL="smtp://user:hunter2@host:port")
    assert "hunter2" not in str(refused.value)


def test_weak_keys_are_for_this_machine_only(tmp_path):
    assert read(tmp_path, SECRET_KEYS="short").secret_keys == ("short",)
    with pytest.raises(settings.BadSettings, match="weak key"):
        read(tmp_path, SECRET_KEYS="short", URL="https://games.example.org")


def environment(**given: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDEPOST_")}
    named = {f"TIDEPOST_{name}": value for name, value in given.items()}
    return kept | named | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "app.cli", *arguments]


def run(*arguments: str, **given: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command_line(*arguments), env=environment(**given), capture_output=True, text=True, check=False
    )


def start(command: str, out, **given: str) -> "subprocess.Popen[bytes]":
    more = {"web": ["--port", str(free_port())], "serve": ["--port", str(free_port())]}
    words = command_line(command, *more.get(command, []))
    return subprocess.Popen(words, env=environment(**given), stdout=out, stderr=out)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["web", "serve", "worker"])
def test_a_database_that_is_away_is_waited_for_with_a_line_and_no_traceback(tmp_path, command):
    """No process ends because the database isn't there yet; `tests/web/test_away.py` lets it come."""
    away = "postgresql://user:hunter2@127.0.0.1:1/name"
    given = {
        "DATA_DIR": str(tmp_path / "data"),
        "SECRET_KEYS": KEY,
        "DATABASE_URL": away,
        "BROKER_URL": "folder://",
    }
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = start(command, out, SMTP_URL="smtp://127.0.0.1:1", **given)
    try:
        until(
            lambda: "cannot be used" in log.read_text() or process.poll() is not None, "a line", log.read_text
        )
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait(PATIENCE)
    said = log.read_text()
    assert said.startswith("the database of TIDEPOST_DATABASE_URL cannot be used: ")
    assert "Traceback" not in said
    assert "hunter2" not in said


def test_a_data_folder_that_cannot_be_is_named_with_the_way_out(tmp_path):
    (tmp_path / "file").write_text("")
    shown = run("serve", DATA_DIR=str(tmp_path / "file" / "data"))
    assert shown.returncode == 1
    assert len(shown.stderr.splitlines()) == 1
    assert str(tmp_path / "file") in shown.stderr
    assert "TIDEPOST_DATA_DIR" in shown.stderr


def test_a_database_of_a_newer_house_is_left_alone(tmp_path):
    url = f"sqlite:///{tmp_path}/newer.db"
    migrate.upgrade(url)
    engine = migrate.connect(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("UPDATE house SET oldest = '9999'")
    engine.dispose()
    with pytest.raises(migrate.CannotUpgrade, match="9999"):
        migrate.upgrade(url)


def test_an_sqlite_file_is_for_its_owner_alone(tmp_path):
    old = os.umask(0o022)
    try:
        migrate.upgrade(f"sqlite:///{tmp_path}/made.db")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "made.db").stat().st_mode) == 0o600
