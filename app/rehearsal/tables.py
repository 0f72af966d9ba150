"""Matches among the simulated players; the seed chooses the game and the clock."""

import hashlib
import random
from collections.abc import Mapping, Sequence

import msgspec

from app.engine.game import Game
from app.play.clock.rules import Rule
from app.play.lobby import invitations
from app.play.lobby.create import create_match
from app.play.match import links
from app.rehearsal.correspondents import Correspondents
from app.store.session import Store
from app.store.sql import Command, Query


class Guest(msgspec.Struct, frozen=True):
    """One invitation of a new match."""

    id: int
    address: str


_running = Query(int, """SELECT count(*) FROM "match" WHERE status = 'running'""")
_latest = Query(int, 'SELECT COALESCE(MAX(id), 0) FROM "match"')
_guests = Query(Guest, "SELECT id, address FROM invitation WHERE match_id = :match_id ORDER BY id")
_set_secret = Command('UPDATE "match" SET secret = :secret WHERE id = :match_id')
"""Replaces the drawn secret, so that equal seeds give equal histories."""


def top_up(
    store: Store,
    games: Mapping[str, Game],
    people: Correspondents,
    matches: int,
    seed: str,
    rules: Sequence[Rule],
) -> None:
    """Start new matches until this many run."""
    with store.reading() as connection:
        running, latest = _running.one(connection), _latest.one(connection)
    for number in range(latest + 1, latest + 1 + matches - running):
        chance = random.Random(f"{seed} table {number}")  # noqa: S311 - a rehearsal, to be repeated
        game = games[chance.choice(sorted(games))]
        seats = chance.choice(list(game.seats))
        guests = people.sample(chance, seats)
        options = {
            one.name: "random" for one in game.options if one.name == "setup" and "random" in one.choices
        }
        match_id = create_match(
            store,
            game.slug,
            seats,
            options,
            guests[0].address,
            [guest.address for guest in guests[1:]],
            rule=chance.choice(rules),
        )
        by_address = {guest.address: guest for guest in guests}
        with store.transaction() as connection:
            secret = hashlib.sha256(f"{seed} {number}".encode()).digest()
            _set_secret.run(connection, secret=secret, match_id=match_id)
            tokens = [
                (by_address[one.address], links.mint(connection, "invitation", invitation_id=one.id))
                for one in _guests.all(connection, match_id=match_id)
            ]
        for guest, token in tokens:
            invitations.accept(store, token, guest.name, "en", guest.zone, guest.name)
            people.settle(guest)
