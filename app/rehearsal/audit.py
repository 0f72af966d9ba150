"""An independent audit: works out each reminder and timeout, and reports every difference as a fault."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from app import narrate
from app.play.clock import rules
from app.play.clock.rules import Calendar, Rule, Stop
from app.play.match.links import hash_of
from app.play.match.snapshot import rule, stops
from app.rehearsal.correspondents import Taken
from app.store.session import Store
from app.store.statement import Statement, moment, moment_or_none, stored

_runs = Statement(
    """SELECT DISTINCT m.id, q.seat, q.run, m.clock, m.stops, q.begun_at, q.allowed, q.due_at, q.late_at,
              p.id, p.address, p.zone, p.away, p.reminders, c.open_since
       FROM question q
       JOIN "match" m ON m.id = q.match_id AND m.status = 'running'
       JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       JOIN player p ON p.id = c.player_id
       WHERE q.closed_at IS NULL AND NOT q.optional AND q.begun_at IS NOT NULL AND c.resigned_at IS NULL"""
)
_house = Statement("SELECT stops FROM house WHERE id = 1")
_notices = Statement(
    """SELECT id, match_id, seat, what FROM notice
       WHERE id > ? AND what IN ('late', 'timed_out') ORDER BY id"""
)
_hints = Statement(
    """SELECT MIN(at) FROM (
           SELECT MIN(due_at) AS at FROM question WHERE closed_at IS NULL AND due_at > ?
           UNION ALL SELECT MIN(remind_at) FROM question WHERE closed_at IS NULL AND remind_at > ?) found"""
)
_turn = Statement("SELECT match_id FROM token WHERE hash = ?")
_asked = Statement(
    """SELECT DISTINCT c.match_id FROM chair c JOIN player p ON p.id = c.player_id
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat AND q.closed_at IS NULL
       WHERE p.address = ? AND c.until IS NULL"""
)


class Run(msgspec.Struct, frozen=True):
    """An open turn whose clock has begun, as stored."""

    match_id: int
    seat: str
    run: int
    rule: Rule
    pauses: tuple[Stop, ...]
    begun_at: datetime
    allowed: timedelta
    announced: datetime | None
    late_at: datetime | None
    player_id: int
    address: str
    zone: str
    away: tuple[Stop, ...]
    reminders: str
    open: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """Identifies the clock; a different key means that a new clock began."""
        return (self.match_id, self.seat, self.player_id, self.run, self.begun_at, self.late_at)

    def calendar(self, house: tuple[Stop, ...]) -> Calendar:
        """The calendar of its clock."""
        return Calendar(self.zone, self.rule.off, (*self.pauses, *house, *self.away))

    @property
    def runs(self) -> tuple[datetime, timedelta]:
        """Start and length of the current period: the turn, or the grace after it."""
        if self.late_at is not None:
            return self.late_at, timedelta(seconds=self.rule.grace)
        return self.begun_at, self.allowed


@lru_cache(maxsize=8192)
def due_of(run: Run, house: tuple[Stop, ...]) -> datetime | None:
    """The end of the turn, or of its grace; None while the clock stands still."""
    return rules.deadline(*run.runs, run.calendar(house), run.announced)


@lru_cache(maxsize=8192)
def reminders_of(run: Run, house: tuple[Stop, ...]) -> tuple[datetime, ...]:
    """The moments at which the player must be reminded of the turn."""
    wish = rules.read_reminders(run.reminders)
    return rules.reminders(*run.runs, due_of(run, house), run.calendar(house), wish)


class Audit:
    """Compares the state before and after each sweep with the clock rules."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self._before: list[Run] = []
        self._seen: datetime | None = None
        """The last moment at which a sweep could act."""
        self._notice = 0
        self._known: dict[tuple[Any, ...], tuple[datetime | None, timedelta]] = {}
        """The last known deadline and time left of each clock."""

    def next_moment(self, now: datetime) -> datetime | None:
        """The next moment at which something is due according to the database."""
        with self.store.reading() as connection:
            at = stored(connection, now)
            return moment_or_none(_hints.fetch(connection, at, at)[0][0])

    def before(self) -> None:
        """Note the open turns before a sweep."""
        self._before, _ = self._look()

    def after(self, now: datetime, taken: Iterable[Taken], back: bool) -> None:
        """Compare the sweep and the deliveries with the expected ones. `back`: an outage has just ended."""
        runs, house = self._look()
        if back and rules.standing_still(now, Calendar(stops=house)) is None:
            self._fault(now, "the house was away, and its clocks had run")
        self.counts["outages"] += back
        still_open = {run.key[:5] for run in runs}
        reminders = [letter for letter in taken if letter.kind == "reminder"]
        if rules.standing_still(now, Calendar(stops=house)) is None:
            self._time_outs(now, house, still_open)
            self._reminders(now, house, still_open, reminders)
            self._seen = now
        elif reminders or self._told():
            self._fault(now, "something was done while the house stood still")
        for letter in taken:
            if letter.kind in ("reminder", "late", "nudge"):
                self._owes(now, letter)
        self._clocks(now, runs, house)

    def _look(self) -> tuple[list[Run], tuple[Stop, ...]]:
        with self.store.reading() as connection:
            rows, house = _runs.fetch(connection), _house.fetch(connection)
        runs = [
            Run(
                row[0],
                row[1],
                row[2],
                rule(row[3]),
                stops(row[4]),
                moment(row[5]),
                timedelta(seconds=row[6]),
                moment_or_none(row[7]),
                moment_or_none(row[8]),
                row[9],
                row[10],
                row[11],
                stops(row[12]),
                row[13],
                row[14] is not None,
            )
            for row in rows
        ]
        return runs, stops(house[0][0]) if house else ()

    def _fault(self, now: datetime, what: str, run: Run | None = None) -> None:
        about = "" if run is None else f" (match {run.match_id}, {run.seat}, run {run.run})"
        self.faults.append(f"{now:%Y-%m-%d %H:%M} {what}{about}")

    def _told(self) -> Counter[tuple[int, str, str]]:
        """Count the notices about time since the last call."""
        with self.store.reading() as connection:
            rows = _notices.fetch(connection, self._notice)
        self._notice = max((row[0] for row in rows), default=self._notice)
        return Counter((row[1], row[2], row[3]) for row in rows)

    def _time_outs(self, now: datetime, house: tuple[Stop, ...], still_open: set[tuple[Any, ...]]) -> None:
        told = self._told()
        for run in self._before:
            due = due_of(run, house)
            if run.open or due is None or due > now:
                continue
            if self._seen is not None and due <= self._seen and run.begun_at < self._seen:
                self._fault(now, "its time was up before, and nothing followed", run)
            what = "late" if run.late_at is None and run.rule.grace else "timed_out"
            many = told.pop((run.match_id, run.seat, what), 0)
            if many != 1 and (many or run.key[:5] in still_open):
                self._fault(now, f"{what} was told {many} times", run)
            self.counts[f"times {what}"] += many
        for (match_id, seat, what), many in told.items():
            self._fault(now, f"{what} was told {many} times of {seat} in match {match_id}, and was not due")

    def _reminders(
        self,
        now: datetime,
        house: tuple[Stop, ...],
        still_open: set[tuple[Any, ...]],
        letters: list[Taken],
    ) -> None:
        fallen: set[str] = set()
        wanted: set[str] = set()
        for run in self._before:
            due = due_of(run, house)
            if run.late_at is not None or run.open or due is None or due <= now:
                continue
            since = max(run.begun_at, self._seen or run.begun_at)
            if any(since < at <= now for at in reminders_of(run, house)):
                fallen.add(run.address)
                away = rules.standing_still(now, Calendar(stops=(*run.pauses, *run.away)))
                if run.key[:5] in still_open and away is None:
                    wanted.add(run.address)
        sent = Counter(letter.address for letter in letters)
        for address in wanted - sent.keys():
            self._fault(now, f"{address} was not reminded")
        for address, many in sent.items():
            if many > 1 or address not in fallen:
                self._fault(now, f"{address} was reminded {many} times, and had to be {address in fallen}")
        self.counts["reminders"] += sent.total()
        for letter in letters:
            for run in self._before:
                due = due_of(run, house)
                if run.address != letter.address or run.key[:5] not in still_open or due is None or run.open:
                    continue
                if due > now and narrate.moment("en", due.astimezone(ZoneInfo(run.zone))) not in letter.text:
                    self._fault(now, "a reminder does not say until when, in its reader's time", run)

    def _owes(self, now: datetime, letter: Taken) -> None:
        """Check that a letter about time names only matches that wait for its reader."""
        with self.store.reading() as connection:
            asked = {row[0] for row in _asked.fetch(connection, letter.address)}
            named = {_turn.fetch(connection, hash_of(token))[0][0] for token in letter.tokens}
        if not named or named - asked:
            self._fault(now, f"{letter.address} has a {letter.kind} about {named}, and owes in {asked}")

    def _clocks(self, now: datetime, runs: list[Run], house: tuple[Stop, ...]) -> None:
        """Check that no deadline moves earlier and no time left grows. An open seat has no clock."""
        known = {}
        for run in runs:
            if run.open:
                continue
            due, calendar = due_of(run, house), run.calendar(house)
            left = rules.time_left(now, *run.runs, calendar, run.announced)
            before = self._known.get(run.key)
            if before is not None:
                if due is not None and before[0] is not None and due < before[0]:
                    self._fault(now, f"the deadline moved from {before[0]} to {due}", run)
                if left > before[1]:
                    self._fault(now, f"the time left grew from {before[1]} to {left}", run)
            known[run.key] = (due, left)
        self._known = known
