"""The operator sees why emails wait, and has one tried, repeated or dropped; each act is kept."""

import pytest
from click.testing import CliRunner

from app.cli import main
from app.mail.core import relay
from app.mail.outbound import smtp
from app.people import suppression
from app.store import audit
from app.store.sql import Query
from tests.mail.conftest import ferry, outbox
from tests.play import cast
from tests.upkeep.conftest import KEY

__all__ = ["ferry", "outbox"]
_state = Query(str, "SELECT status || ' ' || reason AS state FROM letter WHERE id = :id")
_ids = Query(str, "SELECT id FROM letter WHERE kind = 'asked' AND status = :status ORDER BY id")


@pytest.fixture
def run(outbox, store_url, tmp_path, monkeypatch):
    """Runs `tidepost letters …` beside a match that has just begun."""
    monkeypatch.setenv("TIDEPOST_DATABASE_URL", store_url)
    monkeypatch.setenv("TIDEPOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TIDEPOST_SECRET_KEYS", KEY)
    cast.seat(outbox.store)

    def invoke(*arguments):
        done = CliRunner().invoke(main, ["letters", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    return invoke


def asked(store, status="waiting"):
    with store.reading() as connection:
        return _ids.all(connection, status=status)[0]


def state(store, letter_id):
    with store.reading() as connection:
        return _state.one(connection, id=letter_id).strip()


def test_what_waits_is_listed_with_where_it_goes(run, store):
    code, said = run("list")
    assert code == 0
    line = next(line for line in said.splitlines() if line.startswith(asked(store)))
    assert "asked" in line
    assert "match #1" in line
    assert "@example.org" in line
    assert run("list", "--match", "1")[1].count("\n") >= 3
    assert run("list", "--failed")[1] == "There are none.\n"
    assert run("list", "--match", "99")[1] == "There are none.\n"


def test_why_an_email_waits(run, store, clock):
    letter = asked(store)
    with store.transaction() as connection:
        relay.failed(connection, clock.now(), "connection", "connection refused")
        suppression.suppress(connection, "ada@example.org", "bounced", clock.now())
        suppression.suppress(connection, "bo@example.org", "bounced", clock.now())
    code, said = run("why", letter)
    assert code == 0
    assert "waiting" in said
    assert "due now; 0 tries so far" in said
    assert "connection refused" in said
    assert "are stopped since" in said


def test_an_email_that_failed_is_tried_again(run, store, outbox, clock):
    for address in ("ada@example.org", "bo@example.org"):
        outbox.refusals[address] = smtp.Refused("address_refused", 550, "5.1.1 nobody of that name")
    clock.advance(minutes=20)
    outbox.go()
    failed = asked(store, "failed")
    line = next(line for line in run("list", "--failed")[1].splitlines() if line.startswith(failed))
    address = line.split()[-1]
    code, said = run("retry", failed)
    assert code == 1, "the email would be dropped, and could never be tried again"
    assert f"`tidepost letters lift {address}`" in said
    assert state(store, failed) == "failed address_refused"
    assert run("lift", address)[0] == 0
    assert run("retry", failed)[0] == 0
    assert state(store, failed) == "waiting"
    outbox.refusals.clear()
    outbox.go()
    assert state(store, failed) == "sent"


def test_an_email_is_dropped_and_the_act_is_kept(run, store):
    letter = asked(store)
    assert run("drop", letter, "--why", "a test")[0] == 0
    assert state(store, letter) == "dropped operator"
    assert run("drop", letter)[0] == 1
    with store.reading() as connection:
        (act,) = audit.latest(connection, 10)
    assert (act.act, act.about, act.why) == ("letters drop", f"letter {letter}", "a test")
    assert "letters drop" in run("acts")[1]


def test_an_email_that_went_out_is_sent_once_more(run, store, outbox, clock):
    letter = asked(store)
    clock.advance(minutes=20)
    outbox.go()
    assert state(store, letter) == "sent"
    assert run("resend", letter)[0] == 0
    code, said = run("resend", letter)
    assert code == 1
    assert said.startswith("Error: ")
    assert asked(store)


def test_addresses_that_get_nothing(run, store, clock):
    assert run("suppressed")[1] == "There are none.\n"
    with store.transaction() as connection:
        suppression.suppress(connection, "ada@example.org", "bounced", clock.now())
    assert "bounced  ada@example.org" in run("suppressed")[1]
    assert run("lift", "Ada@Example.org")[0] == 0
    assert run("suppressed")[1] == "There are none.\n"
    assert "were not stopped" in run("lift", "ada@example.org")[1]
    assert run("lift", "nonsense")[0] == 1


@pytest.mark.parametrize("command", ["why", "retry", "resend", "drop"])
def test_an_unknown_email_is_told(run, command):
    code, said = run(command, "0" * 32)
    assert code == 1
    assert "`tidepost letters list` names them" in said


@pytest.mark.parametrize("command", ["list", "why", "retry", "resend", "drop", "suppressed", "lift", "acts"])
def test_each_command_has_an_example(run, command):
    assert "Example: tidepost letters" in run(command, "--help")[1]
