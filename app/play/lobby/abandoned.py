"""Games before their start to which nobody answers any more: they are called off, and their people told."""

from datetime import timedelta

from app import clock
from app.play.clock import rules
from app.play.clock.rules import Calendar
from app.play.lobby.invitations import LAPSED, call_off_unstarted
from app.play.lobby.snapshot import unstarted
from app.play.match import matches, site_stops
from app.store.locks import hold_match
from app.store.session import Store


def call_off(store: Store, after: timedelta, most: int) -> int:
    """Call off games for which nobody is invited and that have waited so long; returns how many.

    Time in which all clocks stand still doesn't count. Each is a transaction of its own.
    """
    now, called_off = clock.now(), 0
    with store.reading() as connection:
        calendar = Calendar(stops=site_stops.known(connection, now))
        found = matches.idle(connection, now - after, most)
    for one in found:
        due = rules.deadline(one.since, after, calendar)
        if due is not None and due <= now:
            with store.transaction() as connection:
                hold_match(connection, one.match_id)
                known = unstarted(connection, one.match_id)
                if known.status == "open" and not known.count("waiting", "invited"):
                    call_off_unstarted(connection, known, now, LAPSED)
                    called_off += 1
    return called_off
