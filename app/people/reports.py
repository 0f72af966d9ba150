"""Reports of people to the operator, who reads them with `tidepost people`."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.people.checks import check_text
from app.people.errors import Refused
from app.store import audit
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Command, Query, is_key

LONGEST = 1_000
"""Characters."""
MOST_A_DAY = 10
"""Reports of one player."""


class Report(msgspec.Struct, frozen=True):
    """A report, for the operator."""

    id: int
    match_id: int | None
    by_address: str
    by_name: str
    about_address: str
    about_name: str
    text: str
    at: datetime
    closed_at: datetime | None


_insert = Query(
    int,
    """INSERT INTO report (by_id, about_id, match_id, text, at)
       VALUES (:by_id, :about_id, :match_id, :text, :now) RETURNING id""",
)
_count = Query(int, "SELECT count(*) FROM report WHERE by_id = :by_id AND at > :since")
_same = Query(
    int,
    """SELECT id FROM report
       WHERE by_id = :by_id AND about_id = :about_id AND text = :text AND at > :since""",
)
_COLUMNS = """r.id, r.match_id, b.address AS by_address, b.name AS by_name, a.address AS about_address,
              a.name AS about_name, r.text, r.at, r.closed_at
       FROM report r JOIN player b ON b.id = r.by_id JOIN player a ON a.id = r.about_id"""
_all = Query(
    Report,
    f"""SELECT {_COLUMNS} WHERE r.closed_at IS NULL OR :closed ORDER BY r.id""",
)
_open = Query(int, "SELECT count(*) AS many FROM report WHERE closed_at IS NULL")
_close = Command("UPDATE report SET closed_at = :now WHERE id = :report_id AND closed_at IS NULL")
_forget = Command(
    """DELETE FROM report WHERE id IN (SELECT id FROM report
           WHERE closed_at IS NOT NULL AND closed_at < :before ORDER BY closed_at LIMIT :most)"""
)
_part = Command("UPDATE report SET match_id = NULL WHERE match_id = :match_id")


def file(
    connection: Connection, now: datetime, by_id: int, about_id: int, match_id: int | None, text: str
) -> tuple[int, bool]:
    """Keep a report for the operator; returns its number, and whether it is new.

    The same text within a day is the same report. Raises Refused("text_empty", "text_too_long" or
    "reported_too_often").
    """
    text, since = check_text(text, LONGEST, lines=True), now - timedelta(days=1)
    same = _same.first(connection, by_id=by_id, about_id=about_id, text=text, since=since)
    if same is not None:
        return same, False
    if _count.one(connection, by_id=by_id, since=since) >= MOST_A_DAY:
        raise Refused("reported_too_often", most=MOST_A_DAY)
    found = _insert.one(connection, by_id=by_id, about_id=about_id, match_id=match_id, text=text, now=now)
    return found, True


def reports(store: Store, *, closed: bool = False) -> tuple[Report, ...]:
    """The reports that the operator has not closed, the oldest first; with `closed`, all of them."""
    with store.reading() as connection:
        return tuple(_all.all(connection, closed=closed))


def count_open(connection: Connection) -> int:
    """The number of reports that the operator has not closed."""
    return _open.one(connection)


def close(store: Store, report_id: int, by: int | None = None) -> bool:
    """Mark a report as settled. False: there is no open report of that number.

    `by`: the player who does it on the operator's page.
    """
    if not is_key(report_id):
        return False
    now = clock.now()
    with store.transaction() as connection:
        done = _close.run(connection, report_id=report_id, now=now) == 1
        if done:
            audit.keep(connection, now, "people close", f"report {report_id}", by=by)
    return done


def forget(connection: Connection, before: datetime, most: int) -> int:
    """Delete reports that were settled before a moment; returns how many."""
    return _forget.run(connection, before=before, most=most)


def part_from_match(connection: Connection, match_id: int) -> None:
    """Let no report name a match that is to be deleted."""
    _part.run(connection, match_id=match_id)
