"""A worker reads a letter's row once. What changes between that and the record of a verdict is honoured."""

import pytest

from app.mail.core import outbox as rows
from app.mail.outbound import deliver
from app.people import preferences
from app.store import sql
from tests.play import cast


@pytest.fixture
def store_url(each_store_url):
    return each_store_url


@pytest.fixture
def letter(outbox):
    """The id of a letter to Ada that is due; her choice would put it off for ten minutes."""
    cast.seat(outbox.store, ("Ada", "Bo"))
    ada = outbox.player("Ada")
    outbox.write("UPDATE letter SET status = 'dropped' WHERE player_id <> :p OR kind <> 'asked'", p=ada)
    (row,) = outbox.rows("SELECT id FROM letter WHERE status = 'waiting' AND player_id = :p", p=ada)
    return row.id


def test_a_choice_between_the_verdict_and_its_record_is_the_one_that_holds(outbox, letter, monkeypatch):
    """At first sight it waits for the digest; by the time it is recorded its reader wants letters at once."""
    ada = outbox.player("Ada")
    preferences.choose(outbox.store, ada, preferences.ALL, {"turn": "digest"})
    decide, seen = deliver.decide, []

    def meanwhile(*args):
        verdict = decide(*args)
        if not seen:
            seen.append(verdict)
        return verdict

    statements, asked = outbox.store.statements, []

    def choosing():
        if seen and not asked:
            asked.append(1)
            preferences.choose(outbox.store, ada, preferences.ALL, {"turn": "at_once"})
        return statements()

    monkeypatch.setattr(deliver, "decide", meanwhile)
    monkeypatch.setattr(outbox.store, "statements", choosing)
    assert deliver.deliver(outbox.store, outbox.settings, letter, outbox.send) == "sent"
    assert [type(one).__name__ for one in seen] == ["InDigest"]
    assert outbox.rows("SELECT id FROM letter WHERE kind = 'digest'") == []


@pytest.mark.parametrize("verdict", ["put_off", "refuse"])
def test_a_row_that_has_changed_since_it_was_claimed_is_not_overwritten(outbox, clock, letter, verdict):
    now = clock.now()
    with outbox.store.transaction() as connection:
        claimed = rows.claim(connection, letter, now, now + deliver.outcome.LEASE)
    assert claimed.tries == 1
    outbox.write("UPDATE letter SET reason = 'quiet_hours' WHERE id = :l", l=letter)
    with outbox.store.transaction() as connection:
        record = {
            "put_off": lambda: rows.put_off(connection, claimed, now, "digest"),
            "refuse": lambda: rows.refuse(connection, claimed, "seen"),
        }[verdict]
        assert not record()
        rows.release(connection, claimed)
    (row,) = outbox.rows("SELECT status, reason, tries, held_until FROM letter WHERE id = :l", l=letter)
    assert tuple(row) == ("waiting", "quiet_hours", 0, None)
    with outbox.store.transaction() as connection:
        again = rows.claim(connection, letter, now, now + deliver.outcome.LEASE)
        assert rows.put_off(connection, again, now, "digest")


def test_a_letter_whose_row_changed_is_free_again_at_once(outbox, letter, monkeypatch):
    """Its record fails, nobody holds it, no try is counted, no digest is made; the next worker has it."""
    preferences.choose(outbox.store, outbox.player("Ada"), preferences.ALL, {"turn": "digest"})
    monkeypatch.setattr(rows, "put_off", lambda *_: False)
    assert deliver.deliver(outbox.store, outbox.settings, letter, outbox.send) == "waiting"
    monkeypatch.undo()
    assert outbox.rows("SELECT id FROM letter WHERE kind = 'digest'") == []
    with outbox.store.reading() as connection:
        row = rows.letter(connection, letter)
    assert (row.status, row.reason, row.tries) == ("waiting", "", 0)
    assert letter in outbox.rows("SELECT id FROM letter WHERE held_until IS NULL AND status = 'waiting'")[0]


def test_the_row_is_read_once_on_its_way_out(outbox, letter, monkeypatch):
    preferences.choose(outbox.store, outbox.player("Ada"), preferences.ALL, {"turn": "at_once"})
    told = []
    monkeypatch.setattr(sql, "watch", told.append)
    assert deliver.deliver(outbox.store, outbox.settings, letter, outbox.send) == "sent"
    monkeypatch.undo()
    own = [text for text in told if "letter WHERE id" in text or text.startswith("UPDATE letter")]
    assert len(own) == 3, own
    assert "RETURNING" in own[0], "it is claimed and read by one statement"
    assert "text_at = " in own[1], "that its text goes out is kept before"
    assert "status = 'sent'" in own[2]
