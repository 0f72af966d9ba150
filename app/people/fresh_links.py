"""Requests for links: one email in ten minutes and five a day, however often the form is sent.

A player's own requests (signed in, or by the link of an email) are not counted against what strangers ask for
in their name. A request within ten minutes of another is answered by the email of that one.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.store import outbox, tokens
from app.store.connection import Connection
from app.store.locks import hold_counter
from app.store.outbox import LetterRequest

LINKS, SIGN_IN = "links", "sign_in"
"""Kinds of letters."""
HOST_LINK = "host_link"
"""How the `once` of a link to the host tools begins."""
EVERY = timedelta(minutes=10)
MOST_A_DAY = 5
DAY = timedelta(days=1)
SLOWLY = timedelta(hours=4)
"""Between sign-in emails after MOST_A_DAY, so there are ten a day at most, also by strangers.

Each one's link lasts longer, so one in the inbox always works; once it was used, the next comes as ever.
"""

FORM, TURN, OWN = "form", "turn", "own"
"""How links are asked for: by the form for everybody, by a turn's link, and signed in."""


def to_player(connection: Connection, now: datetime, player_id: int, by: str) -> LetterRequest | None:
    """The letter with a player's links, or None: one went out just now, or enough did today."""
    hold_counter(connection, f"{LINKS}:{player_id}")
    since = now - DAY
    all_times = outbox.times_requested(connection, player_id, LINKS, f"{LINKS}:", since)
    counted = outbox.times_requested(connection, player_id, LINKS, f"{LINKS}:{by}:", since)
    if _just_now(all_times, now) or (by != OWN and len(counted) >= MOST_A_DAY):
        return None
    once = f"{LINKS}:{by}:{player_id}:{now.isoformat()}"
    return LetterRequest(kind=LINKS, once=once, player_id=player_id)


def to_guest(connection: Connection, now: datetime, invitation_id: int) -> LetterRequest | None:
    """As `to_player`, for a person who has no account: `invitation_id` is the first that they ever got."""
    hold_counter(connection, f"{LINKS}:guest:{invitation_id}")
    times = outbox.times_of_invitation(connection, invitation_id, LINKS, now - DAY)
    if _just_now(times, now) or len(times) >= MOST_A_DAY:
        return None
    once = f"{LINKS}:guest:{invitation_id}:{now.isoformat()}"
    return LetterRequest(kind=LINKS, once=once, invitation_id=invitation_id)


def to_sign_in(
    connection: Connection, now: datetime, player_id: int, former: str | None = None
) -> LetterRequest | None:
    """The letter with a sign-in link, to the address that a player had before if one is given; or None.

    After MOST_A_DAY it comes every four hours, never not at all; and as ever where the link of the last one
    was used, because only its reader could.
    """
    begins = f"{SIGN_IN}:{player_id}:" if former is None else f"{SIGN_IN}_former:{player_id}:"
    hold_counter(connection, begins)
    times = outbox.times_requested(connection, player_id, SIGN_IN, begins, now - DAY)
    used = tokens.last_used(connection, player_id, SIGN_IN)
    is_owner = bool(times) and used is not None and used > times[-1]
    if _just_now(times, now, EVERY if len(times) < MOST_A_DAY or is_owner else SLOWLY):
        return None
    once = f"{begins}{now.isoformat()}"
    return LetterRequest(kind=SIGN_IN, once=once, player_id=player_id, to_address=former)


def host_links_enough(connection: Connection, now: datetime, player_id: int) -> bool:
    """Whether links to the host tools were emailed to a player MOST_A_DAY times in a day, over all games."""
    begins = f"{HOST_LINK}:{player_id}:"
    hold_counter(connection, begins)
    return len(outbox.times_requested(connection, player_id, SIGN_IN, begins, now - DAY)) >= MOST_A_DAY


def _just_now(times: Sequence[datetime], now: datetime, wait: timedelta = EVERY) -> bool:
    return any(now - at < wait for at in times)
