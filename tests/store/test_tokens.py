"""Tokens of links and of addresses for replies: one row for both, and neither leads too far."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from app.store import migrate, tokens
from app.store.session import Store

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
OLD = "A" * 22
"""A turn's token as they were before."""
OLD_REPLY = "a" * 26


def both(store):
    """A turn's token whose address for replies was given too."""
    token, row = tokens.make("turn", NOW, seat="red", run=7, letter_id="letter")
    with store.transaction() as connection:
        tokens.keep(connection, [row])
    return token


def found(store, token, purpose="turn"):
    with store.reading() as connection:
        return tokens.find(connection, token, purpose)


def replied(store, token):
    with store.reading() as connection:
        return tokens.find_reply(connection, tokens.hash_of(token))


def test_one_row_is_found_by_the_link_and_by_the_address_for_replies(store):
    token = both(store)
    link, reply = found(store, token), replied(store, tokens.reply_of(token))
    assert link == reply
    assert (link.seat, link.run, link.letter_id) == ("red", 7, "letter")
    with store.reading() as connection:
        assert tokens.reply_to(connection, "letter") == tokens.hash_of(tokens.reply_of(token))


def test_the_address_for_replies_opens_no_page(store):
    """Whoever is in copy of a reply sees it."""
    token = both(store)
    reply = tokens.reply_of(token)
    for purpose in tokens.PURPOSES:
        assert found(store, reply, purpose) is None
        assert found(store, reply.upper(), purpose) is None
    with store.transaction() as connection:
        assert not tokens.use(connection, NOW, reply)


def test_a_link_whose_address_was_not_given_takes_no_replies(store):
    token, row = tokens.make("turn", NOW, seat="red", run=7)
    with store.transaction() as connection:
        tokens.keep(connection, [row])
    assert found(store, token) is not None
    assert replied(store, tokens.reply_of(token)) is None


@pytest.mark.parametrize("purpose", ["invitation", "sign_in", "address", "confirm", "undo", "again"])
def test_a_link_that_is_for_no_turn_takes_no_replies_and_opens_nothing_else(store, purpose):
    token, row = tokens.make(purpose, NOW, letter_id="letter")
    with store.transaction() as connection:
        tokens.keep(connection, [row])
        assert tokens.reply_to(connection, "letter") is None
    assert found(store, token, purpose) is not None
    assert all(found(store, token, other) is None for other in tokens.PURPOSES if other != purpose)
    assert replied(store, token) is replied(store, tokens.reply_of(token)) is None


def test_no_token_stands_in_the_database(store):
    token = both(store)
    with store.reading() as connection:
        (row,) = connection.execute(text("SELECT * FROM token")).all()
    for secret in (token, tokens.reply_of(token)):
        assert secret.encode() not in bytes(row.hash)
        assert secret not in str(tuple(row))


def test_a_row_is_kept_once(store):
    _, row = tokens.make("turn", NOW, seat="red", run=7)
    for _ in range(2):
        with store.transaction() as connection:
            tokens.keep(connection, [row])
    with store.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM token")).scalar_one() == 1


def test_links_and_addresses_of_before_are_carried_over_and_back(empty_url):
    migrate.upgrade(empty_url)
    migrate.downgrade(empty_url, "0024")
    old = Store(empty_url)
    with old.transaction() as connection:
        for token, purpose in ((OLD, "turn"), (OLD_REPLY, "reply")):
            connection.execute(
                text(
                    """INSERT INTO token (hash, purpose, seat, run, letter_id, created_at)
                       VALUES (:hash, :purpose, 'red', 7, 'letter', :at)"""
                ),
                {"hash": tokens.hash_of(token), "purpose": purpose, "at": NOW},
            )
    migrate.upgrade(empty_url)
    assert found(old, OLD).run == 7
    assert replied(old, OLD_REPLY).letter_id == "letter"
    assert replied(old, OLD) is None
    with old.reading() as connection:
        assert tokens.reply_to(connection, "letter") == tokens.hash_of(OLD_REPLY)
    new = both(old)
    migrate.downgrade(empty_url, "0024")
    with old.reading() as connection:
        rows = {row.hash: row.purpose for row in connection.execute(text("SELECT * FROM token"))}
    wanted = {OLD: "turn", OLD_REPLY: "reply", tokens.reply_of(new): "reply"}
    assert rows == {tokens.hash_of(token): purpose for token, purpose in wanted.items()}
    migrate.upgrade(empty_url)
    assert found(old, OLD).created_at == NOW
    old.engine.dispose()
