"""The health of the whole server in one record, for an operator's monitoring."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from app import clock
from app.mail.core import inbox, passed_over
from app.mail.inbound import pulse
from app.mail.outbound.figures import LATELY, figures
from app.play.deadlines.health import MOST, health
from app.settings import Settings
from app.store.session import Store

UNREAD = timedelta(minutes=15)
"""A mail may wait so long to be read: five tries take ten minutes."""
SILENT = timedelta(minutes=10)
"""The part that takes mail in may give no sign of life for so long."""


def whole_health(store: Store, settings: Settings) -> dict[str, Any]:
    """All figures by name. `wrong` are the problems in words, and empty if nothing needs attention.

    Raises errors of the database's driver.
    """
    now = clock.now()
    with store.reading() as connection:
        waiting = inbox.count_waiting(connection, MOST)
        unreadable = inbox.count_unreadable(connection, now - LATELY, MOST)
        unreadable += passed_over.count_unkept(connection, now - LATELY)
        late = inbox.count_late(connection, now - UNREAD, MOST)
        seen = pulse.last(connection)
    site, mail = health(store, waiting), figures(store)
    wrong = [*site.wrong, *mail.wrong]
    if late:
        mails = "1 mail waits" if late == 1 else f"{late} mails wait"
        wrong.append(f"{mails} to be read for a quarter of an hour: is a worker alive?")
    if unreadable:
        mails = "1 mail" if unreadable == 1 else f"{unreadable} mails"
        wrong.append(f"{mails} of the last day could not be read: `tidepost inbox list` names them")
    if settings.inbox_url not in ("", "pipe:"):
        wrong += _of_inbox(seen, now)
    age = None if seen is None else (now - seen).total_seconds()
    more = {"mail_unreadable": unreadable, "inbox_age": age}
    return {**msgspec.structs.asdict(mail), **msgspec.structs.asdict(site), **more, "wrong": wrong}


def _of_inbox(seen: datetime | None, now: datetime) -> list[str]:
    if seen is None:
        return ["no mail was ever waited for: start `tidepost inbox`"]
    if now - seen > SILENT:
        return [
            f"mail was last waited for at {seen:%Y-%m-%d %H:%M} UTC: the log of `tidepost inbox` says why"
        ]
    return []
