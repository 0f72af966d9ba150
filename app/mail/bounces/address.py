"""The consequence of a refusal for an address: it is blocked only if there is no such mailbox."""

from datetime import datetime, timedelta

from app.mail.bounces.refusals import About
from app.people import reach
from app.people.suppression import suppress
from app.store.connection import Connection

FULL_FOR = timedelta(days=14)
"""A mailbox that has been full for so long belongs to nobody any more."""


def refused(
    connection: Connection,
    address_key: str,
    letter_id: str,
    about: About,
    said: str,
    now: datetime,
    *,
    by_notice: bool = False,
) -> None:
    """Keep a refusal of a letter to the address: bar it, or count what is no fault of the mailbox."""
    if not address_key or about is About.LATER:
        return
    if about is not About.PERSON:
        known = reach.refused(connection, address_key, about, said, now, by_notice=by_notice)
        if about is not About.FULL or known.kind != About.FULL or now - known.since < FULL_FOR:
            return
    reach.forget(connection, address_key)
    suppress(connection, address_key, "bounced", now, letter_id)
