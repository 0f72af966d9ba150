"""Everything that opens a player's account: browsers that are signed in, links, reply addresses, feeds."""

from app import clock
from app.people import confirmations, feeds, logins
from app.store import outbox, tokens
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store


def end_all(store: Store, player_id: int, *, fresh: bool = True) -> None:
    """End all sessions and links of a player: nothing that was open or sent before works any more.

    These are browsers that are signed in or may play a seat, links, reply addresses, feeds, and requests that
    wait to be confirmed. With `fresh` new links are emailed to the registered address.
    """
    now = clock.now()
    with store.transaction() as connection:
        logins.end_all(connection, player_id)
        tokens.end_all(connection, now, player_id)
        confirmations.end_all(connection, now, player_id)
        feeds.end(connection, player_id)
        if fresh and not outbox.waits(connection, player_id, "links"):  # its links are made when it goes out
            once = f"links:{player_id}:ended:{now.isoformat()}"
            enqueue(connection, now, LetterRequest(kind="links", once=once, player_id=player_id))


def begin(store: Store, player_id: int, chair_id: int | None = None) -> str:
    """Sign a browser in, or (with `chair_id`) let it play that seat; returns the key for its cookie."""
    with store.transaction() as connection:
        return logins.begin(connection, clock.now(), player_id, chair_id)


def end(store: Store, *browsers: str) -> None:
    """End what the keys of a browser's cookie open."""
    with store.transaction() as connection:
        for key in browsers:
            logins.end(connection, key)


def chair_of(store: Store, key: str) -> int | None:
    """The seat that the browser with this key may play, or None."""
    with store.reading() as connection:
        found = logins.find(connection, clock.now(), key)
    return found.chair_id if found is not None else None
