"""What an operator's watch hears: red when nothing sweeps, and when deadlines pass unseen."""

import msgspec
import pytest
from sqlalchemy import text

from app.mail.core import relay
from app.mail.inbound import pulse
from app.mail.outbound.deliver import run_batch
from app.people import reach, suppression
from app.play.clock.rules import Rule
from app.play.deadlines import outages, sweep
from app.play.lobby import expiry
from app.play.moves import bots
from app.store.tables import Incoming
from app.web import create_app
from tests.rows import rows_of

RULE = Rule("per_move", per_move=86400)


KEY = "the operator's key, which nobody else has"
OPERATOR = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def settings(settings):
    return msgspec.structs.replace(settings, operator_key=KEY)


@pytest.fixture
def look(browser, clock):
    del clock
    return lambda: browser.get("/healthz", headers=OPERATOR)


HERE = {"address": "127.0.0.1", "known": False, "unheard": False}
"""Where the tests' browser asks from: a proxy on this machine that names nobody behind it."""


def sent(house):
    """A worker did its part."""
    with house.store.engine.begin() as connection:
        connection.execute(text("UPDATE letter SET status = 'sent'"))


def test_a_house_that_sweeps_is_well(look, house):
    assert look().status_code == 503
    assert look().json["tick_age"] is None
    sweep.tick(house.store)
    answer = look()
    assert answer.status_code == 200
    assert answer.json == {
        "you": HERE,
        "wrong": [],
        "tick_age": 0.0,
        "overdue": 0,
        "without_rules": 0,
        "letters_waiting": 0,
        "mail_unread": 0,
        "mail_unreadable": 0,
        "inbox_age": None,
        "bots_idle": 0,
        "clocks_stand": False,
        "relay_said": "",
        "relay_said_at": None,
        "relay_kind": "",
        "relay_failing_since": None,
        "relay_rests_until": None,
        "failed": {},
        "given_up": 0,
        "unwritable": 0,
        "repeated": 0,
        "unreached": 0,
        "suppressed": 0,
    }


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer another key"},
        {"Authorization": KEY},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": f"Bearer {KEY}x"},
        {"Authorization": "Bearer \xe9"},
    ],
)
def test_the_figures_are_for_the_operator_alone(browser, house, look, headers):
    assert browser.get("/healthz", headers=headers).json == {"status": "wrong"}
    sweep.tick(house.store)
    answer = browser.get("/healthz", headers=headers)
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})
    assert browser.get(f"/healthz?key={KEY}").json == {"status": "ok"}
    assert "tick_age" in look().json
    assert "tick_age" in browser.get("/healthz", headers={"Authorization": f"bearer  {KEY} "}).json


def test_without_a_key_in_the_settings_nobody_sees_figures(settings, store):
    keyless = create_app(msgspec.structs.replace(settings, operator_key=""), store).test_client()
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer"}):
        assert set(keyless.get("/healthz", headers=headers).json) == {"status"}


def test_red_with_the_last_words_of_a_mail_server_that_takes_nothing(look, house, clock):
    """A wrong password for three days, and ten emails that nobody gets."""
    words = "535 5.7.8 Error: authentication failed"
    for _ in range(3 * 24):
        with house.store.transaction() as connection:
            relay.failed(connection, clock.now(), "relay", words)
        clock.advance(hours=1)
        sweep.tick(house.store)
    answer = look()
    assert answer.status_code == 503
    assert any(words in line for line in answer.json["wrong"])
    assert answer.json["relay_said"] == words
    with house.store.transaction() as connection:
        relay.took(connection, clock.now())
    assert look().status_code == 200


def test_red_with_many_refusals_that_are_about_us(look, house, clock):
    sweep.tick(house.store)
    for n in range(3):
        with house.store.transaction() as connection:
            reach.refused(connection, f"{n}@example.org", "us", "550 listed at rbl.example", clock.now())
    assert any("because of us" in line for line in look().json["wrong"])


