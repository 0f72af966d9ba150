"""Rows from before limits were counted by mailbox: filled in, and names that would be links written apart."""

import pytest
from sqlalchemy import text

from app.people.mailboxes import domain_of, mailbox_of
from app.store import migrate
from app.store.session import connect

KEYS = {
    "ada@example.org": "ada@example.org",
    "ada+1@example.org": "ada@example.org",
    "ada+games+2@example.org": "ada@example.org",
    "+ada@example.org": "+ada@example.org",
    "a.d.a+x@googlemail.com": "ada@gmail.com",
    "a.da@gmail.com": "ada@gmail.com",
    "a.da@example.org": "a.da@example.org",
    "a-da@example.org": "a-da@example.org",
    "ada+1@münchen.example": "ada@münchen.example",
}
NAMES = {
    "Ada": "Ada",
    "J.R.R. Tolkien": "J.R.R. Tolkien",
    "WIN $500 www.evil.example/claim now": "WIN $500 www. evil. example/ claim now",
    "https://evil.example": "https: / / evil. example",
    "evil\uff0eexample": "evil. example",
    "me@evil.example": "me@ evil. example",
}


@pytest.mark.parametrize("key", KEYS)
def test_addresses_of_one_mailbox_are_counted_as_one(key):
    assert mailbox_of(key) == KEYS[key]
    assert domain_of(key) == KEYS[key].split("@")[1]


def test_earlier_rows_are_filled_in(empty_url):
    migrate.upgrade(empty_url)
    migrate.downgrade(empty_url, "0006")
    engine = connect(empty_url)
    with engine.begin() as connection:
        connection.execute(
            text(
                """INSERT INTO "match" (id, game, edition, options, seats, status, demo, bots, secret, words,
                                        state, ply, barrier_state, barrier_ply, created_at)
                   VALUES (1, 'nim', 1, '{}', 2, 'open', :no, 0, :secret, '[]', '', 0, '', 0,
                           '2026-01-01 00:00:00')"""
            ),
            {"no": False, "secret": b"s"},
        )
        for key in filter(str.isascii, KEYS):
            connection.execute(
                text(
                    """INSERT INTO invitation (match_id, address, address_key, organiser, status, word)
                       VALUES (1, :key, :key, :no, 'invited', '')"""
                ),
                {"key": key, "no": False},
            )
        for n, name in enumerate(NAMES):
            connection.execute(
                text(
                    """INSERT INTO player (address, address_key, name, language, zone, session_epoch,
                                           created_at)
                       VALUES (:key, :key, :name, 'en', 'UTC', 0, '2026-01-01 00:00:00')"""
                ),
                {"name": name, "key": f"p{n}@example.org"},
            )
    migrate.upgrade(empty_url)
    with engine.connect() as connection:
        kept = dict(connection.execute(text("SELECT address_key, mailbox FROM invitation")).all())
        names = connection.execute(text("SELECT name FROM player ORDER BY id")).scalars().all()
    engine.dispose()
    assert kept == {key: box for key, box in KEYS.items() if key.isascii()}
    assert names == list(NAMES.values())
