"""Once a day the operator is told by email what waits, and hears nothing where nothing does."""

from datetime import timedelta

import msgspec
import pytest

from app import soundness
from app.mail.core import inbox, passed_over, relay
from app.mail.inbound import dead_letters
from app.mail.letters import waiting
from app.people import reach, reports, suppression
from app.soundness.finding import Finding
from app.store import audit
from tests.mail.outbox import body
from tests.play import cast
from tests.play.cast import rows

OPERATOR = "operator@example.org"


def fail(connection, _now):
    connection.exec_driver_sql(
        "UPDATE letter SET status = 'failed', reason = 'given_up', failed_at = created_at"
    )


def unwritable(connection, _now):
    connection.exec_driver_sql("UPDATE letter SET reason = 'unwritable', due_at = due_at * 2")


def unread(connection, now):
    empty = dict.fromkeys(("key", "source", "recipient", "token_hash", "sender"), "")
    mail = inbox.NewMail(**empty, letter_id=None, player_id=None, raw=b"mail", kind="reply")
    inbox.keep(connection, now, mail)
    connection.exec_driver_sql("UPDATE incoming SET status = 'failed'")


PLANTED = {
    "Mail servers that take nothing": lambda c, now: relay.failed(c, now, "connection", "no route"),
    "Games that don't go on": lambda c, _: c.exec_driver_sql(
        "UPDATE question SET unmanned = TRUE, asked_at = 0"
    ),
    "Emails that failed within a day": fail,
    "Emails that can't be written": unwritable,
    "Addresses that refused emails because of this server": lambda c, now: reach.refused(
        c, "gone@example.org", "us", "550 go away", now
    ),
    "Addresses that get no emails": lambda c, now: suppression.suppress(c, "ada@example.org", "bounced", now),
    "Mails that couldn't be read": unread,
    "Reports of players": lambda c, now: reports.file(c, now, 1, 2, None, "they insult me"),
}


@pytest.fixture
def settings(outbox, tmp_path, monkeypatch):
    """Settings with an operator; the machine of the tests itself is taken to be sound."""
    for file in tmp_path.glob("*.db"):
        file.chmod(0o600)
    monkeypatch.setattr("app.soundness.machine.disk", lambda _: ())
    return msgspec.structs.replace(outbox.settings, operator=OPERATOR)


def told(store):
    return [one.status for one in rows(store, "SELECT status FROM letter WHERE kind = 'waiting'")]


@pytest.mark.parametrize("what", PLANTED)
def test_what_waits_is_told_with_what_to_type(outbox, store, clock, settings, what):
    cast.seat(store)
    assert not waiting.ask(store, settings), "nothing waits"
    clock.advance(hours=1)
    with store.transaction() as connection:
        PLANTED[what](connection, clock.now())
    assert waiting.ask(store, settings)
    with store.reading() as connection:
        (found,) = waiting.waiting(connection, clock.now())
    assert what in found.what
    if "Mail server" not in what:
        outbox.go()
        (letter,) = [message for _, recipient, message in outbox.sent if recipient == OPERATOR]
        assert letter["Subject"] == "[Tidepost] 1 thing waits for you"
        assert f"tidepost {found.command}" in body(letter)
        assert "example.org" not in body(letter).partition("\n-- ")[0]


@pytest.mark.usefixtures("ferry")
def test_it_comes_once_a_day_at_most(store, clock, settings):
    cast.seat(store)
    with store.transaction() as connection:
        reports.file(connection, clock.now(), 1, 2, None, "they insult me")
    assert waiting.ask(store, settings)
    for _ in range(23):
        clock.advance(hours=1)
        assert not waiting.ask(store, settings)
    clock.advance(hours=1)
    assert waiting.ask(store, settings)
    assert not waiting.ask(store, settings)


@pytest.mark.usefixtures("ferry")
def test_it_looks_once_an_hour(store, clock, settings):
    cast.seat(store)
    assert not waiting.ask(store, settings)
    with store.transaction() as connection:
        reports.file(connection, clock.now(), 1, 2, None, "they insult me")
    assert not waiting.ask(store, settings)
    clock.advance(hours=1)
    assert waiting.ask(store, settings)


@pytest.mark.usefixtures("ferry")
def test_nobody_is_told_without_an_address(store, clock, settings):
    cast.seat(store)
    with store.transaction() as connection:
        reports.file(connection, clock.now(), 1, 2, None, "they insult me")
    assert not waiting.ask(store, msgspec.structs.replace(settings, operator=""))
    assert told(store) == []


def test_what_is_settled_before_it_goes_out_is_not_told(outbox, store, clock, settings):
    cast.seat(store)
    with store.transaction() as connection:
        reports.file(connection, clock.now(), 1, 2, None, "they insult me")
    assert waiting.ask(store, settings)
    reports.close(store, 1)
    outbox.go()
    assert told(store) == ["dropped"]


@pytest.mark.usefixtures("ferry")
def test_a_mail_that_was_dealt_with_waits_no_longer(store, clock):
    with store.transaction() as connection:
        unread(connection, clock.now())
        passed_over.keep(connection, clock.now(), b"mail", "unkept", "imap", 4)
    found = dead_letters.passed_over(store)
    assert len(found) == 2
    for one in found:
        assert dead_letters.deal_with(store, one.id)
        assert not dead_letters.deal_with(store, one.id)
    assert dead_letters.passed_over(store) == []
    with store.reading() as connection:
        assert waiting.waiting(connection, clock.now()) == ()
        assert [one.act for one in audit.latest(connection, 9)] == ["inbox done", "inbox done"]
    assert not dead_letters.deal_with(store, "nothing")
    assert timedelta(days=1) == waiting.DAY


def test_what_is_wrong_with_the_machine_is_told_too(outbox, store, clock, settings, monkeypatch):
    cast.seat(store)
    assert not waiting.ask(store, settings)
    clock.advance(hours=1)
    full = Finding("the disk is nearly full", "No move can be recorded.", "Make room")
    monkeypatch.setattr("app.soundness.machine.disk", lambda _: [full])
    assert waiting.ask(store, settings)
    outbox.go()
    (letter,) = [message for _, recipient, message in outbox.sent if recipient == OPERATOR]
    assert letter["Subject"] == "[Tidepost] 1 thing waits for you"
    said = " ".join(body(letter).split())
    assert "the disk is nearly full No move can be recorded. Make room" in said
    assert "The database takes" in said
    assert "are free" in said


@pytest.mark.usefixtures("ferry")
def test_what_could_be_better_sends_no_email(store, settings):
    cast.seat(store)
    found = soundness.of_machine(msgspec.structs.replace(settings, operator_key=""))
    assert [one.grave for one in found] == [False], found
    assert not waiting.ask(store, settings)