@pytest.mark.parametrize(
    ("change", "figure", "word"),
    [
        ("status = 'waiting', reason = 'unwritable'", "unwritable", "cannot be written"),
        ("status = 'waiting', reason = 'unsendable'", "unwritable", "or sent"),
        ("status = 'failed', reason = 'given_up', failed_at = :now", "given_up", "were given up"),
    ],
)
def test_red_with_emails_that_will_never_come(look, house, clock, change, figure, word):
    house.start("Ada", "Bo")
    sweep.tick(house.store)
    assert look().status_code == 200
    now = clock.now()
    with house.store.engine.begin() as connection:
        connection.execute(
            text(f"UPDATE letter SET {change} WHERE id = (SELECT id FROM letter LIMIT 1)"),
            {"now": now} if ":now" in change else {},
        )
    assert look().status_code == 503
    assert look().json[figure] == 1
    assert any(word in line for line in look().json["wrong"])


def test_emails_of_a_match_whose_rules_are_missing_keep_nothing_red(look, house, clock, caplog, settings):
    """They wait like its clocks, and the log says so once."""
    house.start("Ada", "Bo", rule=RULE, setup="random")
    with house.store.engine.begin() as connection:
        connection.execute(text('UPDATE "match" SET game = :g'), {"g": "lost"})
    for _ in range(3):
        clock.advance(hours=2)
        sweep.tick(house.store)
        run_batch(house.store, settings, send=lambda *_: None)
    answer = look()
    assert answer.status_code == 200, answer.json["wrong"]
    assert not any(record.exc_info for record in caplog.records)


def test_no_sweep_breaks_on_matches_whose_rules_are_missing(look, house, clock, caplog, settings):
    """Open, running, left to the computer: each kind of match meets each sweep over two weeks."""
    house.open("Ada", "Bo")
    house.start("Cleo", "Dan", rule=RULE, setup="random")
    house.start("Eve", bots=2)
    with house.store.engine.begin() as connection:
        connection.execute(text('UPDATE "match" SET game = :g'), {"g": "lost"})
    for _ in range(14):
        clock.advance(days=1)
        for one in (bots.play_unmanned, sweep.tick, expiry.remind_and_expire):
            one(house.store)
        run_batch(house.store, settings, send=lambda *_: None)
    assert [record.message for record in caplog.records if record.exc_info] == []
    assert "overdue" in look().json


def test_addresses_that_get_no_emails_are_counted(look, house, clock):
    sweep.tick(house.store)
    with house.store.transaction() as connection:
        suppression.suppress(connection, "gone@example.org", "bounced", clock.now())
    assert look().json["suppressed"] == 1
    assert look().status_code == 200


def test_red_with_mail_that_cannot_be_read(look, house, clock):
    sweep.tick(house.store)
    now = clock.now()
    with house.store.engine.begin() as connection:
        columns = "id, key, kind, source, recipient, token_hash, sender, raw, status, reason, error, results"
        columns += ", received_at, tries"
        values = "'a', 'b', 'reply', 'imap', 'r+…', '', '', :raw, 'failed', '', '', '[]', :now, 3"
        connection.execute(
            text(f"INSERT INTO incoming ({columns}) VALUES ({values})"), {"raw": b"", "now": now}
        )
    assert look().json["mail_unreadable"] == 1
    assert any("tidepost inbox list" in line for line in look().json["wrong"])
    clock.advance(days=2)
    sweep.tick(house.store)
    assert look().status_code == 200


@pytest.mark.parametrize(
    "url", ["imaps://user:password@host/Games", "smtp://127.0.0.1:2525", "lmtp://127.0.0.1:24"]
)
def test_red_when_nothing_takes_mail_in(settings, store, clock, url):
    """A mailbox whose password changed, or a part that was never started: players' replies lie somewhere."""
    with_mail = msgspec.structs.replace(settings, inbox_url=url)
    browser = create_app(with_mail, store).test_client()
    sweep.tick(store)
    assert "start `tidepost inbox`" in browser.get("/healthz", headers=OPERATOR).json["wrong"][0]
    pulse.give(store)
    assert browser.get("/healthz", headers=OPERATOR).status_code == 200
    clock.advance(minutes=11)
    sweep.tick(store)
    answer = browser.get("/healthz", headers=OPERATOR)
    assert answer.status_code == 503
    assert "mail was last waited for at 2026-03-02 09:30 UTC" in answer.json["wrong"][0]


