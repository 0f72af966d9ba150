"""The cost of queries over all matches as their number grows, and the tables that they read whole.

The rows are copies of those of three real matches (one open, one running, one over) without their states and
logs, which these queries don't read.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from app import clock, games
from app.bench import RUNS, Figure
from app.bench.population import Population
from app.bench.rows import copies, largest
from app.bench.server import database
from app.mail.core import inbox, outbox
from app.mail.core.inbox import NewMail
from app.play.deadlines import sweep
from app.play.deadlines.health import health
from app.play.lobby import expiry
from app.play.match import matches, questions
from app.play.views import feeds, lists, mine, open_games, pending, punctuality
from app.retention import sweep as retention
from app.settings import Keep
from app.store import sql
from app.store.connection import Connection
from app.store.session import Store
from app.store.sql import Query

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000, 100_000)
AIM = 2.0
SHARES = {"over": 70, "running": 25, "open": 5}
"""Percent of the matches."""
LETTERS = 3
"""Kept of each match; they are read by keys, so more would only take longer to write."""
SEATS = 3
A_PLAYER = 40
"""Seats that a player has had in all."""
LISTED = 20

_TRIES = 15
_SCAN = re.compile(r"\bSCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?")
_MADE = re.compile(r"\b(?:CO-ROUTINE|MATERIALIZE) (\w+)")
"""Results of a subselect, which are read whole."""
_SMALL = {"house", "heartbeat"}

_MAIL = NewMail("bench", "reply", "stdin", "r+…@bench.example", "", None, None, "", b"a mail")

_player_of_seat = Query(
    int,
    """SELECT player_id FROM chair WHERE player_id IS NOT NULL AND until IS NULL
       GROUP BY player_id ORDER BY count(*) DESC, player_id LIMIT 1""",
)
_PARTIAL = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"


def figures(url: str = "", *, quick: bool = False) -> Iterator[Figure]:
    """Milliseconds of each query with the most matches, beside those with the fewest, and its scans."""
    sizes = QUICK_SIZES if quick else SIZES
    with database(url) as (store, _, _):
        crowd = _Crowd(store)
        spent: list[Mapping[str, tuple[float, ...]]] = []
        for size in sizes:
            crowd.grow(size)
            spent.append({name: _milliseconds(act) for name, act in crowd.acts().items()})
        for name in spent[0]:
            title = f"{name}, {sizes[-1]:,} matches beside {sizes[0]:,}"
            yield Figure(title, "ms", spent[-1][name], spent[0][name], AIM, most=True)
        if store.engine.dialect.name == "sqlite":
            for name, act in crowd.acts().items():
                scans = _scans(store, act)
                title = f"{name}: tables read whole" + (f" ({', '.join(scans)})" if scans else "")
                yield Figure(title, "", (float(len(scans)),), aim=0, most=True)


class _Crowd:
    """A database with as many matches as are wanted, copies of three."""

    def __init__(self, store: Store) -> None:
        self.store = store
        people = Population(store, "crowd")
        opened = people.begin(accepted=1)
        people.grow(1)
        self.models = {"open": opened, "over": people.finished(), "running": people.matches[0]}
        with store.transaction() as connection:
            inbox.keep(connection, clock.now(), _MAIL)
            self.chairs = largest(connection, "chair")
        self.size = 0

    def grow(self, size: int) -> None:
        """Add copies of the three matches until there are so many."""
        more = size - self.size
        with self.store.transaction() as connection:
            players = _Numbers(largest(connection, "player"), more * SEATS // A_PLAYER)
            copies(
                connection,
                "player",
                "t.id = 1",
                players.many,
                id=f"{players.after} + n",
                address_key=f"'crowd' || ({players.after} + n) || '@bench.example'",
            )
            for status, model in self.models.items():
                after = largest(connection, "match")
                self._copy(connection, model, _Numbers(after, more * SHARES[status] // 100), players)
        with self.store.engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
            connection.commit()
        self.size = size

    def _copy(self, connection: Any, model: int, matches: "_Numbers", players: "_Numbers") -> None:
        """Copies of a match and of the rows about it. Each seat's player is another one."""
        new = f"({matches.after} + n)"
        of_match = f"t.match_id = {model}"
        whose = f"{players.after} + 1 + (n * {SEATS} + t.id) * 7919 % {players.many}"
        many = matches.many
        same = {"state": "''", "barrier_state": "''"}
        copies(connection, "match", f"t.id = {model}", many, id=new, **same)
        copies(connection, "chair", of_match, many, match_id=new, player_id=whose)
        still = f"{of_match} AND t.closed_at IS NULL"
        copies(connection, "question", still, many, match_id=new)
        guest = f"'guest' || {new} || '.' || t.id || '@bench.example'"
        copies(connection, "invitation", of_match, many, match_id=new, address_key=guest)
        letter = {"id": f"t.id || '.' || {new}", "once": f"t.once || '.' || {new}", "player_id": "NULL"}
        letter |= {"status": "'sent'", "invitation_id": "NULL"}
        latest = f"SELECT id FROM letter WHERE match_id = {model} ORDER BY created_at DESC LIMIT {LETTERS}"  # noqa: S608
        copies(connection, "letter", f"t.id IN ({latest})", many, match_id=new, **letter)
        mail = {"id": f"{new} || '.'", "key": f"{new} || '.'", "status": "'read'"}
        copies(connection, "incoming", f"t.key = '{_MAIL.key}'", many, **mail)

    def acts(self) -> dict[str, Callable[[], object]]:
        """The queries: those that pages ask, and those that beat's tick asks when nothing is due."""
        store = self.store
        with store.reading() as connection:
            player = _player_of_seat.one(connection)
        some_game = min(games.all_games())
        return {
            "lobby": lambda: lists.public_lines(store, LISTED),
            "my games": lambda: [mine.page(store, player, which, LISTED) for which in mine.LISTS],
            "how many games are mine": lambda: mine.counts(store, player),
            "open games": lambda: [
                open_games.open_games(store, LISTED, slug=slug) for slug in ("", some_game)
            ],
            "finished games": lambda: [
                open_games.finished_games(store, LISTED, slug=slug, seats=seats)
                for slug in ("", some_game)
                for seats in (0, 3)
            ],
            "a player's finished games": lambda: open_games.finished_games(store, LISTED, player_id=player),
            "a player's punctuality": lambda: punctuality.punctuality(store, player),
            "next game that waits": lambda: pending.next_match(store, player),
            "feeds": lambda: _read(store, lambda c: feeds.content(c, player, clock.now())),
            "sweep of the clocks": lambda: sweep.tick(store),
            "automated seats": lambda: _read(store, lambda c: questions.automated(c, LISTED)),
            "sweep of invitations": lambda: expiry.remind_and_expire(store),
            "sweep of what is old": lambda: retention.sweep(store, Keep()),
            "letters due": lambda: _read(store, lambda c: outbox.due(c, clock.now(), LISTED)),
            "mails waiting": lambda: _read(store, lambda c: inbox.waiting(c, clock.now(), LISTED)),
            "oldest clock, after an outage": lambda: _read(store, matches.oldest_clock),
            "health": lambda: health(store, 0),
        }


