"""The role of an operator is given and taken by command."""

import pytest
from click.testing import CliRunner

from app.cli import main
from app.people import operators
from app.store import audit
from tests.mail.conftest import ferry
from tests.play import cast
from tests.upkeep.conftest import KEY

__all__ = ["ferry"]


@pytest.fixture
def run(ferry, store, store_url, tmp_path, monkeypatch):  # noqa: ARG001 - the game must be there
    """Runs `tidepost operator …` beside a game of Ada and Bo."""
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", store_url)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
    cast.seat(store)

    def invoke(*arguments):
        done = CliRunner().invoke(main, ["operator", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def test_the_role_is_given_listed_and_taken(run, store):
    assert run("list") == (0, "Nobody.\n")
    assert run("add", "Ada@Example.org") == (0, "They can open /operator, once they have signed in.\n")
    assert run("add", "ada@example.org") == (0, "They can do so already.\n")
    assert "Ada <ada@example.org>" in run("list")[1]
    assert operators.is_operator(store, 1)
    assert run("drop", "ada@example.org") == (0, "The page is closed to them.\n")
    assert not operators.is_operator(store, 1)
    with store.reading() as connection:
        assert [one.act for one in audit.latest(connection, 9)] == ["operator drop", "operator add"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("add", "eve@example.org"), "nobody plays by eve@example.org"),
        (("drop", "ada@example.org"), "is no operator"),
        (("add", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_is_said(run, arguments, why):
    code, said = run(*arguments)
    assert code == 1
    assert why in said


@pytest.mark.parametrize("command", ["", "add", "drop", "list"])
def test_each_command_explains_itself_with_an_example_that_runs(run, command):
    if command == "drop":
        run("add", "ada@example.org")
    said = run(*filter(None, [command]), "--help")[1]
    example = said.partition("Example: tidepost operator ")[2].splitlines()[0]
    assert run(*example.split())[0] == 0
