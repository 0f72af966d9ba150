"""A person with something in most tables, so that what stays or goes can be searched."""

import sqlalchemy as sa
from sqlmodel import SQLModel

from app.people import address, api_keys, blocks, logins, preferences, reports, suppression
from app.play.lobby import invitations
from app.play.moves import orders
from app.play.seats import chat, notes
from tests.play import cast

SAID, NOTED, REPORTED, SCRIPT = "moved to Sintra", "under the mat", "calls me names", "my script"
PUSHED = "https://push.example/secret-endpoint"


def settle(outbox, clock):
    """Ada plays with Bo and Cleo, has talked, noted, ordered, been written to, reported and more."""
    store = outbox.store
    seated = cast.seat(store, ("Ada", "Bo", "Cleo"))
    ada, bo = outbox.player("Ada"), outbox.player("Bo")
    seat = seat_of(seated, ada)
    me = seated.bearer(seat)
    chat.say(store, me, seated.match_id, f"I {SAID}")
    notes.note(store, me, seated.match_id, f"the key lies {NOTED}")
    orders.leave(store, me, seated.match_id, "row on")
    preferences.choose(store, ada, seated.match_id, {"chat": "at_once"})
    now = clock.now
    with store.transaction() as connection:
        blocks.silence(connection, now(), ada, bo, invitations=True)
        blocks.silence(connection, now(), bo, ada, invitations=False)
        reports.file(connection, now(), ada, bo, seated.match_id, f"Bo {REPORTED}")
        logins.begin(connection, now(), ada)
        suppression.suppress(connection, "ada@example.org", "unwanted", now(), match_id=99)
    api_keys.make(store, ada, SCRIPT, ("play",))
    address.request_change(store, ada, "lovelace@new.example")
    outbox.write(
        """INSERT INTO subscription (hash, player_id, session, endpoint, p256dh, auth, created_at, failures)
           SELECT 'h', id, 's', :pushed, 'p', 'a', created_at, 0 FROM player WHERE id = :ada""",
        ada=ada,
        pushed=PUSHED,
    )
    clock.advance(minutes=11)
    outbox.go()
    return seated, ada, seat


def seat_of(seated, player_id):
    return next(one for one, row in seated.rows.items() if row.player_id == player_id)


def open_game(store, host, *guests):
    """A game before its start: the host has confirmed it, and the guests are invited."""
    match_id = cast.open_table(store, (host, *guests))
    token = cast.tokens(store, match_id)[0]
    invitations.accept(store, token, host, "en", "Europe/Lisbon", "")
    return match_id


def places(store, *texts):
    """The tables and columns in which any of the texts stands, whatever the case."""
    found = set()
    with store.reading() as connection:
        for table in SQLModel.metadata.sorted_tables:
            for row in connection.execute(sa.select(table)).mappings():
                for column, value in row.items():
                    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
                    if any(one.casefold() in text.casefold() for one in texts):
                        found.add(f"{table.name}.{column}")
    return found
