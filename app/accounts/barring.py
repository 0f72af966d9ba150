"""Bar an address or a domain, and lift a bar, with all that follows for people."""

from datetime import datetime

import msgspec

from app import clock
from app.accounts import deleting, persons
from app.accounts.persons import Person
from app.people import api_keys, bars, confirmations, feeds, logins, subscriptions, webhooks
from app.people.bars import Bar
from app.play.lobby import leaving
from app.store import audit
from app.store.connection import Connection
from app.store.session import Store

KEEP, RESIGN = "keep", "resign"
"""For running games: they go on, or the seats are given up."""


class Barred(msgspec.Struct, frozen=True):
    """The people and games that a bar met."""

    key: str
    new: bool
    people: tuple[Person, ...]
    left: int
    """Games before their start, or seats that were offered or asked for."""
    running: tuple[tuple[Person, int], ...]
    """The running games that go on or were given up: each person with a match."""


class Undecided(Exception):  # noqa: N818 - a question
    """People under a bar play in running games, and nobody said what is to become of these."""

    def __init__(self, running: tuple[tuple[Person, int], ...]) -> None:
        super().__init__(f"{len(running)} running games")
        self.running = running


def met(store: Store, key: str) -> tuple[tuple[Person, ...], tuple[tuple[Person, int], ...]]:
    """The people that a bar of a key meets, and the running games in which they have a seat."""
    with store.reading() as connection:
        people = tuple(persons.of_key(connection, key))
    return people, tuple((one, match_id) for one in people for match_id in deleting.running(store, one.id))


def bar(store: Store, text: str, why: str = "", games: str | None = None) -> Barred:
    """Bar an address, with all its spellings and tags, or a domain with those below it. Twice is once.

    The people are signed out everywhere; games before their start are left or called off, and the
    others told. `games` says what becomes of running games: KEEP or RESIGN. Raises Undecided where there are
    any and it does not say, and Refused("address").
    """
    key = bars.key_of(text)
    people, running = met(store, key)
    if running and games not in (KEEP, RESIGN):
        raise Undecided(running)
    now = clock.now()
    with store.transaction() as connection:
        new = bars.put(connection, now, key, why)
        for one in people:
            _sign_out(connection, now, one.id)
        audit.keep(connection, now, f"people bar, games: {games}" if running else "people bar", key, why)
        guests = persons.guests_of_key(connection, key)
    left = 0
    for one in people:
        left += leaving.leave_all(store, one.id, one.key)
        if games == RESIGN:
            deleting.give_up(store, one)
    for guest in guests:
        left += leaving.leave_all(store, None, guest)
    return Barred(key, new, people, left, running)


def unbar(store: Store, text: str, why: str = "") -> Bar | None:
    """Lift a bar; None: there was none. What it ended stays ended. Raises Refused("address")."""
    key = bars.key_of(text)
    with store.transaction() as connection:
        found = next((one for one in bars.every(connection) if one.key == key), None)
        if found is not None:
            bars.lift(connection, key)
            audit.keep(connection, clock.now(), "people unbar", key, why)
    return found


def _sign_out(connection: Connection, now: datetime, player_id: int) -> None:
    """End sessions, seats of browsers, programs, notifications, feeds and requests; links of games stay."""
    logins.end_all(connection, player_id)
    subscriptions.end_all(connection, player_id)
    confirmations.end_all(connection, now, player_id)
    feeds.end(connection, player_id)
    api_keys.end_all(connection, player_id)
    webhooks.delete_all_of(connection, player_id)
