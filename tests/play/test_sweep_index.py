"""Sweeps read only what is due, however much is open: by the partial indexes, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.mail.outbound import deliver
from app.play.clock.rules import Rule
from app.play.deadlines import health, outages, sweep
from app.play.match import questions
from app.store import sql
from tests.play import cast

pytestmark = pytest.mark.usefixtures("toy")

OPEN, DUE = 30_000, 7
_questions = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many})
    INSERT INTO question (match_id, seat, place, number, asks, about, run, optional, unmanned, asked_at,
                          begun_at, allowed, due_at, remind_at)
    SELECT :match_id, :mark, i, i, 'bid', '', 0, :no, :no, :now, :now, 9, :at, :at FROM n"""
_letters = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many})
    INSERT INTO letter (id, kind, once, status, reason, created_at, due_at, tries)
    SELECT :mark || i, 'asked', :mark || i, :status, '', :now, :at, 0 FROM n"""


@pytest.fixture
def full(store, clock):
    """A house with very much open, of which a few are due."""
    match = cast.seat(store, rule=Rule("per_move", per_move=90 * 86400))
    outages.beat(store)
    now, far, past = clock.now(), clock.now() + timedelta(days=40), clock.now() - timedelta(minutes=1)
    with store.transaction() as connection:
        connection.execute(text("UPDATE letter SET status = 'sent'"))
        for mark, many, at in (("far", OPEN, far), ("due", DUE, past)):
            same = {"mark": mark, "at": moment(store, at), "now": moment(store, now)}
            about = {"match_id": match.match_id, "no": False}
            connection.execute(text(_questions.format(many=many)), same | about)
            connection.execute(text(_letters.format(many=many)), same | {"status": "waiting"})
        sent = {"mark": "sent", "status": "sent", "at": moment(store, past), "now": moment(store, now)}
        connection.execute(text(_letters.format(many=OPEN)), sent)
    with store.engine.connect() as connection:
        connection.execute(text("ANALYZE"))
        connection.commit()
    return store


def moment(store, value):
    postgres = store.engine.dialect.name == "postgresql"
    return sql._written_to_postgresql(value) if postgres else sql._written_to_sqlite(value)


def explained(store, act):
    """The plans of all that an act reads from the two great tables."""
    found = []
    execute = sql.Statement._execute

    def noted(self, connection, rows, values):
        found.append((self.text(connection.dialect.name, rows), values))
        return execute(self, connection, rows, values)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sql.Statement, "_execute", noted)
        act()
    plans = []
    postgres = store.engine.dialect.name == "postgresql"
    with store.engine.connect() as connection:
        for text_of_it, values in found:
            if text_of_it.startswith("SELECT") and (" question " in text_of_it or "letter" in text_of_it):
                how = "EXPLAIN (ANALYZE, TIMING OFF) " if postgres else "EXPLAIN QUERY PLAN "
                cursor = connection.connection.cursor()
                cursor.execute(how + text_of_it, values)
                plans.append("\n".join(str(row[0] if postgres else row[3]) for row in cursor.fetchall()))
    return plans


def by_index(plan, index, postgres):
    if postgres:
        return f"using {index} on" in plan or f"on {index}" in plan
    return f"USING INDEX {index} (" in plan or f"USING COVERING INDEX {index} (" in plan


@pytest.mark.parametrize("query", ["to_remind", "due"])
def test_what_is_due_is_found_by_its_index_alone(full, query):
    def look():
        sweep._handle_all(full, getattr(questions, query), lambda *_: None)

    plans = explained(full, look)
    postgres = full.engine.dialect.name == "postgresql"
    assert plans
    for plan in plans:
        assert by_index(plan, "question_look", postgres), plan
        assert "Seq Scan" not in plan
        assert "SCAN question" not in plan
        if postgres:
            assert f"rows={DUE}." in plan or f"rows={DUE} " in plan, plan
            assert "Rows Removed by Filter" not in plan, plan


def test_letters_that_are_due_are_found_by_their_index(full):
    postgres = full.engine.dialect.name == "postgresql"
    (plan,) = explained(full, lambda: deliver.due(full))
    assert by_index(plan, "letter_waiting", postgres), plan
    assert "Seq Scan" not in plan


def test_the_figures_for_a_watch_touch_only_what_is_wrong(full, clock):
    clock.advance(minutes=10)
    postgres = full.engine.dialect.name == "postgresql"
    plans = [
        plan for plan in explained(full, lambda: health.health(full, mail_unread=0)) if "incoming" not in plan
    ]
    assert len(plans) == 4
    indexes = ("question_look", "letter_waiting", "letter_waiting", "question_unmanned")
    for plan, index in zip(plans, indexes, strict=True):
        assert by_index(plan, index, postgres), plan
    assert health.health(full, mail_unread=0).overdue == DUE
