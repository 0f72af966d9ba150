"""Delete an account: seats are given up, games stay, and nothing names the person any more."""

from datetime import datetime

import msgspec

from app import clock
from app.accounts import persons
from app.accounts.erased import ERASED
from app.accounts.persons import Person
from app.engine import codec
from app.people.errors import NotFound
from app.play.lobby import leaving
from app.play.match import chairs, open_invitations
from app.play.match.records import Closed, Viewer
from app.play.moves import service
from app.store import audit
from app.store.connection import Connection
from app.store.locks import hold_player
from app.store.session import Store
from app.store.sql import Command, Query
from app.words.someone import NAME

ROUNDS = 5
"""How often what has begun meanwhile is given up too."""
BY_PLAYER = "by their own wish"


class _Told(msgspec.Struct, frozen=True):
    """A notice that names the person among its facts."""

    id: int
    facts: dict[str, object]


_named = Query(
    _Told,
    """SELECT n.id, n.facts FROM notice n JOIN invitation i ON i.match_id = n.match_id
       WHERE i.player_id = :player_id AND n.what IN ('seat_asked', 'seat_vote')
         AND n.once LIKE CAST(n.match_id AS TEXT) || ':' || n.what || ':' || CAST(i.id AS TEXT) || ':%'""",
)
_left = Query(
    _Told,
    """SELECT n.id, n.facts FROM notice n JOIN chair c ON c.match_id = n.match_id AND c.seat = n.seat
       WHERE c.player_id = :player_id AND c.until = n.at AND n.what IN ('seat_taken', 'operator_gave')""",
)
_rewrite = Command("UPDATE notice SET facts = :facts WHERE id = :notice_id")
_running = Query(
    int,
    """SELECT DISTINCT c.match_id FROM chair c JOIN "match" m ON m.id = c.match_id AND m.status = 'running'
       WHERE c.player_id = :player_id AND c.until IS NULL AND c.resigned_at IS NULL ORDER BY c.match_id""",
)


def running(store: Store, player_id: int) -> list[int]:
    """The running matches in which a player has a seat that they have not given up."""
    with store.reading() as connection:
        return _running.all(connection, player_id=player_id)


def delete(store: Store, player_id: int, why: str = BY_PLAYER) -> Person:
    """Delete a player's account; returns who it was. Twice is once: then the name is gone already.

    In running games their seat is given up as by resigning, and the others are told; games that they host and
    that have not begun are called off. Then, in one transaction, what is kept about the person goes or names
    nobody, as `erased` says for each table. What was interrupted goes on where it is done again. Raises
    NotFound, and Closed("busy") if games begin faster than they are given up.
    """
    for _ in range(ROUNDS):
        with store.reading() as connection:
            person = persons.by_id(connection, player_id)
        if person is None:
            raise NotFound("player")
        if person.gone_at is not None:
            return person
        give_up(store, person)
        with store.transaction() as connection:
            hold_player(connection, player_id)
            busy = chairs.running_of(connection, player_id) or open_invitations.open_of(
                connection, player_id, person.key
            )
            if not busy:
                erase(connection, clock.now(), person, why)
                return person
    raise Closed("busy")


def give_up(store: Store, person: Person) -> tuple[int, int]:
    """Leave all games before their start, and give up all seats; returns how many games and seats."""
    left = leaving.leave_all(store, person.id, person.key)
    seats = running(store, person.id)
    for match_id in seats:
        try:
            service.resign(store, Viewer(player_id=person.id), match_id)
        except (Closed, NotFound):  # it has ended meanwhile, or somebody took the seat over
            continue
    return left, len(seats)


def erase(connection: Connection, now: datetime, person: Person, why: str) -> None:
    """Empty every table of a person who has no seat and no invitation left."""
    for query, fact in ((_named, "name"), (_left, "before")):
        for told in query.all(connection, player_id=person.id):
            facts = codec.dumps(told.facts | {fact: NAME})
            _rewrite.run(connection, facts=facts, notice_id=told.id)
    values = {
        "player_id": person.id,
        "address": person.address,
        "key": person.key,
        "mailbox": person.mailbox,
        "prefix": f"{person.key} ",
        "length": len(person.key) + 1,
        "nameless": f"player {person.id}",
        "someone": NAME,
        "nothing": b"",
        "now": now,
    }
    for statements in ERASED.values():
        for one in statements if not isinstance(statements, str) else ():
            one.run(connection, **{name: values[name] for name in one.names})
    audit.keep(connection, now, "people delete", f"player {person.id}", why)