class _Numbers(msgspec.Struct, frozen=True):
    """So many keys after another."""

    after: int
    many: int


def _read(store: Store, act: Callable[[Connection], object]) -> None:
    with store.reading() as connection:
        act(connection)


def _milliseconds(act: Callable[[], object]) -> tuple[float, ...]:
    """Of each run, the median of several tries."""
    act()
    return tuple(statistics.median(_once(act) for _ in range(_TRIES)) for _ in range(RUNS))


def _once(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def _scans(store: Store, act: Callable[[], object]) -> tuple[str, ...]:
    """The tables that SQLite reads from end to end for it. An index of only some rows may be read so."""
    asked: list[str] = []
    sql.watch = asked.append
    try:
        act()
    finally:
        sql.watch = None
    found: dict[str, None] = {}
    with store.reading() as connection:
        few = {str(name) for (name,) in connection.exec_driver_sql(_PARTIAL)}
        cursor = connection.connection.cursor()
        for text in dict.fromkeys(asked):
            if text.split()[0] in ("SELECT", "UPDATE", "DELETE", "WITH"):
                cursor.execute(f"EXPLAIN QUERY PLAN {text}", (None,) * text.count("?"))
                plan = "\n".join(str(row[3]) for row in cursor.fetchall())
                fine = _SMALL | set(_MADE.findall(plan))
                found |= {
                    name: None for name, by in _SCAN.findall(plan) if name not in fine and by not in few
                }
    return tuple(found)
