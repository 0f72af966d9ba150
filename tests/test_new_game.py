"""`tidepost new-game`: what it writes is a game, with no change anywhere else."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from app import new_game
from app.cli import main

ROOT = Path(__file__).parent.parent
SLUG = "nine_holes"
CHECKED = ("tests/games/test_contract.py", "tests/games/test_words.py", "tests/editions/test_stored_names.py")
EVERYWHERE = (
    *CHECKED,
    "tests/web/test_every_game.py",
    "tests/web/test_rules.py",
    "tests/mail/test_words.py",
    "tests/mail/test_quoted_letters.py",
    "tests/play/test_real_games.py",
    "tests/test_simulate.py",
    "tests/test_narrate.py",
    "tests/test_prose.py",
    "tests/games/test_leaks.py",
)
"""Every test that is run for each game there is."""


@pytest.fixture
def checkout(tmp_path):
    """A copy of the source with a new game in it."""
    copied = shutil.ignore_patterns("__pycache__", "*.pyc", "replies")
    for name in ("app", "templates", "tests", "workers"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=copied)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    for path in new_game.create(SLUG, tmp_path):
        assert (tmp_path / path).read_text()
    return tmp_path


def run(folder: Path, *command: str) -> str:
    """What a command prints in a copy of the source, where it has to succeed."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def passed(folder: Path, *files: str) -> int:
    """How many tests of the new game pass there; none may fail."""
    shown = run(folder, "pytest", "-q", "-p", "no:cacheprovider", "-k", SLUG, f"tests/games/{SLUG}", *files)
    found = re.search(r"(\d+) passed", shown)
    assert found is not None
    return int(found[1])


def test_a_new_game_keeps_the_contract_as_it_is(checkout):
    run(checkout, "ruff", "check", "--no-cache", "app/games", "tests/games")
    run(checkout, "ruff", "format", "--check", "--no-cache", "app/games", "tests/games")
    assert passed(checkout, *CHECKED) > 60


@pytest.mark.long
def test_a_new_game_passes_whatever_is_tested_of_every_game(checkout):
    run(checkout, "mypy", "--no-incremental")
    assert passed(checkout, *EVERYWHERE) > 80


def test_nothing_of_the_skeleton_is_left_to_fill_in(checkout):
    written = [
        path
        for room in new_game.ROOMS.values()
        for path in (checkout / room / SLUG).rglob("*")
        if path.is_file()
    ]
    assert len(written) > 12
    for path in written:
        assert not re.search(r"__(slug|Title|Class)__", path.read_text()), path
        assert path.suffix in (".py", ".html", ".svg", ".txt", ".jinja", ".yaml", ".json")


@pytest.mark.parametrize(
    "slug", ["", "x", "Nim", "9holes", "nine-holes", "../nim", "class", "a" * 31, "né", "true"]
)
def test_a_bad_name_is_refused(slug, tmp_path):
    with pytest.raises(new_game.CannotCreate, match="can't be the name of a game"):
        list(new_game.create(slug, tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("slug", ["nim", "ferry"])
def test_a_game_of_the_tests_own_keeps_its_name(slug):
    shown = CliRunner().invoke(main, ["new-game", slug])
    assert shown.exit_code == 1
    assert f"the tests use the name {slug}" in shown.output
    assert not (ROOT / "app" / "games" / slug).exists()


def test_a_game_that_is_there_is_left_alone():
    before = (ROOT / "app" / "games" / "survive" / "__init__.py").read_text()
    shown = CliRunner().invoke(main, ["new-game", "survive"])
    assert shown.exit_code == 1
    assert "app/games/survive is there already" in shown.output
    assert (ROOT / "app" / "games" / "survive" / "__init__.py").read_text() == before


@pytest.mark.parametrize("room", list(new_game.ROOMS.values()))
def test_one_folder_that_is_there_is_enough_to_refuse(room, tmp_path):
    for other in new_game.ROOMS.values():
        (tmp_path / other).mkdir(parents=True)
    (tmp_path / room / SLUG).mkdir()
    with pytest.raises(new_game.CannotCreate, match="is there already"):
        list(new_game.create(SLUG, tmp_path))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_it_is_written_into_a_checkout_alone(tmp_path):
    with pytest.raises(new_game.CannotCreate, match="no checkout"):
        list(new_game.create(SLUG, tmp_path))
