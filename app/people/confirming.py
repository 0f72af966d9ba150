"""Requests that need more than a turn's link: an email to the registered address asks to confirm them."""

from datetime import datetime, timedelta

from app import clock
from app.people import confirmations
from app.people.confirmations import Confirmation
from app.people.errors import NotFound, Refused
from app.store import outbox, tokens
from app.store.connection import Connection
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store

KIND, PURPOSE = "confirmation", "confirm"
DELETE = "delete"
"""The request to delete the account, which is about no match, and needs a session."""
DELETION = "delete_account"
"""The kind of its email."""
RESIGN, AWAY, BACK, LETTERS = "resign", "away", "back", "letters"
ORDERS, NOTES, BLOCK, REMATCH = "orders", "notes", "block", "rematch"
PAUSE, NO_PAUSE, RESUME, KEEP_SEAT = "pause", "no_pause", "resume", "keep_seat"
MOST_A_DAY = 5
"""Requests of one kind. There is a limit because a link can be in the wrong hands."""
MOST_IN_ALL = 10
"""Requests of all kinds in a day; each is an email to the player."""
EVERY = timedelta(minutes=10)
"""Between two emails about the same request."""
CHANGES_ADDRESS = "address"
"""The kind that needs a session, and has a limit of its own."""


def request(store: Store, player_id: int, match_id: int | None, what: str, facts: dict[str, str]) -> None:
    """Keep a request as it was typed, and email the player a link that carries it out.

    The same request while it waits is one, and its email is sent again after a while: the first can be lost.
    Raises Refused("confirm_often").
    """
    now = clock.now()
    with store.transaction() as connection:
        since, day = now - confirmations.LASTS, now - timedelta(days=1)
        known = confirmations.same(connection, player_id, what, facts, match_id, since)
        if known is not None:
            _send_again(connection, now, player_id, known, what)
            return
        if confirmations.count_since(connection, player_id, what, day) >= MOST_A_DAY:
            raise Refused("confirm_often", most=MOST_A_DAY)
        if confirmations.count_all_since(connection, player_id, day, CHANGES_ADDRESS) >= MOST_IN_ALL:
            raise Refused("confirm_often", most=MOST_IN_ALL)
        number = confirmations.ask(connection, now, player_id, what, facts, match_id)
        enqueue(connection, now, _letter(player_id, number, what, f"{number}"))


def _send_again(connection: Connection, now: datetime, player_id: int, number: int, what: str) -> None:
    """Send the email of a request that waits again, unless one is on its way."""
    times = outbox.times_of_confirmation(connection, player_id, number)
    if times and now - times[-1] < EVERY:
        return
    day, kind = now - timedelta(days=1), DELETION if what == DELETE else KIND
    if len(outbox.times_requested(connection, player_id, kind, f"{KIND}:", day)) >= MOST_IN_ALL:
        raise Refused("confirm_often", most=MOST_IN_ALL)
    enqueue(connection, now, _letter(player_id, number, what, f"{number}:{now.isoformat()}"))


def _letter(player_id: int, number: int, what: str, occasion: str) -> LetterRequest:
    return LetterRequest(
        kind=DELETION if what == DELETE else KIND,
        once=f"{KIND}:{occasion}",
        player_id=player_id,
        confirmation_id=number,
    )


def requested(store: Store, token: str) -> Confirmation:
    """The request that a link confirms, done or not. Raises NotFound: it is too old, or was ended."""
    now = clock.now()
    with store.reading() as connection:
        found = tokens.find(connection, token, PURPOSE)
        number = outbox.confirmation_of(connection, found.letter_id or "") if found is not None else None
        asked = confirmations.find(connection, number) if number is not None else None
    if found is None or asked is None:
        raise NotFound("confirmation")
    if asked.done_at is None and not (found.lasts(now) and asked.waits(now)):
        raise NotFound("confirmation")
    return asked


def finish(store: Store, confirmation_id: int) -> None:
    """Mark a request as carried out."""
    with store.transaction() as connection:
        confirmations.finish(connection, clock.now(), confirmation_id)
