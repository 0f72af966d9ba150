"""The chaos: people play, things break by a seed, all is mended, the audit looks."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
from sqlalchemy import text

from app.store.session import Store
from app.store.wakeup import WakeUp
from tests.chaos import audit
from tests.chaos.players import Pair
from tests.chaos.post import GOOD, TROUBLES, MoodyPost
from tests.chaos.site import PARTS, Site

PAUSES = (10.0, 20.0)
LEAPS = (0, 0, 120, 360, 1860, 3660)
"""Seconds that the clock may move at a fault: past a lease, past the second try, past the longest wait."""
SETTLING = (360.0, 1860.0, 3660.0) * 12
wait = threading.Event().wait


class Report(msgspec.Struct, frozen=True):
    """What was found, what happened, and what was broken."""

    wrong: list[str]
    counts: dict[str, int]
    faults: dict[str, int]


def run(
    folder: Path,
    seed: str,
    faults: int,
    *,
    servers: bool,
    pairs: int,
    game: str = "survive",
    pauses: tuple[float, float] = PAUSES,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    """Play through so many faults. `servers`: on PostgreSQL and Redis, which are stopped too."""
    post = MoodyPost()
    site = Site(folder, post, servers=servers)
    store = Store(site.database_url, WakeUp(site.broker_url, folder))
    chance = random.Random(seed)
    broken: Counter[str] = Counter()
    try:
        site.open()
        players = [Pair(n, seed, store, post, site.house.url, site.inbox_port, game) for n in range(pairs)]
        for pair in players:
            pair.open_table()
            pair.start()
        wrong = []
        for number in range(faults):
            name = _one_fault(site, post, chance, wait, pauses)
            broken[name] += 1
            site.move_clock(chance.choice(LEAPS))
            wrong += [f"{part} ended by itself" for part in site.ended()]
            for part in site.ended():
                site.start(part)
            say(
                f"{number + 1} {name}: {len(post.letters)} emails, "
                f"{sum(len(pair.confirmed) for pair in players)} moves"
            )
        post.mood = GOOD
        for pair in players:
            pair.stop.set()
        for pair in players:
            pair.join(120)
        settle(store, site, say)
        violent = sum(broken[one] for one in ("kill worker", "stop the database"))
        return Report(
            wrong + audit.faults(store, post, players, violent=violent),
            audit.counts(store, post, players),
            dict(broken),
        )
    finally:
        site.close()
        store.engine.dispose()
        post.close()


def _one_fault(
    site: Site,
    post: MoodyPost,
    chance: random.Random,
    rest: Callable[[float], object],
    pauses: tuple[float, float],
) -> str:
    """Break one thing for a while, mend it, and wait for the next; returns what was broken."""
    things = [*(f"kill {part}" for part in PARTS), *TROUBLES]
    if site.database is not None:
        things += ["stop the database", "stop the broker"] * 2
    name, pause = chance.choice(things), chance.uniform(*pauses)
    lasting = pause * chance.uniform(0.2, 0.6)
    if name.startswith("kill "):
        part = name.removeprefix("kill ")
        site.house.kill(part)
        rest(lasting / 2)
        site.start(part)
        rest(pause - lasting / 2)
        return name
    if name in TROUBLES:
        post.mood = name
        rest(lasting)
        post.mood = GOOD
    elif name == "stop the database":
        assert site.database is not None
        site.database.stop()
        rest(lasting)
        site.database.start()
    else:
        assert site.broker is not None
        site.broker.stop()
        rest(lasting)
        site.broker.start()
    rest(pause - lasting)
    return name


def settle(store: Store, site: Site, say: Callable[[str], None]) -> None:
    """Move the clock past every retry until nothing waits any more."""
    for leap in SETTLING:
        site.move_clock(leap)
        for _ in range(40):
            store.wake()
            wait(0.5)
            with store.reading() as connection:
                held = connection.execute(
                    text(
                        """SELECT (SELECT count(*) FROM letter WHERE status = 'waiting'),
                                  (SELECT count(*) FROM incoming WHERE status = 'waiting')"""
                    )
                ).one()
            if not any(held):
                return
        say(f"after another {leap:.0f} s of the clock {held[0]} letters and {held[1]} mails wait")
