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
    end = BEGINS + timedelta(days=days)
    gaps = _spans(seed, "outage", days, timedelta(hours=7))
    freezes = _spans(seed, "freeze", days, timedelta(days=2))
    no_pictures = mock.patch.object(draw, "picture", return_value=None)  # they would take most of the time
    seldom = mock.patch.object(site_stops, "GAP", STEP + STEP / 2)
    in_order = mock.patch("app.mail.outbound.deliver.random.shuffle")
    with held_clock() as held, no_pictures, seldom, in_order:
        held.moment = BEGINS
        people = Correspondents(store, seed, matches, days, BEGINS)
        audit, promises = Audit(store), Promises(store)
        frozen, away, told = False, False, BEGINS
        while held.moment < end:
            planned = [people.next_act, audit.next_moment(held.moment)]
            held.moment = min([held.moment + STEP, *(one for one in planned if one is not None)])
            now = held.moment
            if frozen != _within(freezes, now):
                frozen = not frozen
                audit.counts["freezes"] += frozen
                (outages.freeze if frozen else outages.thaw)(store)
            away, back = _within(gaps, now), away
            if not away:
                audit.before()
                sweep.tick(store)
                bots.play_unmanned(store)
                deliver.run_batch(store, settings, people.receive)
                found = len(audit.faults)
                audit.after(now, people.taken, back=back, refused=people.refused)
                audit.faults += promises.look(now)
                for fault in audit.faults[found:]:
                    say(fault)
                people.read(now)
            people.act(now)
            if now >= told:
                told += timedelta(days=1)
                top_up(store, games, people, matches, seed, RULES)
                if not away and not frozen:
                    agreements.one_day(store, people, seed, now)
                if (told - BEGINS).days % 30 == 0:
                    say(f"day {(told - BEGINS).days}: {len(audit.faults)} faults, {_shown(audit.counts)}")
        return Report(tuple(audit.faults), audit.counts + people.counts + promises.counts)


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