def test_a_pipe_has_no_sign_of_life(settings, store):
    browser = create_app(msgspec.structs.replace(settings, inbox_url="pipe:"), store).test_client()
    sweep.tick(store)
    assert browser.get("/healthz").status_code == 200


def test_a_match_whose_rules_are_missing_is_said_once_and_keeps_nothing_red(
    look, house, clock, caplog, monkeypatch
):
    match_id = house.start("Ada", "Bo", rule=RULE, setup="random")
    monkeypatch.setattr("app.play.match.editions._said", set())
    with house.store.engine.begin() as connection:
        connection.execute(text('UPDATE "match" SET game = :g'), {"g": "lost"})
    clock.advance(days=1, minutes=6)
    for _ in range(3):
        sweep.tick(house.store)
        clock.advance(minutes=1)
    sent(house)
    answer = look()
    assert answer.status_code == 200, answer.json["wrong"]
    assert answer.json["overdue"] == 0
    assert answer.json["without_rules"] == 1
    edition = house.rows('SELECT edition FROM "match"')[0].edition
    said = f"match {match_id} stands still: this server lacks edition {edition} of the rules of lost"
    assert [record.message for record in caplog.records if record.levelname != "DEBUG"] == [said]


def test_red_when_beat_is_silent(look, house, clock):
    """A job that stopped silently is noticed within minutes, and not after months of missing letters."""
    sweep.tick(house.store)
    clock.advance(minutes=3)
    assert look().status_code == 200
    clock.advance(minutes=1)
    assert look().status_code == 503
    assert "the last sweep ran at 2026-03-02 09:30 UTC" in look().json["wrong"][0]


def test_red_when_a_deadline_passed_and_nothing_followed(look, house, clock):
    """A time that is up and that nobody ended: after five minutes it is an alert, though sweeps run."""
    house.start("Ada", "Bo", rule=RULE, setup="random")
    clock.advance(days=1, minutes=6)
    sent(house)
    outages.beat(house.store)
    assert look().status_code == 503
    assert look().json["overdue"] == 1
    assert look().json["wrong"] == ["1 deadline is past and nothing has followed"]
    outages.freeze(house.store)
    assert look().status_code == 200


def test_letters_that_wait_and_bots_that_do_nothing_are_shown(look, house, clock):
    """A bot that does not answer does not stay unseen."""
    house.start("Ada", bots=2)
    outages.beat(house.store)
    assert look().json["letters_waiting"] == 0
    clock.advance(minutes=16)
    outages.beat(house.store)
    found = look().json
    assert found["letters_waiting"] >= 1
    assert any("nothing was tried" in line for line in found["wrong"])
    assert found["bots_idle"] >= 1
    assert any("not played for ten minutes" in line for line in found["wrong"])
    sent(house)
    bots.play_unmanned(house.store)
    sent(house)
    assert look().status_code == 200


def incoming(house, now, reason=""):
    """A mail that came in now and waits."""
    with rows_of(house.store) as rows:
        rows.add(
            Incoming(
                id="a",
                key="b",
                source="imap",
                recipient="r+…",
                sender="",
                raw=b"",
                reason=reason,
                received_at=now,
                own=True,
            )
        )


@pytest.mark.parametrize(("reason", "status"), [("", 503), ("deferred", 200)])
def test_red_with_mail_that_nobody_reads(look, house, clock, reason, status):
    """Sweeps give their sign of life whether or not replies are read; what was put off is not forgotten."""
    incoming(house, clock.now(), reason=reason)
    sweep.tick(house.store)
    assert look().status_code == 200
    clock.advance(minutes=16)
    sweep.tick(house.store)
    answer = look()
    assert answer.status_code == status
    assert ("1 mail waits to be read" in " ".join(answer.json["wrong"])) == (status == 503)


def test_red_without_a_database_and_no_word_about_where_it_is(look, browser, store):
    with store.engine.begin() as connection:
        connection.execute(text("DROP TABLE heartbeat"))
    answer = look()
    assert answer.status_code == 503
    assert answer.json == {"wrong": ["the database does not answer"], "you": HERE}
    assert browser.get("/healthz").json == {"status": "wrong"}
