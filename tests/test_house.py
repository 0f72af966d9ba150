"""The house: arrows one way, modules of a size that can be read, nothing where it does not belong."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.accounts.erased import ERASED
from app.accounts.exported import EXPORTED
from app.accounts.joined import JOINED
from app.store.owners import OWNERS

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path
    for folder in ("app", "workers")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def imports(path: Path) -> set[str]:
    """Every dotted name that the file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def test_arrows_point_one_way():
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    shown = run(sys.executable, "-c", code)
    assert shown.returncode == 0, shown.stdout + shown.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["mypy", "ruff check --no-cache .", "ruff format --check --no-cache ."])
def test_types_and_style_hold(command):
    shown = run(sys.executable, "-m", *command.split())
    assert shown.returncode == 0, shown.stdout + shown.stderr


@pytest.mark.parametrize("act", [ERASED, EXPORTED, JOINED], ids=["erased", "exported", "joined"])
def test_every_table_is_thought_of_where_a_person_is(act):
    """A new table needs a statement, or the reason for none, in each of three modules of `app/accounts`."""
    assert set(act) == set(OWNERS)


def test_games_do_not_know_each_other():
    games = ROOT / "app" / "games"
    for path in games.rglob("*/*.py"):
        slug = path.relative_to(games).parts[0]
        assert {name.split(".")[2] for name in imports(path) if name.startswith("app.games.")} <= {slug}, path


def test_one_module_reads_the_clock_and_one_opens_a_mail_connection():
    for path in MODULES:
        if path.name != "clock.py":
            assert "datetime.now(" not in path.read_text(), path
        if path.parts[-2:] == ("bench", "letters.py"):  # whose limit is a bare one
            continue
        if path.name not in ("wire.py", "smtp.py"):
            assert "smtplib" not in imports(path), path
        if path.name != "wire.py":
            assert not re.search(r"smtplib\.(SMTP|SMTP_SSL|LMTP)\b", path.read_text()), path


def test_nothing_waits_in_a_broker_for_its_moment():
    """What a broker holds for long it delivers again and again: what is for later stands in the database."""
    calls = 0
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                calls += node.func.attr in ("apply_async", "send_task")
                assert not {"eta", "countdown"} & {word.arg for word in node.keywords}, path
    assert calls > 3


def test_modules_are_short():
    sizes = sorted((len(path.read_text().splitlines()), str(path.relative_to(ROOT))) for path in MODULES)
    assert sizes[len(sizes) // 2][0] <= 130, sizes[len(sizes) // 2]
    assert [size for size in sizes if size[0] > 420] == []


def test_nothing_stands_at_the_top_that_does_not_belong_there():
    listed = run("git", "ls-files")
    if listed.returncode:  # not a checkout: all that is there
        top = {path.name for path in ROOT.iterdir()}
    else:
        top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "app", "templates", "workers", "tests", "alembic.ini"}
    assert {name for name in top if not name.startswith(".")} <= wanted


def test_the_command_starts_without_loading_the_house():
    code = "import sys, app.cli; print([m for m in ('flask', 'celery', 'sqlmodel') if m in sys.modules])"
    assert run(sys.executable, "-c", code).stdout.strip() == "[]"


def test_the_readmes_pictures_are_there_and_light():
    named = re.findall(r'(?:src="|\]\()([^")\s]+\.png)', (ROOT / "README.md").read_text())
    assert len(named) == 2
    for name in named:
        assert 20_000 < (ROOT / name).stat().st_size <= 150_000, name


def test_no_test_measures_time_or_waits_for_it():
    """A busy machine is no fault: work is counted (`tests/work.py`), clocks are held, figures are `bench`'s.

    What another process does is waited for in one place, `servers.until`, as long as it takes.
    """
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path != ROOT / "tests" / "servers.py":
            named = {name.partition(".")[0] for name in imports(path)}
            assert not {"time", "timeit"} & named, path
            assert not re.search(r"\.now\(UTC\)|\.now\(tz|utcnow\(|\bwait_for_timeout\(", path.read_text()), (
                path
            )
