"""An independent audit: works out each reminder and timeout, and reports every difference as a fault."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from app import narrate
from app.play.clock import reminders, rules
from app.play.clock.reminders import Reminder
from app.play.clock.rules import Calendar, Rule, Stop
from app.play.match.links import key_of
from app.rehearsal.correspondents import Taken
from app.store.session import Store
from app.store.sql import Query

A_CHANGE_OF_CLOCKS = timedelta(hours=1)
"""Days that are given, or move behind a pause or an absence, are days on the wall: one has 25 hours."""


class OpenTurn(msgspec.Struct, frozen=True):
    """An open turn whose clock has begun, as stored."""

    match_id: int
    seat: str
    run: int
    rule: Rule
    pauses: tuple[Stop, ...]
    begun_at: datetime
    allowed: float
    """Seconds."""
    announced: datetime | None
    late_at: datetime | None
    player_id: int
    address: str
    zone: str
    clock_zone: str
    away: tuple[Stop, ...]
    reminders: str
    open: bool
    extended: int
    """Days that the host has given in the match."""
    credited: float
    """Seconds that were given back to the player."""

    @property
    def key(self) -> tuple[Any, ...]:
        """Identifies the clock; a different key means that a new clock began."""
        return (self.match_id, self.seat, self.player_id, self.run, self.begun_at, self.late_at)

    def calendar(self, site: tuple[Stop, ...]) -> Calendar:
        """The calendar of its clock."""
        found = Calendar(self.clock_zone or self.zone, self.rule.off, (*self.pauses, *site, *self.away))
        return found.counting(self.period[1])

    @property
    def period(self) -> tuple[datetime, timedelta]:
        """Start and length of the current period: the turn, or the grace after it."""
        if self.late_at is not None:
            return self.late_at, timedelta(seconds=self.rule.grace)
        return self.begun_at, timedelta(seconds=self.allowed)


class _Known(msgspec.Struct, frozen=True):
    """A clock as it was, and all the time that had been given by then."""

    due: datetime | None
    left: timedelta
    extended: int
    credited: float
    calendar: Calendar


class TimeNotice(msgspec.Struct, frozen=True):
    """A notice that a turn is late or has timed out."""

    id: int
    match_id: int
    seat: str
    what: str


_turns = Query(
    OpenTurn,
    """SELECT DISTINCT m.id AS match_id, q.seat, q.run, m.clock AS rule, m.stops AS pauses, q.begun_at,
              q.allowed, q.due_at AS announced, q.late_at, p.id AS player_id, p.address, p.zone,
              q.zone AS clock_zone, p.away, p.reminders, c.open_since IS NOT NULL AS open,
              m.extended, c.credited
       FROM question q
       JOIN "match" m ON m.id = q.match_id AND m.status = 'running'
       JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       JOIN player p ON p.id = c.player_id
       WHERE q.closed_at IS NULL AND NOT q.optional AND q.begun_at IS NOT NULL AND c.resigned_at IS NULL""",
)
_standstills = Query(tuple[Stop, ...], "SELECT stops FROM house WHERE id = 1")
_notices = Query(
    TimeNotice,
    """SELECT id, match_id, seat, what FROM notice
       WHERE id > :last AND what IN ('late', 'timed_out') ORDER BY id""",
)
_next_due = Query(
    datetime,
    """SELECT at FROM (
           SELECT MIN(due_at) AS at FROM question WHERE closed_at IS NULL AND due_at > :now
           UNION ALL SELECT MIN(remind_at) FROM question WHERE closed_at IS NULL AND remind_at > :now) found
       WHERE at IS NOT NULL ORDER BY at""",
)
_match_of_token = Query(int, "SELECT match_id FROM token WHERE hash = :hash")
_waiting = Query(
    int,
    """SELECT DISTINCT c.match_id FROM chair c JOIN player p ON p.id = c.player_id
       JOIN question q ON q.match_id = c.match_id AND q.seat = c.seat AND q.closed_at IS NULL
       WHERE p.address = :address AND c.until IS NULL""",
)


@lru_cache(maxsize=8192)
def due_of(turn: OpenTurn, site: tuple[Stop, ...]) -> datetime | None:
    """The end of the turn, or of its grace; None while the clock stands still."""
    return rules.deadline(*turn.period, turn.calendar(site), turn.announced)


@lru_cache(maxsize=8192)
def reminders_of(turn: OpenTurn, site: tuple[Stop, ...]) -> tuple[Reminder, ...]:
    """The reminders of the turn, whether they have come or not."""
    wish, due, calendar = reminders.read(turn.reminders), due_of(turn, site), turn.calendar(site)
    return reminders.schedule(*turn.period, due, calendar, wish)


class Audit:
    """Compares the state before and after each sweep with the clock rules."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        self._before: list[OpenTurn] = []
        self._seen: datetime | None = None
        """The last moment at which a sweep could act."""
        self._notice = 0
        self._known: dict[tuple[Any, ...], _Known] = {}
        """Each clock as it was known last."""
        self._come: dict[tuple[Any, ...], set[str]] = {}
        """The reminders that have come of each turn: none comes twice."""

    def next_moment(self, now: datetime) -> datetime | None:
        """The next moment at which something is due according to the database."""
        with self.store.reading() as connection:
            return _next_due.first(connection, now=now)

    def before(self) -> None:
        """Note the open turns before a sweep."""
        self._before, _ = self._look()

    def after(self, now: datetime, taken: Iterable[Taken], back: bool, refused: Collection[str] = ()) -> None:
        """Compare the sweep and the deliveries with the expected ones. `back`: an outage has just ended.

        `refused` are the addresses whose emails were refused in this round.
        """
        turns, site = self._look()
        if back and rules.standing_still(now, Calendar(stops=site)) is None:
            self._fault(now, "the server was away, and its clocks had run")
        self.counts["outages"] += back
        still_open = {turn.key[:5] for turn in turns}
        reminders = [letter for letter in taken if letter.kind == "reminder"]
        if rules.standing_still(now, Calendar(stops=site)) is None:
            self._time_outs(now, site, still_open)
            self._reminders(now, site, still_open, reminders, refused)
            self._seen = now
        elif reminders or self._told():
            self._fault(now, "something was done while the server stood still")
        for letter in taken:
            if letter.kind in ("reminder", "late", "nudge"):
                self._owes(now, letter)
        self._clocks(now, turns, site)

    def _look(self) -> tuple[list[OpenTurn], tuple[Stop, ...]]:
        with self.store.reading() as connection:
            return list(_turns.all(connection)), _standstills.first(connection) or ()

    def _fault(self, now: datetime, what: str, turn: OpenTurn | None = None) -> None:
        about = "" if turn is None else f" (match {turn.match_id}, {turn.seat}, run {turn.run})"
        self.faults.append(f"{now:%Y-%m-%d %H:%M} {what}{about}")

    def _told(self) -> Counter[tuple[int, str, str]]:
        """Count the notices about time since the last call."""
        with self.store.reading() as connection:
            notices = _notices.all(connection, last=self._notice)
        self._notice = max((one.id for one in notices), default=self._notice)
        return Counter((one.match_id, one.seat, one.what) for one in notices)

    def _time_outs(self, now: datetime, site: tuple[Stop, ...], still_open: set[tuple[Any, ...]]) -> None:
        told = self._told()
        for turn in self._before:
            due = due_of(turn, site)
            if turn.open or due is None or due > now:
                continue
            if self._seen is not None and due <= self._seen and turn.begun_at < self._seen:
                self._fault(now, "its time was up before, and nothing followed", turn)
            what = "late" if turn.late_at is None and turn.rule.grace else "timed_out"
            many = told.pop((turn.match_id, turn.seat, what), 0)
            if many != 1 and (many or turn.key[:5] in still_open):
                self._fault(now, f"{what} was told {many} times", turn)
            self.counts[f"times {what}"] += many
        for (match_id, seat, what), many in told.items():
            self._fault(now, f"{what} was told {many} times of {seat} in match {match_id}, and was not due")

    def _reminders(
        self,
        now: datetime,
        site: tuple[Stop, ...],
        still_open: set[tuple[Any, ...]],
        letters: list[Taken],
        refused: Collection[str],
    ) -> None:
        fallen: set[str] = set()
        wanted: set[str] = set()
        for turn in self._before:
            due = due_of(turn, site)
            if turn.late_at is not None or turn.open or due is None or due <= now:
                continue
            since = max(turn.begun_at, self._seen or turn.begun_at)
            come = self._come.setdefault(turn.key[:4], set())
            fell = {one.offset for one in reminders_of(turn, site) if since < one.at <= now} - come
            come |= fell
            if fell:
                fallen.add(turn.address)
                away = rules.standing_still(now, Calendar(stops=(*turn.pauses, *turn.away)))
                if turn.key[:5] in still_open and away is None:
                    wanted.add(turn.address)
        sent = Counter(letter.address for letter in letters)
        for address in wanted - sent.keys() - set(refused):
            self._fault(now, f"{address} was not reminded")
        for address, many in sent.items():
            if many > 1 or address not in fallen:
                self._fault(now, f"{address} was reminded {many} times, and had to be {address in fallen}")
        self.counts["reminders"] += sent.total()
        for letter in letters:
            for turn in self._before:
                due = due_of(turn, site)
                if (
                    turn.address != letter.address
                    or turn.key[:5] not in still_open
                    or due is None
                    or turn.open
                ):
                    continue
                if due > now and narrate.moment("en", due.astimezone(ZoneInfo(turn.zone))) not in letter.text:
                    self._fault(now, "a reminder does not say until when, in its reader's time", turn)

    def _owes(self, now: datetime, letter: Taken) -> None:
        """Check that a letter about time names only matches that wait for its reader."""
        with self.store.reading() as connection:
            asked = set(_waiting.all(connection, address=letter.address))
            named = {_match_of_token.one(connection, hash=key_of(token)) for token in letter.tokens}
        if not named or named - asked:
            self._fault(now, f"{letter.address} has a {letter.kind} about {named}, and owes in {asked}")

    def _clocks(self, now: datetime, turns: list[OpenTurn], site: tuple[Stop, ...]) -> None:
        """Check that no deadline moves earlier and no time left grows by more than was given.

        An open seat has no clock.
        """
        known = {}
        for turn in turns:
            if turn.open:
                continue
            due, calendar = due_of(turn, site), turn.calendar(site)
            left = rules.time_left(now, *turn.period, calendar, turn.announced)
            before = self._known.get(turn.key)
            if before is not None:
                if due is not None and before.due is not None and due < before.due:
                    self._fault(now, f"the deadline moved from {before.due} to {due}", turn)
                given = timedelta(turn.extended - before.extended, turn.credited - before.credited)
                moved = given or due is None or calendar != before.calendar
                if left > before.left + given + (A_CHANGE_OF_CLOCKS if moved else timedelta()):
                    self._fault(now, f"the time left grew from {before.left} to {left}, given {given}", turn)
            known[turn.key] = _Known(due, left, turn.extended, turn.credited, calendar)
        self._known = known
