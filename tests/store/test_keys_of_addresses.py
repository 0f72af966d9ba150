"""Addresses kept under the keys of an earlier version get those that tell domains apart."""

import json

import pytest
from sqlalchemy import text

from app.store import migrate
from app.store.session import connect

AT = "2026-03-02 09:30:00"
SHARP, PLAIN = "ada@xn--strae-oqa.de", "ada@strasse.de"


@pytest.fixture
def before(empty_url):
    migrate.upgrade(empty_url)
    migrate.downgrade(empty_url, "0008")
    engine = connect(empty_url)
    yield engine
    engine.dispose()


def player(engine, number, address, key, seen="NULL"):
    with engine.begin() as connection:
        connection.execute(
            text(
                f"""INSERT INTO player (id, address, address_key, name, language, zone, session_epoch,
                                        seen_at, created_at)
                    VALUES ({number}, :address, :key, 'Ada', 'en', 'UTC', 0, {seen}, '{AT}')"""
            ),
            {"address": address, "key": key},
        )


def match(engine, number=1):
    with engine.begin() as connection:
        connection.execute(
            text(
                f"""INSERT INTO "match" (id, game, edition, options, seats, bots, demo, status, secret, words,
                                         state, ply, barrier_state, barrier_ply, created_at)
                    VALUES ({number}, 'ferry', 1, '{{}}', 2, 0, :no, 'open', :secret, '[]', '', 0, '', 0,
                            '{AT}')"""
            ),
            {"no": False, "secret": b"x"},
        )


def invitation(engine, number, address, key, mailbox=""):
    with engine.begin() as connection:
        connection.execute(
            text(
                f"""INSERT INTO invitation (id, match_id, address, address_key, organiser, status, word,
                                            mailbox)
                    VALUES ({number}, 1, :address, :key, :no, 'invited', '', :mailbox)"""
            ),
            {"address": address, "key": key, "no": False, "mailbox": mailbox},
        )


def refuse(engine, key, reason="bounced"):
    with engine.begin() as connection:
        connection.execute(
            text(f"INSERT INTO suppressed (address_key, reason, at) VALUES (:key, :reason, '{AT}')"),
            {"key": key, "reason": reason},
        )


def letter(engine, name, *, sent_to, player_id=None, invitation_id=None):
    with engine.begin() as connection:
        connection.execute(
            text(
                f"""INSERT INTO letter (id, kind, once, player_id, invitation_id, status, reason, created_at,
                                        due_at, tries, sent_to)
                    VALUES (:name, 'news', :name, :player_id, :invitation_id, 'sent', '', '{AT}', '{AT}', 1,
                            :sent_to)"""
            ),
            {"name": name, "player_id": player_id, "invitation_id": invitation_id, "sent_to": sent_to},
        )


def found(engine, sql):
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


PLAYERS = "SELECT id, address_key FROM player ORDER BY id"
REFUSED = "SELECT address_key FROM suppressed ORDER BY address_key"


def test_a_domain_beyond_ascii_is_kept_as_dns_has_it(before, empty_url):
    player(before, 1, "Ada@xn--bcher-kva.example.org", "ada@bücher.example.org")
    player(before, 2, "Bo@Example.org", "bo@example.org")
    migrate.upgrade(empty_url)
    assert found(before, PLAYERS) == [(1, "ada@xn--bcher-kva.example.org"), (2, "bo@example.org")]


def test_one_key_that_was_two_goes_with_the_address_of_its_row(before, empty_url):
    """Whoever came first had the key of both; the other can be a player of their own from now on."""
    match(before)
    player(before, 1, SHARP, PLAIN)
    invitation(before, 1, PLAIN, PLAIN)
    letter(before, "a", sent_to=PLAIN, player_id=1)
    letter(before, "b", sent_to=PLAIN, invitation_id=1)
    migrate.upgrade(empty_url)
    assert found(before, PLAYERS) == [(1, SHARP)]
    assert found(before, "SELECT address_key FROM invitation") == [(PLAIN,)]
    assert found(before, "SELECT id, sent_to FROM letter ORDER BY id") == [("a", SHARP), ("b", PLAIN)]
    player(before, 2, PLAIN, PLAIN)


