"""Months of play in minutes: a held clock, a real database, real letters, simulated correspondents.

Some are quick and some forget, some go away, letters get lost, the server has an outage and is frozen once.
Players agree on pauses, hosts give more time, people ask for open seats, and some addresses are refused for
days. An audit beside it works out every reminder and timeout from the clock rules alone, and compares;
another one checks what players may agree on.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest import mock

import msgspec

from app import clock, draw
from app.engine.game import Game
from app.mail.outbound import deliver
from app.play.clock.rules import DAY, Rule
from app.play.deadlines import outages, sweep
from app.play.match import site_stops
from app.play.moves import bots
from app.rehearsal import agreements
from app.rehearsal.audit import Audit
from app.rehearsal.correspondents import Correspondents
from app.rehearsal.promises import Promises
from app.rehearsal.tables import top_up
from app.settings import Settings
from app.store.session import Store

BEGINS = datetime(2026, 2, 27, 7, 0, tzinfo=UTC)
STEP = timedelta(minutes=30)
RULES = (
    Rule("per_move", per_move=3 * DAY, grace=DAY),
    Rule("per_move", per_move=2 * DAY, off=(5, 6), then="bot"),
    Rule("per_move", per_move=4 * DAY, off=(6,), grace=DAY // 2, then="replace"),
    Rule("bank", bank=6 * DAY, increment=DAY, cap=8 * DAY, grace=DAY),
    Rule("per_move", per_move=5 * DAY, then="lose"),
)


class Report(msgspec.Struct, frozen=True):
    """The faults that were found, and counts of everything that happened."""

    faults: tuple[str, ...]
    counts: Mapping[str, int]


def rehearse(
    store: Store,
    settings: Settings,
    games: Mapping[str, Game],
    *,
    matches: int,
    days: int,
    seed: str,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    """Keep this many matches running for this many days, from an empty database.

    Equal seeds give equal histories. Faults are printed when found, a summary every thirty days.
    """
    with held() as clock_held:
        going = Rehearsal(clock_held, store, settings, games, matches=matches, days=days, seed=seed, say=say)
        going.go_on(days)
        return going.report()


@contextmanager
def held() -> "Iterator[HeldClock]":
    """Hold the clock of the server for a while, and let its sweeps be as far apart as steps are."""
    no_pictures = mock.patch.object(draw, "picture", return_value=None)  # they would take most of the time
    seldom = mock.patch.object(site_stops, "GAP", STEP + STEP / 2)
    in_order = mock.patch("app.mail.outbound.deliver.random.shuffle")
    with held_clock() as clock_held, no_pictures, seldom, in_order:
        clock_held.moment = BEGINS
        yield clock_held


class Rehearsal:
    """A server and its players, who go on from day to day. Between two days it may be moved, or changed."""

    def __init__(
        self,
        clock_held: "HeldClock",
        store: Store,
        settings: Settings,
        games: Mapping[str, Game],
        *,
        matches: int,
        days: int,
        seed: str,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """`days`: for which people make plans."""
        self.clock, self.store, self.settings, self.games = clock_held, store, settings, games
        self.people = Correspondents(store, seed, matches, days, BEGINS)
        self.audit, self.promises = Audit(store), Promises(store)
        self._matches, self._seed, self._say = matches, seed, say
        self._gaps = _spans(seed, "outage", days, timedelta(hours=7))
        self._freezes = _spans(seed, "freeze", days, timedelta(days=2))
        self._frozen, self._away, self._told = False, False, BEGINS

    def move(self, store: Store, settings: Settings) -> None:
        """Go on with a database in which everything is as it was, and with other settings."""
        self.store = self.people.store = self.audit.store = self.promises.store = store
        self.settings = settings

    def stop(self, span: timedelta) -> None:
        """Let the server be away from now on, while its players go on reading what they have."""
        self._gaps.append((self.clock.moment, self.clock.moment + span))

    def is_calm(self, span: timedelta) -> bool:
        """Whether no outage and no freeze is there, or begins within a span."""
        now = self.clock.moment
        return not any(begins < now + span and now < ends for begins, ends in (*self._gaps, *self._freezes))

    def report(self) -> Report:
        """Faults and counts so far."""
        counts = self.audit.counts + self.people.counts + self.promises.counts
        return Report(tuple(self.audit.faults), counts)

    def go_on(self, days: float) -> None:
        """Let so many days pass."""
        end = self.clock.moment + timedelta(days=days)
        while self.clock.moment < end:
            planned = [self.people.next_act, self.audit.next_moment(self.clock.moment), end]
            following = [self.clock.moment + STEP, *(one for one in planned if one is not None)]
            self.clock.moment = min(following)
            self._step(self.clock.moment)

    def _step(self, now: datetime) -> None:
        if self._frozen != _within(self._freezes, now):
            self._frozen = not self._frozen
            self.audit.counts["freezes"] += self._frozen
            (outages.freeze if self._frozen else outages.thaw)(self.store)
        self._away, back = _within(self._gaps, now), self._away
        if not self._away:
            self._sweep(now, back=back)
        self.people.act(now)
        if now >= self._told:
            self._told += timedelta(days=1)
            self._one_day(now)

    def _sweep(self, now: datetime, *, back: bool) -> None:
        self.audit.before()
        sweep.tick(self.store)
        bots.play_unmanned(self.store)
        deliver.run_batch(self.store, self.settings, self.people.receive)
        found = len(self.audit.faults)
        self.audit.after(now, self.people.taken, back=back, refused=self.people.refused)
        self.audit.faults += self.promises.look(now)
        for fault in self.audit.faults[found:]:
            self._say(fault)
        self.people.read(now)

    def _one_day(self, now: datetime) -> None:
        try:
            top_up(self.store, self.games, self.people, self._matches, self._seed, RULES)
        except self.store.away:
            self.people.counts["tries in vain"] += 1
            return
        if not self._away and not self._frozen:
            agreements.one_day(self.store, self.people, self._seed, now)
        if (self._told - BEGINS).days % 30 == 0:
            faults, counts = len(self.audit.faults), _shown(self.audit.counts)
            self._say(f"day {(self._told - BEGINS).days}: {faults} faults, {counts}")


class HeldClock:
    """A clock that moves only when told to."""

    moment = BEGINS

    def now(self) -> datetime:
        """The current moment."""
        return self.moment


@contextmanager
def held_clock() -> Iterator[HeldClock]:
    """Hold the clock of the server for a while."""
    held = HeldClock()
    with mock.patch.object(clock, "now", held.now):
        yield held


def _spans(seed: str, what: str, days: int, span: timedelta) -> list[tuple[datetime, datetime]]:
    """One span of this length in every sixty days."""
    chance = random.Random(f"{seed} {what}")  # noqa: S311 - a rehearsal, to be repeated
    found = []
    for day in range(0, days, 60):
        begins = BEGINS + timedelta(days=day + chance.uniform(8, 50))
        found.append((begins, begins + span))
    return found


def _within(spans: list[tuple[datetime, datetime]], now: datetime) -> bool:
    return any(begins <= now < ends for begins, ends in spans)


def _shown(counts: Counter[str]) -> str:
    return ", ".join(f"{many} {what}" for what, many in sorted(counts.items()))
