"""No statement reads a table that grows from end to end: every plan of SQLite is looked through."""

import re
import sqlite3

import pytest

from app.store.migrate import upgrade
from app.store.sql import Lock
from tests.store.statements import statements

GROWING = {
    *("block", "chair", "confirmation", "deed", "formeraddress", "incoming", "invitation", "letter", "login"),
    *("match", "note", "notice", "passedover", "played", "player", "preference", "question", "standingorder"),
    *("apikey", "hookpost", "token", "unasked", "webhook", "whatif"),
}
TO_DO = {
    *("incoming_passed_over", "incoming_waiting", "invitation_waiting", "letter_repeated", "letter_waiting"),
    *("hookpost_waits", "webhook_fails"),
    *("match_called_off", "match_hidden", "match_open", "match_over", "match_running", "match_timed"),
    *("match_moved", "match_unconfirmed", "passed_over_at", "question_unmanned"),
}
"""Indexes that hold only what is to be done, or are read from their end up to a limit."""
SELDOM = {
    "app.people.operators._every": "when an operator looks at who is one",
    "app.accounts.persons._like": "a command of the operator",
    "app.accounts.persons._guests_of_domain": "a command of the operator",
    "app.play.match.matches._older": "once after an update that brings newer rules",
    "app.play.match.brought._of_secret": "once for a match that the operator brings in from a file",
    "app.play.match.questions._look_again_at_all": "once after an outage, and it changes what it reads",
}
_SCAN = re.compile(r"\bSCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?")
_MADE = re.compile(r"\b(?:CO-ROUTINE|MATERIALIZE) (\w+)")
_NAMED = re.compile(r'\b(?:FROM|JOIN|INTO|UPDATE) "?(\w+)"?(?: AS)?(?: (\w+))?')
ASKED = {
    name: one
    for name, one in statements().items()
    if not name.startswith(("app.bench.", "app.rehearsal.")) and not isinstance(one, Lock)
}


@pytest.fixture(scope="module")
def cursor(tmp_path_factory):
    """Of a migrated database without rows and statistics, as SQLite has none on a site either."""
    file = tmp_path_factory.mktemp("plans") / "plans.db"
    upgrade(f"sqlite:///{file}")
    connection = sqlite3.connect(file)
    yield connection.cursor()
    connection.close()


def scanned(cursor, statement):
    """The tables that grow and are read whole."""
    text = statement.text("sqlite")
    cursor.execute(f"EXPLAIN QUERY PLAN {text}", [None] * text.count("?"))
    plan = "\n".join(str(row[3]) for row in cursor.fetchall())
    tables = {short or table: table for table, short in _NAMED.findall(text)}
    return {
        tables.get(name, name)
        for name, index in _SCAN.findall(plan)
        if name not in _MADE.findall(plan) and index not in TO_DO
    } & GROWING


@pytest.mark.parametrize("name", ASKED)
def test_no_table_that_grows_is_read_whole(cursor, name):
    assert bool(scanned(cursor, ASKED[name])) == (name in SELDOM)