def test_the_mailbox_by_which_limits_count_goes_with_the_key(before, empty_url):
    match(before)
    invitation(before, 1, "ada+x@xn--bcher-kva.de", "ada+x@bücher.de", mailbox="ada@bücher.de")
    invitation(before, 2, "bo+x@example.org", "bo+x@example.org", mailbox="bo@example.org")
    migrate.upgrade(empty_url)
    mailboxes = found(before, "SELECT mailbox FROM invitation ORDER BY id")
    assert mailboxes == [("ada@xn--bcher-kva.de",), ("bo@example.org",)]


def test_of_two_rows_with_one_key_the_one_seen_last_keeps_it(before, empty_url):
    match(before)
    player(before, 1, "ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de")
    player(before, 2, "ada@xn--bcher-kva.de", "ada@bücher.de", seen=f"'{AT}'")
    invitation(before, 1, "ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de")
    invitation(before, 2, "ada@xn--bcher-kva.de", "ada@bücher.de")
    migrate.upgrade(empty_url)
    assert found(before, PLAYERS) == [(1, "ada@xn--bcher-kva.de#1"), (2, "ada@xn--bcher-kva.de")]
    keys = found(before, "SELECT id, address_key FROM invitation ORDER BY id")
    assert keys == [(1, "ada@xn--bcher-kva.de"), (2, "ada@xn--bcher-kva.de#2")]


def test_keys_may_change_places(before, empty_url):
    player(before, 1, SHARP, PLAIN)
    player(before, 2, PLAIN, "ada@elsewhere.de")
    migrate.upgrade(empty_url)
    assert found(before, PLAYERS) == [(1, SHARP), (2, PLAIN)]


@pytest.mark.parametrize("game", ["", " 7"])
def test_an_address_that_bounces_still_does_under_its_new_key(before, empty_url, game):
    player(before, 1, SHARP, PLAIN)
    refuse(before, PLAIN + game)
    refuse(before, "bo@bücher.de")
    refuse(before, "cleo@example.org")
    migrate.upgrade(empty_url)
    assert found(before, REFUSED) == [(SHARP + game,), ("bo@xn--bcher-kva.de",), ("cleo@example.org",)]


def test_what_the_mail_server_said_of_an_address_goes_with_it(before, empty_url):
    player(before, 1, SHARP, PLAIN)
    with before.begin() as connection:
        connection.execute(
            text(
                f"""INSERT INTO unreached (address_key, kind, said, since, at, times, by_notice)
                    VALUES (:key, 'person', 'no such user', '{AT}', '{AT}', 2, :no)"""
            ),
            {"key": PLAIN, "no": False},
        )
    migrate.upgrade(empty_url)
    assert found(before, "SELECT address_key, times FROM unreached") == [(SHARP, 2)]


def test_who_wanted_no_email_gets_none_whoever_of_the_two_it_was(before, empty_url):
    player(before, 1, SHARP, PLAIN)
    refuse(before, PLAIN, "unwanted")
    migrate.upgrade(empty_url)
    assert sorted(found(before, REFUSED)) == sorted([(PLAIN,), (SHARP,)])


def test_the_way_back_writes_the_earlier_keys(before, empty_url):
    player(before, 1, SHARP, PLAIN)
    refuse(before, PLAIN)
    migrate.upgrade(empty_url)
    player(before, 2, "ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de")
    player(before, 3, PLAIN, PLAIN)
    migrate.downgrade(empty_url, "0008")
    keys = dict(found(before, PLAYERS))
    assert keys[2] == "ada@bücher.de"
    assert sorted([keys[1], keys[3]]) in ([PLAIN, f"{PLAIN}#1"], [PLAIN, f"{PLAIN}#3"])
    migrate.upgrade(empty_url)
    assert dict(found(before, PLAYERS)) == {1: SHARP, 2: "ada@xn--bcher-kva.de", 3: PLAIN}
    assert json.dumps(found(before, REFUSED))
