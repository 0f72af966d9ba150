"""The samples for containers and systemd: their commands run, and the programs that read them take them.

No image is built and no container runs here: that needs a daemon that most machines of tests don't have.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from app.cli import main
from tests.servers import PATIENCE, database_in, free_port, missing, until
from tests.upkeep.conftest import KEY

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / ".ci"
UNITS = sorted((SAMPLES / "systemd").glob("*.service"))
DOCKERFILE = (SAMPLES / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((SAMPLES / "compose.yaml").read_text())
OURS = {name: part for name, part in COMPOSE["services"].items() if part["image"] == "tidepost"}
BIN = Path(sys.executable).parent


def commands():
    """Every command line of ours in the samples, by where it stands."""
    for name, part in OURS.items():
        yield f"compose {name}", part["command"]
    yield "Dockerfile", json.loads(re.search(r"^CMD (\[.*\])", DOCKERFILE, re.MULTILINE)[1])
    for unit in UNITS:
        yield unit.name, re.search(r"^ExecStart=(.*)", unit.read_text(), re.MULTILINE)[1].split()


@pytest.mark.parametrize(("place", "command"), list(commands()))
def test_every_command_is_one_of_ours_with_its_options(place, command):
    program, name, *arguments = command
    assert Path(program).name == "tidepost", place
    found = main.commands[name]
    assert isinstance(found, click.Command)
    found.make_context(name, list(arguments))


def test_the_parts_are_those_of_a_whole_site():
    assert {name: part.get("deploy", {}).get("replicas", 1) for name, part in OURS.items()} == {
        "web": 2,
        "worker": 2,
        "beat": 1,
        "inbox": 1,
    }
    assert {"database", "broker", "caddy"} == COMPOSE["services"].keys() - OURS.keys()
    assert {unit.stem for unit in UNITS} == {f"tidepost-{one}" for one in (*OURS, "backup")}


def test_settings_in_the_samples_are_those_of_the_readme():
    known = set(re.findall(r"TIDEPOST_[A-Z_]+", (ROOT / "README.md").read_text()))
    for part in OURS.values():
        assert set(part["environment"]) <= known
    for unit in UNITS:
        assert set(re.findall(r"TIDEPOST_[A-Z_]+", unit.read_text())) <= known


def test_no_secret_stands_in_the_samples():
    for name, value in OURS["web"]["environment"].items():
        if any(word in name for word in ("KEY", "PASSWORD", "SMTP")):
            assert str(value).startswith("${"), name
    assert "${POSTGRES_PASSWORD" in OURS["web"]["environment"]["TIDEPOST_DATABASE_URL"]


def test_the_image_is_made_of_files_that_are_here_and_runs_as_nobody_special():
    copied = [
        one
        for line in re.findall(r"^COPY (?!--from)(.*)", DOCKERFILE, re.MULTILINE)
        for one in line.split()[:-1]
    ]
    assert copied
    assert all((ROOT / one).exists() for one in copied), copied
    assert "readme" not in DOCKERFILE or "README.md" in copied
    assert re.findall(r"^USER (.*)", DOCKERFILE, re.MULTILINE) == ["tidepost"]


def health_command(port):
    found = re.search(r"HEALTHCHECK.*?CMD (\[.*?\])$", DOCKERFILE, re.DOTALL | re.MULTILINE)[1]
    program, *arguments = json.loads(found)
    assert program == "python"
    return [sys.executable, *(one.replace(":8000/", f":{port}/") for one in arguments)]


@pytest.fixture
def start(tmp_path):
    """Starts a command of a sample with a database and keys, on a port of its own; ends it with the test."""
    running = []
    environment = os.environ | {
        "TIDEPOST_DATABASE_URL": database_in(tmp_path),
        "TIDEPOST_DATA_DIR": str(tmp_path),
        "TIDEPOST_SECRET_KEYS": KEY,
        "TIDEPOST_SMTP_URL": "smtp://127.0.0.1:9",
        "TIDEPOST_URL": "https://games.example.org",
    }

    def begin(command, port, **more):
        program, *arguments = [str(port) if one in ("8000", "2525") else one for one in command]
        out = (tmp_path / f"{arguments[0]}.log").open("wb")
        process = subprocess.Popen(
            [str(BIN / program), *arguments], env=environment | more, stdout=out, stderr=out
        )
        running.append((process, out))
        return process, lambda: Path(out.name).read_text()

    yield begin
    for process, out in running:
        process.terminate()
        process.wait(PATIENCE)
        out.close()


@pytest.mark.slow
def test_the_pages_of_the_sample_become_healthy(start):
    port = free_port()
    assert subprocess.run(health_command(port), capture_output=True, check=False).returncode != 0
    process, log = start(OURS["web"]["command"], port)

    def healthy():
        assert process.poll() is None, log()
        return subprocess.run(health_command(port), capture_output=True, check=False).returncode == 0

    until(healthy, "healthy pages", log)


@pytest.mark.slow
def test_the_inbox_of_the_sample_becomes_healthy(start):
    port = free_port()
    program, *arguments = [one.replace("2525", str(port)) for one in OURS["inbox"]["healthcheck"]["test"][1:]]
    assert program == "python"
    url = OURS["inbox"]["environment"]["TIDEPOST_INBOX_URL"].replace("2525", str(port))
    process, log = start(OURS["inbox"]["command"], port, TIDEPOST_INBOX_URL=url)

    def healthy():
        assert process.poll() is None, log()
        return subprocess.run([sys.executable, *arguments], capture_output=True, check=False).returncode == 0

    until(healthy, "a healthy inbox", log)


def test_caddy_takes_its_sample():
    caddy = shutil.which("caddy") or missing("caddy")
    environment = os.environ | {"TIDEPOST_HOST": "games.example.org"}
    done = subprocess.run(
        [str(caddy), "adapt", "--config", SAMPLES / "Caddyfile"],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode()
    assert "games.example.org" in said
    assert "web:8000" in said


def test_the_sample_of_caddy_differs_from_the_tested_one_by_names_only():
    """`tests/web/test_proxies.py` runs the other one before real pages."""
    tested = (ROOT / "app/web/proxies/Caddyfile").read_text().splitlines()[2:]
    ours = (SAMPLES / "Caddyfile").read_text().splitlines()[1:]
    named = [
        line.replace("{$TIDEPOST_HOST}", "games.example.org").replace("web:", "127.0.0.1:") for line in ours
    ]
    assert named == tested


def test_systemd_reads_the_units(tmp_path):
    analyze = shutil.which("systemd-analyze") or missing("systemd-analyze")
    for unit in (SAMPLES / "systemd").iterdir():
        written = unit.read_text().replace("/opt/tidepost/bin/tidepost", str(BIN / "tidepost"))
        (tmp_path / unit.name).write_text(written.replace("/etc/tidepost.env", "-/etc/tidepost.env"))
    done = subprocess.run(
        [str(analyze), "verify", *map(str, tmp_path.iterdir())], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
