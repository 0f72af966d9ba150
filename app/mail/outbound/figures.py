"""Figures of the mail that goes out, for the operator: what failed and why, the mail server's last words."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.mail.core import outbox, relay
from app.people import reach, suppression
from app.store.session import Store

LATELY = timedelta(days=1)
ABOUT_US = ("us", "policy")
MANY = 3
"""Addresses that refuse letters for one reason within LATELY, and the reason is no longer theirs."""
SILENT_FOR = timedelta(minutes=15)
"""A mail server may fail for so long before somebody is told."""


class MailFigures(msgspec.Struct, frozen=True):
    """The figures."""

    wrong: tuple[str, ...]
    """Problems, in words for an operator."""
    relay_said: str
    """The mail server's last words of trouble, addresses masked; empty: there was never any."""
    relay_said_at: datetime | None
    relay_kind: str
    """connection, relay (it refused our greeting, password or sender), us, policy."""
    relay_failing_since: datetime | None
    """None: it works."""
    relay_rests_until: datetime | None
    """No email is handed to it before."""
    failed: dict[str, int]
    """Emails that failed for good within a day, by reason."""
    given_up: int
    """Of these, the ones that no server took for four days."""
    unwritable: int
    """Emails that wait because a template, a fact or their message is broken."""
    repeated: int
    """Emails that perhaps went out twice: a process ended between the server's answer and its record."""
    unreached: int
    """Addresses that refuse our emails though nothing is wrong with the mailbox."""
    suppressed: int
    """Addresses that get no emails because there is no such mailbox."""


def figures(store: Store) -> MailFigures:
    """The figures now. Raises errors of the database's driver."""
    now = clock.now()
    with store.reading() as connection:
        server = relay.read(connection)
        failed = outbox.failed_since(connection, now - LATELY)
        unwritable = outbox.count_unwritable(connection)
        repeated = outbox.count_repeated(connection)
        kinds = reach.kinds_since(connection, now - LATELY)
        unreached = reach.count(connection)
        suppressed = suppression.count_bounced(connection)
    wrong = []
    if server.since is not None and now - server.since >= SILENT_FOR:
        wrong.append(
            f"the mail server has taken nothing since {server.since:%Y-%m-%d %H:%M} UTC: {server.said}"
        )
    about_us = sum(kinds.get(kind, 0) for kind in ABOUT_US)
    if about_us >= MANY:
        wrong.append(f"{about_us} addresses refused emails because of us within a day: {server.said}")
    if unwritable:
        wrong.append(f"{unwritable} emails cannot be written or sent; the worker's log says why")
    given_up = failed.get("given_up", 0)
    if given_up:
        wrong.append(f"{given_up} emails were given up within a day, after four days of trying")
    return MailFigures(
        tuple(wrong),
        server.said,
        server.said_at,
        server.kind,
        server.since,
        server.rests_until,
        failed,
        given_up,
        unwritable,
        repeated,
        unreached,
        suppressed,
    )
