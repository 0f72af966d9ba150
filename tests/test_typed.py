"""Bad input to a command is refused in one line, and nothing is done."""

import math

import click
import pytest
from click.testing import CliRunner

from app.cli import main
from app.options import Place
from tests.servers import database_in


def commands(group=main, *names):
    """Every command that does something, with its names."""
    for name in group.list_commands(click.Context(group)):
        found = group.commands[name]
        if isinstance(found, click.Group):
            yield from commands(found, *names, name)
        else:
            yield (*names, name), found


def parameters(*kinds):
    return [
        pytest.param(names, one, id=f"{' '.join(names)} {one.name}")
        for names, command in commands()
        for one in command.params
        if isinstance(one.type, kinds)
    ]


@pytest.mark.parametrize(
    ("names", "parameter"), parameters(click.types.IntParamType, click.types.FloatParamType)
)
@pytest.mark.parametrize("typed", ["-1", "9" * 20, "one", "", "nan", "1e999"])
def test_a_number_has_its_bounds(names, parameter, typed):
    assert isinstance(parameter.type, click.IntRange | click.FloatRange), names
    assert not any(math.isinf(one) for one in (parameter.type.min, parameter.type.max))
    with pytest.raises(click.BadParameter):
        parameter.type.convert(typed, parameter, None)


@pytest.mark.parametrize(("names", "parameter"), parameters(click.Path))
def test_an_empty_place_is_none(names, parameter):
    assert parameter.type.exists or isinstance(parameter.type, Place), names
    with pytest.raises(click.BadParameter):
        parameter.type.convert("", parameter, None)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command in a house without games; gives its status and the last line that it printed."""
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "DATABASE_URL": database_in(tmp_path),
        "DATA_DIR": str(tmp_path),
        "SECRET_KEYS": "k" * 8 + "0123456789abcdef" * 2,
        "URL": "https://games.example.org",
    }.items():
        monkeypatch.setenv(f"TIDEPOST_{name}", value)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")

    def invoke(line):
        done = CliRunner().invoke(main, [one.strip("'") for one in line.split()])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output.rstrip().rpartition("\n")[2]

    return invoke


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("doctor --send nobody", "--send: 'nobody' is no email address"),
        ("doctor --records binary", "--records: binary can't be read as text"),
        ("doctor --nameserver binary", "--nameserver"),
        ("people bar @", "“@” doesn’t look like an email address"),
        ("people bar ''", "enter an email address"),
        ("people find ''", "There is nobody."),
        ("transfer --to nowhere", "--to is 'nowhere'; it must be written as postgresql://"),
        ("transfer --to postgresql://a:secret@127.0.0.1:1/a", "the database of --to cannot be used"),
        ("restore binary", "is a file"),
        ("import binary", "nothing was changed"),
        ("verify binary", "binary: no: "),
        ("scenario binary", "cannot be read"),
        ("matches show 99999999999999999999", "is not in the range"),
        ("matches show 99", "there is no game 99"),
        ("export 99", "there is no match 99"),
        ("letters why x", "there is no email 'x'"),
        ("dkim use x", "there is no key 'x'"),
        ("operator drop ''", "enter an email address"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, line, said, tmp_path):
    before = sorted(tmp_path.iterdir())
    status, last = run(line)
    assert said in last
    assert "secret" not in last
    assert status != 0 or "nobody" in last
    assert [one for one in sorted(tmp_path.iterdir()) if "test.db" not in one.name] == [
        one for one in before if "test.db" not in one.name
    ]
