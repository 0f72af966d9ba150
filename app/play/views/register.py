"""Matches as the operator lists them, by state. It holds what everybody may know, of private ones too."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from app import clock
from app.play.deadlines.health import BOT_IDLE, OVERDUE
from app.play.match import questions
from app.play.match.editions import known
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Query

MOST = 200
"""Matches in a list."""
COUNTED = 1000
"""Counts stop here."""
STATES = ("unconfirmed", "open", "running", "over", "moved", "called_off", "hidden", "late", "stuck")
"""`late`: a deadline has passed. `stuck`: nothing followed it, or a turn of the computer is not played."""


class Entry(msgspec.Struct, frozen=True):
    """A match in a list."""

    match_id: int
    game: str
    edition: int
    status: str
    private: bool
    hidden: bool
    seats: int
    ply: int
    at: datetime
    """When it ended, started or was set up, whichever came last."""

    @property
    def playable(self) -> bool:
        """Whether this server has its rules."""
        return known(self.game, self.edition)


_COLUMNS = """id AS match_id, game, edition, status, private, hidden <> '' AS hidden, seats, ply,
    COALESCE(ended_at, started_at, created_at) AS at"""


def _of_state(state: str, moment: str) -> Query[Entry]:
    return Query(
        Entry,
        f"""SELECT {_COLUMNS} FROM (
                SELECT * FROM (SELECT * FROM "match" WHERE status = '{state}' AND NOT private
                               ORDER BY {moment} DESC LIMIT :most) o
                UNION ALL
                SELECT * FROM (SELECT * FROM "match" WHERE private AND status = '{state}'
                               ORDER BY id DESC LIMIT :most) p) m
            ORDER BY at DESC, match_id DESC LIMIT :most""",  # noqa: S608 - constants
    )


def _where(condition: str, moment: str) -> Query[Entry]:
    return Query(
        Entry,
        f'SELECT {_COLUMNS} FROM "match" WHERE {condition} ORDER BY {moment} DESC LIMIT :most',  # noqa: S608
    )


_lists = {
    "unconfirmed": _where("status = 'unconfirmed'", "id"),
    "open": _where("status = 'open'", "created_at"),
    "running": _of_state("running", "started_at"),
    "over": _of_state("over", "ended_at"),
    "moved": _where("status = 'moved'", "id"),
    "called_off": _where("status = 'called_off'", "ended_at"),
    "hidden": _where("hidden <> ''", "id"),
}
_one = Query(Entry, f'SELECT {_COLUMNS} FROM "match" WHERE id = :match_id')  # noqa: S608 - constants


def listed(store: Store, state: str, most: int = MOST) -> list[Entry]:
    """The matches of one of STATES, the latest first, `most` at most."""
    with store.reading() as connection:
        if state in _lists:
            return _lists[state].all(connection, most=most)
        found = late(connection) if state == "late" else stuck(connection)
        return [one for match_id in list(found)[:most] for one in _one.all(connection, match_id=match_id)]


def entry(store: Store, match_id: int) -> Entry | None:
    """One match, or None."""
    with store.reading() as connection:
        return _one.first(connection, match_id=match_id)


def counts(store: Store) -> dict[str, int]:
    """How many matches there are of each of STATES; counts stop at COUNTED."""
    return {state: len(listed(store, state, COUNTED)) for state in STATES}


def late(connection: Connection) -> Iterable[int]:
    """Matches in which a deadline has passed."""
    now = clock.now()
    found = (*questions.overdue(connection, now, COUNTED), *questions.in_grace(connection, COUNTED))
    return sorted(set(found), reverse=True)


def stuck(connection: Connection) -> Iterable[int]:
    """Matches that don't go on by themselves, by the measure of the server's health."""
    now = clock.now()
    past = questions.overdue(connection, now - OVERDUE, COUNTED)
    idle = questions.idle(connection, now - BOT_IDLE, COUNTED)
    return sorted({*past, *idle}, reverse=True)
