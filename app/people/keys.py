"""Everything that opens a player's account: signed-in browsers, links, reply addresses, feeds, programs.

Browsers that are notified and webhooks end with the rest: they open nothing, but tell what is going on.
"""

from collections.abc import Sequence

from app import clock
from app.people import api_keys, confirmations, feeds, logins, subscriptions, webhooks
from app.store import outbox, tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def end_all(store: Store, player_id: int, *, fresh: bool = True) -> None:
    """End all sessions and links of a player: nothing that was open or sent before works any more.

    These are browsers that are signed in, may play a seat or are notified, keys of programs, webhooks,
    links, reply addresses, feeds, and requests that wait to be confirmed. With `fresh` new links are emailed
    to the registered address.
    """
    now = clock.now()
    with store.transaction() as connection:
        logins.end_all(connection, player_id)
        subscriptions.end_all(connection, player_id)
        api_keys.end_all(connection, player_id)
        webhooks.delete_all_of(connection, player_id)
        tokens.end_all(connection, now, player_id)
        confirmations.end_all(connection, now, player_id)
        feeds.end(connection, player_id)
        if fresh and not outbox.waits(connection, player_id, "links"):  # its links are made when it goes out
            once = f"links:{player_id}:ended:{now.isoformat()}"
            enqueue(connection, now, LetterRequest(kind="links", once=once, player_id=player_id))


def begin(store: Store, player_id: int, chair_id: int | None = None, *, before: str | None = None) -> str:
    """Sign a browser in, or (with `chair_id`) let it play that seat; returns the key for its cookie.

    `before`: the key by which it was signed in as the same player. If it is notified, it stays so.
    """
    with store.statements() as connection:
        key = logins.begin(connection, clock.now(), player_id, chair_id)
        if before is not None:
            subscriptions.pass_on(connection, before, key)
        return key


class SeatKey:
    """A new key by which a browser may play a seat, in place of keys that it had."""

    def __init__(self, player_id: int, chair_id: int, ended: Sequence[str]) -> None:
        """Nothing is written yet."""
        self._whose, self._ended, self._key = (player_id, chair_id), ended, ""

    def write(self, connection: Connection) -> None:
        """Keep it, in the transaction of the move that earned it."""
        for key in self._ended:
            logins.end(connection, key)
        self._key = logins.begin(connection, clock.now(), *self._whose)

    def written(self, store: Store) -> str:
        """The key for the cookie; it is kept now if it wasn't before."""
        if not self._key:
            with store.statements() as connection:
                self.write(connection)
        return self._key


def end(store: Store, *browsers: str) -> None:
    """End what the keys of a browser's cookie open."""
    with store.transaction() as connection:
        for key in browsers:
            logins.end(connection, key)
            subscriptions.end(connection, key)


def chair_of(store: Store, key: str) -> int | None:
    """The seat that the browser with this key may play, or None."""
    found = logins.find_outside_tx(store, clock.now(), key)
    return found.chair_id if found is not None else None
