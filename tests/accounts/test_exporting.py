"""All about a person in one file: everything of theirs, nothing of others, nothing that opens anything."""

import json

import pytest
from sqlmodel import SQLModel

from app.accounts import deleting, exporting
from app.people.errors import NotFound
from app.people.recipients import by_id
from tests.accounts.person import NOTED, PUSHED, REPORTED, SAID, SCRIPT, settle
from tests.mail.outbox import answer
from tests.play import cast


def exported(store, player_id):
    return exporting.export(store, player_id).decode()


def test_everything_of_theirs_is_there(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    answer(seated, seat)
    text = exported(outbox.store, ada)
    for mine in (
        "ada@example.org",
        "lovelace@new.example",
        SAID,
        NOTED,
        REPORTED,
        SCRIPT,
        "row on",
        "Ada's word",
    ):
        assert mine in text
    told = json.loads(text)
    assert [one["move"] for one in told["played"]] == ["bid 0"]
    assert told["chair"][0]["seat"] == seat
    assert told["block"] == [{"name": "Bo", "invitations_too": True, "at": told["block"][0]["at"]}]
    assert told["subscription"][0]["endpoint"] == "push.example"


def test_every_table_is_told_of_or_says_why_not(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    told = json.loads(exported(outbox.store, ada))
    named = set(told) - {"service", "made_at", "left_out"} | set(told["left_out"])
    assert named == set(SQLModel.metadata.tables)
    assert all(told["left_out"].values())


def test_nothing_of_others_is_there(outbox, clock):
    seated, ada, seat = settle(outbox, clock)
    others = [one for one in seated.rows if one != seat]
    for one in others:
        answer(seated, one, "bid 2")  # sealed, until all have bid
    with outbox.store.reading() as connection:
        addresses = [by_id(connection, seated.rows[one].player_id).address for one in others]
    text = exported(outbox.store, ada)
    assert [one for one in (*addresses, "bid 2") if one in text] == []


def test_nothing_opens_or_reaches_anything(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    text = exported(outbox.store, ada)
    (secret,) = outbox.rows('SELECT secret, seed FROM "match"')
    hashes = [one.hash for one in outbox.rows("SELECT hash FROM token")]
    hashes += [one.hash for one in outbox.rows("SELECT hash FROM apikey")]
    secrets = [one.hex() for one in (*secret, *hashes)]
    secrets += [one.hash for one in outbox.rows("SELECT hash FROM login")]
    secrets += [PUSHED, "secret-endpoint"]
    assert [one for one in secrets if one in text] == []


def test_another_gets_nothing_of_it(outbox, clock):
    _, _, _ = settle(outbox, clock)
    text = exported(outbox.store, outbox.player("Cleo"))
    assert [one for one in ("ada@example.org", NOTED, REPORTED, SCRIPT, SAID) if one in text] == []


def test_an_account_that_is_gone_is_not_told_of(outbox):
    cast.seat(outbox.store)
    ada = outbox.player("Ada")
    deleting.delete(outbox.store, ada)
    for number in (ada, 99):
        with pytest.raises(NotFound):
            exported(outbox.store, number)


def test_others_who_are_gone_are_called_someone(outbox, clock):
    _, ada, _ = settle(outbox, clock)
    bo = outbox.player("Bo")
    deleting.delete(outbox.store, bo)
    told = json.loads(exported(outbox.store, ada))
    assert [one["about"] for one in told["report"]] == ["Someone"]
