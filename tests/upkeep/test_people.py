"""The operator finds, bars, merges, hands out and deletes people by command; each command has an example."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from app.cli import main
from app.people import service
from tests.mail.conftest import ferry, outbox
from tests.play import cast
from tests.upkeep.conftest import KEY

__all__ = ["ferry", "outbox"]
COMMANDS = sorted(main.commands["people"].commands)


@pytest.fixture
def run(outbox, store_url, tmp_path, monkeypatch):
    """Runs `tidepost people …` beside a match of Ada and Bo that has just begun."""
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", store_url)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
    cast.seat(outbox.store)

    def invoke(*arguments, typed=""):
        done = CliRunner().invoke(main, ["people", *arguments], input=typed)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def example(command):
    """The words of a command's example, without what a shell does with them."""
    said = CliRunner().invoke(main, ["people", command, "--help"]).output
    found = re.search(r"Example: tidepost people ((?:[^\n]|\n(?! *\n))+)", said)
    assert found, command
    return shlex.split(found[1].partition(">")[0].replace("\n", " "))


@pytest.mark.parametrize("command", COMMANDS)
def test_each_example_runs(run, outbox, command):
    """Where the example's people are not there, it says so in one line."""
    with outbox.store.transaction() as connection:
        for address in ("ada@old.example", "ada@new.example", "eve@spam.example"):
            service.keep(connection, address, address, "Ada", "en", "UTC")
    if command == "unbar":
        run("bar", "@spam.example")
    if command == "close":
        outbox.write(
            """INSERT INTO report (id, by_id, about_id, text, at)
               SELECT 3, 1, 2, 'rude', created_at FROM player WHERE id = 1"""
        )
    code, said = run(*example(command), typed="y\n")
    assert code == 0, said
    assert "Traceback" not in said


def test_people_are_found_with_their_games(run):
    said = run("find", "ada@example.org")[1]
    assert "Ada <ada@example.org>" in said
    assert "plays in #1" in said
    assert run("find", "nobody@example.org")[1] == "There is nobody.\n"


def test_a_bar_asks_about_running_games(run):
    code, said = run("bar", "Ada+x@example.org", "--why", "rude")
    assert code == 1
    assert "Ada <ada@example.org> plays in #1" in said
    assert "say --keep-games or --resign-games; nothing was changed" in said
    assert run("bars")[1] == "Nothing is barred.\n"
    code, said = run("bar", "Ada+x@example.org", "--why", "rude", "--keep-games")
    assert code == 0
    assert said.splitlines()[0] == "ada@example.org is barred."
    assert "#1: Ada plays on" in said
    assert "ada@example.org  rude" in run("bars")[1]
    assert "barred by ada@example.org" in run("find", "ada@example.org")[1]
    assert run("unbar", "ada@example.org")[1] == "ada@example.org is no longer barred.\n"
    code, said = run("unbar", "ada@example.org")
    assert (code, "is not barred" in said) == (1, True)


def test_what_is_no_address_is_said_in_a_sentence(run):
    code, said = run("bar", "not an address")
    assert code == 1
    assert said.startswith("Error: ")


def test_an_export_is_json(run):
    assert json.loads(run("export", "ada@example.org")[1])["player"][0]["name"] == "Ada"
    code, said = run("export", "@example.org")
    assert (code, "several people's" in said) == (1, True)


def test_a_deletion_is_asked_about(run, outbox):
    code, said = run("delete", "ada@example.org", typed="n\n")
    assert code == 1
    assert "has a seat in 1 running games" in said
    assert outbox.player("Ada")
    number = outbox.player("Ada")
    assert run("delete", f"#{number}", "--yes")[1] == f"The account #{number} is deleted.\n"
    assert f"#{number}  deleted" in run("find", f"#{number}")[1]
    acts = CliRunner().invoke(main, ["letters", "acts"]).output
    assert f"people delete  player {number}  the operator did it" in acts
    assert "ada@" not in acts


def test_a_merge_that_cannot_be_is_refused_in_one_line(run):
    code, said = run("merge", "ada@example.org", "bo@example.org", "--yes")
    assert code == 1
    assert (
        said
        == "Error: both belong to #1, and one person can't have two places in a game; nothing was changed\n"
    )
    assert run("merge", "ada@example.org", "nobody@example.org", "--yes")[0] == 1


def test_an_address_does_not_stay_in_the_log_of_acts(run, outbox):
    run("bar", "ada@example.org", "--resign-games", "--why", "ada@example.org is rude")
    run("delete", "ada@example.org", "--yes")
    acts = CliRunner().invoke(main, ["letters", "acts"]).output
    assert "ada@" not in acts
    assert "player 1 is rude" in acts
    assert outbox.rows("SELECT key FROM bar")[0].key == "ada@example.org"  # or they begin anew
