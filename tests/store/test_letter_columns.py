"""Letters that were asked for with one text for everything keep what it said, in columns of their own."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from app.store import migrate
from app.store.moments import moment_of
from tests.mail import sent_letters

COLUMNS = (
    "run",
    "by_seat",
    "consequence",
    "guest_id",
    "offer",
    "due_match_id",
    "digest_at",
    "absence_id",
    "to_address",
    "incoming_id",
)
EXAMPLES = [
    ("asked", "7", {"run": 7}),
    ("late", "3 default", {"run": 3, "consequence": "default"}),
    ("timed_out", "12 replace", {"run": 12, "consequence": "replace"}),
    ("nudge", "5 green", {"run": 5, "by_seat": "green"}),
    ("answered", "11", {"guest_id": 11}),
    ("expired", "12", {"guest_id": 12}),
    ("seat_offer", "", {}),
    ("seat_offer", "himself", {"offer": "own_wish"}),
    ("seat_offer", "still", {"offer": "reminder"}),
    ("reminder", "4", {"due_match_id": 4}),
    ("digest", "2026-03-31T07:00+00:00", {"digest_at": datetime(2026, 3, 31, 7, tzinfo=UTC)}),
    ("digest", "2026-03-31T07:00+02:00", {"digest_at": datetime(2026, 3, 31, 5, tzinfo=UTC)}),
    ("away", "9", {"absence_id": 9}),
    ("address", "ada@example.org", {"to_address": "ada@example.org"}),
    ("address_changed", "ada@example.net", {"to_address": "ada@example.net"}),
    ("reply", "a1b2", {"incoming_id": "a1b2"}),
    ("reply_confirm", "c3d4", {"incoming_id": "c3d4"}),
    ("news", "seat_open:1:2026", {}),
    ("over", "", {}),
]
"""A text of each shape, and what it must come to."""


def kept(engine):
    with engine.connect() as connection:
        found = connection.execute(text(f"SELECT once, {', '.join(COLUMNS)} FROM letter")).all()
    return {
        row.once: {name: _moment(value) for name, value in row._mapping.items() if value is not None}
        | {"once": None}
        for row in found
    }


def _moment(value):
    if isinstance(value, int) and value > 10**12:
        return moment_of(value)
    return value.astimezone(UTC) if isinstance(value, datetime) else value


@pytest.fixture
def old(empty_url):
    """The database at 0002, with the letters of the fixture and one waiting letter of each shape."""
    engine = sent_letters.at_0002(empty_url)
    insert = text(
        """INSERT INTO letter (id, kind, once, about, status, reason, created_at, due_at, tries)
           VALUES (:id, :kind, :id, :about, 'waiting', '', :at, :at, 0)"""
    )
    with engine.begin() as connection:
        for number, (kind, about, _) in enumerate(EXAMPLES):
            at = "2026-03-30 10:00:00.000000"
            connection.execute(insert, {"id": f"e{number}", "kind": kind, "about": about, "at": at})
    yield engine
    engine.dispose()


def test_every_shape_of_the_text_becomes_columns(old, empty_url):
    migrate.upgrade(empty_url)
    found = kept(old)
    for number, (kind, about, wanted) in enumerate(EXAMPLES):
        assert found[f"e{number}"] == wanted | {"once": None}, (kind, about)


def test_every_letter_of_the_fixture_is_carried_over(old, empty_url):
    rows = sent_letters.stored_rows()["letter"]
    assert len({row["kind"] for row in rows}) == 27
    migrate.upgrade(empty_url)
    found = kept(old)
    for row in rows:
        said = {str(value) for name, value in found[row["once"]].items() if name != "once"}
        if row["kind"] in ("news", "started", "seat_offer", "digest"):
            continue
        assert said == set(row["about"].split()), row


def test_the_way_back_writes_the_text_again(old, empty_url):
    migrate.upgrade(empty_url)
    migrate.downgrade(empty_url, "0002")
    with old.connect() as connection:
        said = {row.once: row.about for row in connection.execute(text("SELECT once, about FROM letter"))}
    for number, (kind, about, wanted) in enumerate(EXAMPLES):
        if wanted and "+02:00" not in about:
            assert said[f"e{number}"] == about, kind
