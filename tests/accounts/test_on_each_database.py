"""What is done to all tables at once, on SQLite and on PostgreSQL."""

import json

import pytest

from app.accounts import barring, deleting, exporting, merging, persons
from tests.accounts.person import open_game, places, settle
from tests.play import cast


@pytest.fixture
def store_url(each_store_url: str) -> str:
    return each_store_url


def test_a_person_is_handed_out_merged_and_deleted(outbox, clock):
    _, ada, seat = settle(outbox, clock)
    open_game(outbox.store, "Ada", "Dan")
    cast.seat(outbox.store, ("Zoe", "Bo"), dice=b"b")
    told = json.loads(exporting.export(outbox.store, ada))
    assert told["chair"][0]["seat"] == seat
    merging.merge(outbox.store, "ada@example.org", "zoe@example.org")
    zoe = outbox.player("Zoe")
    assert len(json.loads(exporting.export(outbox.store, zoe))["chair"]) == 2
    deleting.delete(outbox.store, zoe)
    assert places(outbox.store, "ada@", "zoe@") <= {"unasked.mailbox", "suppressed.address_key"}


def test_a_domain_is_barred(outbox, clock):
    seated, ada, _ = settle(outbox, clock)
    open_game(outbox.store, "Bo", "Dan")
    done = barring.bar(outbox.store, "example.org", "", "resign")
    assert [one.name for one in done.people] == ["Ada", "Bo", "Cleo"]
    assert seated.player_view().status == "over"
    with outbox.store.reading() as connection:
        assert [one.id for one in persons.found(connection, "@example.org")][:1] == [ada]
        assert persons.found(connection, "DA")[0].name == "Ada"
    assert barring.unbar(outbox.store, "example.org").key == "@example.org"
