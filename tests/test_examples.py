"""Every command explains itself with an example that is one of its own lines, and most of them run."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from app import logs
from app.cli import main
from tests.servers import database_in
from tests.test_typed import commands

ROOT = Path(__file__).parent.parent
ELSEWHERE = {
    "backup": "upkeep/test_copies.py",
    "beat": "workers",
    "bench": "bench",
    "catcher": "mail",
    "demo": "test_serve.py",
    "dkim": "upkeep/test_dkim.py",
    "doctor": "upkeep/test_doctor.py",
    "export": "transcripts",
    "import": "transcripts",
    "letters": "upkeep/test_letters.py",
    "matches": "upkeep/test_matches.py",
    "new-game": "test_new_game.py",
    "operator": "upkeep/test_operator.py",
    "people": "upkeep/test_people.py",
    "rehearse": "rehearsal",
    "restore": "upkeep/test_copies.py",
    "serve": "test_serve.py",
    "simulate": "test_simulate.py",
    "transfer": "upkeep/test_transfer.py",
    "verify": "transcripts",
    "web": "upkeep/test_deploying.py",
    "words": "words",
    "worker": "workers",
}
"""Where commands run that take long, never end, or need something to work on."""


def examples(command):
    """The words of each example in a command's help."""
    found = re.findall(r"Example[^:]*:((?:.|\n(?!\n))*)", command.help or "")
    for line in found:
        text = " ".join(line.split())
        yield shlex.split(re.split(r"(?:^| )tidepost ", text, maxsplit=1)[1].partition(" > ")[0])


LINES = [
    pytest.param(names, words, id=" ".join(words))
    for names, command in commands()
    for words in examples(command)
]


@pytest.mark.parametrize(
    ("names", "command"), [pytest.param(*one, id=" ".join(one[0])) for one in commands()]
)
def test_a_command_has_an_example(names, command):
    assert list(examples(command)), names


@pytest.mark.parametrize(("names", "words"), LINES)
def test_an_example_is_a_line_that_the_command_takes(names, words, monkeypatch):
    monkeypatch.setattr(click.Path, "convert", lambda _self, value, *_: value)
    monkeypatch.setenv(logs.AS_JSON, "")  # an example may turn it on, for this process too
    assert tuple(words[: len(names)]) == names
    group, context = main, None
    for name in names:
        context, group = click.Context(group, parent=context), group.commands[name]
    group.make_context(names[-1], words[len(names) :], parent=context)


@pytest.mark.parametrize(("names", "words"), [one for one in LINES if one.values[0][0] not in ELSEWHERE])
def test_an_example_runs(names, words, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for name, value in {
        "DATABASE_URL": database_in(tmp_path),
        "DATA_DIR": str(tmp_path),
        "SECRET_KEYS": "k" * 8 + "0123456789abcdef" * 2,
    }.items():
        monkeypatch.setenv(f"TIDEPOST_{name}", value)
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == (1 if names == ("health",) else 0), done.output
    assert done.output


def test_places_where_other_examples_run_are_there():
    tests = ROOT / "tests"
    assert all((tests / place).exists() for place in ELSEWHERE.values())
    assert set(ELSEWHERE) <= set(main.commands)
