"""Logs tell when, tell an outage once, and tell nobody's address."""

import io
import json
import logging
import os
import re
import sqlite3
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
import redis
from click.testing import CliRunner
from sqlalchemy import create_engine, text

from app import logs
from app.cli import log_as_json, main
from app.store.outbox import LetterRequest
from app.store.session import Store, connect
from app.web.core.allowances import BY_TOKEN
from app.web.core.security import mask
from workers import __main__ as parts

PROXIES = Path(__file__).parent.parent / "app" / "web" / "proxies"


@pytest.fixture
def written():
    """The log, as the parts write it."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    handler = logs.install(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    handler.close()


def failed(logger, error):
    try:
        raise error
    except type(error):
        logger.exception("a sweep failed")


log = logging.getLogger("tests.logs")


def test_each_line_has_its_time(written):
    log.warning("the mailbox cannot be read")
    assert written.getvalue()[:4].isdigit()
    assert written.getvalue().endswith("WARNING tests.logs: the mailbox cannot be read\n")


@pytest.mark.parametrize(
    "error",
    [
        psycopg.OperationalError("connection failed: Connection refused\n\tIs the server running?"),
        psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
        sqlite3.OperationalError("database is locked"),
        redis.exceptions.ConnectionError("Error 111 connecting to 127.0.0.1:6379."),
        ConnectionRefusedError(111, "Connection refused"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_outage_is_one_line_however_many_meet_it(written, error):
    for _ in range(100):
        failed(log, error)
    (line,) = written.getvalue().splitlines()
    assert "Traceback" not in line
    assert str(error).splitlines()[0] in line
    assert "a sweep failed" in line


def test_after_a_while_it_is_told_again_with_how_many_there_were():
    outages = logs.Repeats()
    error = sqlite3.OperationalError("database is locked")
    made = []
    for at in (0.0, 1.0, 2.0, 100.0):
        record = logging.LogRecord("n", logging.ERROR, "", 0, "failed", (), (type(error), error, None))
        record.created = at
        if outages.filter(record):
            made.append(record.getMessage())
    first = "failed: OperationalError: database is locked"
    assert made == [first, f"{first} (2 more like this)"]


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("x"), sqlite3.OperationalError("no such column: nmae"), LookupError("y")]
)
def test_a_fault_of_ours_keeps_its_traceback(written, error):
    failed(log, error)
    assert written.getvalue().count("Traceback") == 1


def test_what_follows_from_an_outage_is_one_too(written):
    try:
        try:
            raise psycopg.OperationalError("the connection is lost")
        except psycopg.OperationalError as error:
            raise LookupError("no row") from error
    except LookupError:
        log.exception("page failed")
    assert "Traceback" not in written.getvalue()


def test_no_address_no_token_and_no_row_stands_in_a_log(written):
    log.error("mail to ada@example.org by https://x.example/t/abcdefghijklmnop1234")
    detail = 'duplicate key "player_key"\nDETAIL:  Key (address_key)=(bo@example.org) already exists.'
    failed(log, psycopg.IntegrityError(detail))
    found = written.getvalue()
    assert "ada@" not in found
    assert "bo@" not in found
    assert "address_key" not in found
    assert "abcdefgh" not in found


@pytest.mark.parametrize("path", BY_TOKEN)
def test_a_link_of_each_kind_is_masked_by_logs_and_by_the_samples_for_proxies(written, path):
    link = f"{path}abcdefghijklmnop1234"
    log.error("GET https://x.example%s/table failed", link)
    assert "abcdefgh" not in written.getvalue()
    assert "abcdefgh" not in mask(f"GET {link}")
    for sample in ("nginx.conf", "Caddyfile"):
        masked = re.findall(r"/\(\?:[][a-z|]+\)/", (PROXIES / sample).read_text())
        assert masked
        assert all(re.match(one, link) for one in masked), sample


@pytest.mark.parametrize("make", [connect, lambda url: Store(url).engine], ids=["engine", "store"])
def test_a_failing_statement_shows_no_values(tmp_path, make):
    engine = make(f"sqlite:///{tmp_path}/x.db")
    with engine.connect() as connection, pytest.raises(Exception, match="no such table") as raised:
        connection.execute(text("INSERT INTO absent VALUES (:a)"), {"a": "ada@example.org"})
    engine.dispose()
    assert "ada@" not in str(raised.value)
    plain = create_engine("sqlite://")
    with plain.connect() as connection, pytest.raises(Exception, match="no such table") as raised:
        connection.execute(text("INSERT INTO absent VALUES (:a)"), {"a": "ada@example.org"})
    assert "ada@" in str(raised.value), "SQLAlchemy would print them"


@pytest.fixture
def as_json(monkeypatch):
    monkeypatch.setenv(logs.AS_JSON, "yes")


def lines(stream):
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.usefixtures("as_json")
def test_as_json_each_line_is_an_object_with_its_ids(written):
    log.warning("letter %s of match #%d was not taken by ada@example.org: /t/%s", "a" * 32, 7, "secret")
    (line,) = lines(written)
    assert line["level"] == "WARNING"
    assert line["logger"] == "tests.logs"
    assert (line["letter"], line["match"]) == ("a" * 32, "7")
    assert line["time"].endswith("+00:00")
    assert "ada" not in line["what"]
    assert "secret" not in line["what"]


@pytest.mark.usefixtures("as_json")
def test_as_json_the_id_of_a_letter_is_found_as_the_outbox_makes_it(written):
    made = LetterRequest(kind="asked", once="a turn").id
    log.warning("letter %s cannot be sent", made)
    assert lines(written)[0]["letter"] == made


@pytest.mark.usefixtures("as_json")
def test_as_json_a_traceback_stays_in_its_line_and_tells_no_address(written):
    failed(log, ValueError("two\nlines about ada@example.org"))
    (line,) = lines(written)
    assert line["what"] == "a sweep failed"
    assert "Traceback" in line["traceback"]
    assert "ada" not in line["traceback"]


def test_a_fault_that_repeats_is_told_once_and_another_too(written):
    for number in range(50):
        failed(log, ValueError(f"fault {number}"))
    failed(log, KeyError("another"))
    said = written.getvalue()
    assert said.count("Traceback") == 2
    assert "fault 0" in said
    assert "another" in said


def test_a_fault_is_told_again_after_a_while_with_its_traceback():
    repeats = logs.Repeats()
    made = []
    for at in (0.0, 1.0, 2.0, 100.0):
        try:
            raise ValueError(at)
        except ValueError:
            record = logging.LogRecord("n", logging.ERROR, "", 0, "failed", (), sys.exc_info())
        record.created = at
        if repeats.filter(record):
            made.append((record.getMessage(), bool(record.exc_info)))
    assert made == [("failed", True), ("failed (2 more like this)", True)]


@pytest.mark.parametrize("command", ["serve", "web", "worker", "beat", "inbox"])
def test_every_part_that_runs_takes_the_option(command, monkeypatch):
    monkeypatch.delenv(logs.AS_JSON, raising=False)
    done = CliRunner().invoke(main, [command, "--help"])
    assert "--log-json" in done.output
    monkeypatch.setenv(logs.AS_JSON, "")
    log_as_json(wanted=True)
    assert isinstance(logs.formatter(), logs.AsJson)


@pytest.mark.usefixtures("as_json")
def test_as_json_a_webhook_is_named_too(written):
    log.warning("webhook %d was not told of %d events: 500", 12, 3)
    assert lines(written)[0]["webhook"] == "12"


@pytest.mark.usefixtures("as_json")
def test_as_json_what_celery_prints_is_no_line_of_the_log(monkeypatch, capfd):
    def run():
        os.write(1, b"worker: Warm shutdown\n")

    def make(_settings):
        os.write(1, b"-------------- celery@here\n")
        warnings.warn("running with superuser privileges", stacklevel=1)
        return SimpleNamespace(Beat=lambda **_: SimpleNamespace(run=run))

    monkeypatch.setattr(parts.settings, "read", lambda: None)
    monkeypatch.setattr(parts, "make", make)
    handlers = logging.getLogger().handlers[:]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            assert parts.main(["beat"]) == 0
        finally:
            logging.captureWarnings(capture=False)
            logging.getLogger().handlers[:] = handlers
    out, err = capfd.readouterr()
    assert out == ""
    assert "superuser" in json.loads(err)["what"]
