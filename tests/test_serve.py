"""One command starts everything, tends it, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import Person
from tests.servers import PATIENCE, free_port, until

ROOT = Path(__file__).parent.parent


class Served:
    """A running `tidepost serve` and what it printed."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.port, self.mail_port = free_port(), free_port()
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDEPOST_")}
        self.environment = kept | {
            "TIDEPOST_DATA_DIR": str(folder),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            **settings,
        }
        self.out = folder.parent / "out"
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                self.command("serve", "--port", str(self.port), "--mail-port", str(self.mail_port)),
                env=self.environment,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "app.cli", *arguments]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments), env=self.environment, capture_output=True, text=True, check=False
        )

    @property
    def said(self) -> str:
        return self.out.read_text()

    def until(self, condition, what: str):
        return until(condition, what, self.logs)

    def logs(self) -> str:
        return self.said + "".join(file.read_text() for file in self.folder.glob("logs/*.log"))

    def up(self) -> "Served":
        self.until(lambda: "Ctrl-C" in self.said or self.process.poll() is not None, what="the addresses")
        assert self.process.poll() is None, self.said
        return self

    def family(self) -> dict[int, str]:
        """Name and command of every process of this house, found by its folder in the environment."""
        found = {}
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and str(self.folder).encode() in (entry / "environ").read_bytes():
                    words = (entry / "cmdline").read_bytes().decode().replace("\0", " ").strip()
                    if words:  # a zombie has none
                        found[int(entry.name)] = f"{(entry / 'comm').read_text().strip()}: {words}"
            except OSError:
                continue
        return found

    def alone(self) -> bool:
        return not self.family()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(tmp_path / "data")
    yield running.up()
    if running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
        running.process.wait(PATIENCE)
    for pid in running.family():
        os.kill(pid, signal.SIGKILL)


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return answer.read().decode()


@pytest.mark.slow
def test_serve_starts_all_and_a_demo_brings_a_letter_and_all_ends_together(served):
    lobby, mail = re.findall(r"http://127\.0\.0\.1:\d+/", served.said)
    assert lobby == f"http://127.0.0.1:{served.port}/"
    assert "Tidepost" in get(lobby)
    assert "No emails yet" in get(mail)
    assert oct((served.folder / "secret_keys").stat().st_mode)[-3:] == "600"

    demo = served.run("demo")
    assert demo.returncode == 0, demo.stderr
    assert mail in demo.stdout
    page = served.until(lambda: "please confirm" in (text := get(mail)) and text, what="the first letter")
    name = re.search(r'href="/(\d{20}-\w+)"', page)[1]
    assert f"{lobby}i/" in get(f"{mail}{name}?part=text")

    worker = next(pid for pid, words in served.family().items() if "tidepost worker" in words)
    os.kill(worker, signal.SIGKILL)
    served.until(lambda: "worker ended" in served.said, what="word of the fallen worker")
    served.until(
        lambda: any("tidepost worker" in words for pid, words in served.family().items() if pid != worker),
        what="another worker",
    )
    served.run("demo", "--address", "other@tidepost.example")
    served.until(lambda: "other@tidepost.example" in get(mail), what="a letter after the fall")

    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(PATIENCE) == 0
    served.until(served.alone, "everybody to leave")
    assert not (served.folder / "serving.json").exists()
    late = served.run("demo", "--address", "third@tidepost.example")
    assert "as soon as `tidepost serve` runs" in late.stdout


@pytest.mark.slow
def test_a_letter_is_answered_in_the_box_below_it_and_the_answer_comes_there_too(served):
    _, mail = re.findall(r"http://127\.0\.0\.1:\d+/", served.said)
    person = Person("you@tidepost.example", None)

    def letter(subject: str) -> str:
        found = served.until(
            lambda: re.search(rf'href="/(\d{{20}}-\w+)">(?:(?!</a>).)*{subject}', get(mail), re.DOTALL),
            what=subject,
        )
        return f"{mail}{found[1]}"

    served.run("demo", "--game", "atlantis", "--seats", "2")
    link = re.search(r'href="(http[^"]*/i/[^"]*)"', get(letter("please confirm") + "?part=text"))[1]
    form = person.get(link).form("word")
    accept = next(one for one in form.buttons if one[1] == "accept")
    person.submit(form, accept, name="You", zone="Europe/Berlin", word="tide")
    asked = letter("your turn")
    move = " ".join(re.search("“(go [^”]+)”", get(asked + "?part=text"))[1].split())
    sent = person.submit(person.get(asked).form("text"), text=f"{move}\n\nThank you!")
    assert "is on its way" in sent.html
    served.until(lambda: "We got your reply" in person.get(sent.url).html, what="the answer")
    assert f"Played: “{move}”." in " ".join(get(letter("your reply") + "?part=text").split())


@pytest.mark.slow
def test_a_port_that_is_taken_is_named_with_the_way_out(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        environment = os.environ | {"TIDEPOST_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
        for option in ("--port", "--mail-port"):
            free = {"--port": str(free_port()), "--mail-port": str(free_port())} | {option: taken}
            shown = subprocess.run(
                [sys.executable, "-m", "app.cli", "serve", *(word for pair in free.items() for word in pair)],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert shown.returncode == 1
            assert f"port {taken} on 127.0.0.1 is taken" in shown.stderr
            assert shown.stderr.rstrip().endswith(option)


@pytest.mark.slow
def test_a_second_serve_is_turned_away_and_the_next_keeps_the_logs_and_leaves_nobody_behind(served):
    second = served.run("serve", "--port", str(free_port()), "--mail-port", str(free_port()))
    assert second.returncode == 1
    assert f"{served.folder} is already served by pid {served.process.pid}" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert "Tidepost" in get(f"http://127.0.0.1:{served.port}/")
    assert (served.folder / "serving.json").exists()

    (served.folder / "logs" / "web.log").write_text("what the last run said\n")
    served.process.send_signal(signal.SIGINT)
    served.process.wait(PATIENCE)
    again = Served(served.folder).up()
    assert "what the last run said" in (served.folder / "logs" / "web.log").read_text()

    assert len(again.family()) >= 5
    again.process.kill()
    again.process.wait(PATIENCE)
    if sys.platform == "linux":  # elsewhere nothing ends children with their parent
        again.until(again.alone, "everybody to leave")


def asked(folder, *arguments, **more):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TIDEPOST_")}
    environment |= {"TIDEPOST_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


KEYS = {"TIDEPOST_SECRET_KEYS": "a key for tests that is long enough to be one"}


@pytest.mark.slow
def test_a_demo_without_a_server_says_when_its_email_goes_out(tmp_path):
    shown = asked(tmp_path / "data", "demo", **KEYS)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "#1: a game for you" in shown.stdout
    assert "as soon as `tidepost serve` runs" in shown.stdout
    assert "table" not in shown.stdout
    without = asked(tmp_path / "other", "demo")
    assert without.returncode == 1
    assert "Traceback" not in without.stderr
    assert "`tidepost serve`" in without.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "settings"),
    [
        ("demo", {"TIDEPOST_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}),
        ("freeze", {"TIDEPOST_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}),
        ("inbox list", {"TIDEPOST_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}),
        ("inbox list", {}),
    ],
    ids=["demo", "freeze", "inbox list", "no tables"],
)
def test_a_database_that_cannot_be_used_is_one_line(tmp_path, command, settings):
    shown = asked(tmp_path, *command.split(), **KEYS, **settings)
    assert shown.returncode == 1
    (line,) = shown.stderr.splitlines()
    assert line.startswith("Error: the database ")


@pytest.mark.slow
def test_a_locked_database_is_one_line(tmp_path):
    import sqlite3

    assert asked(tmp_path, "demo", **KEYS).returncode == 0
    other = sqlite3.connect(tmp_path / "tidepost.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    shown = asked(tmp_path, "demo", **KEYS)
    other.close()
    assert shown.returncode == 1
    (line,) = shown.stderr.splitlines()
    assert "database is locked" in line
