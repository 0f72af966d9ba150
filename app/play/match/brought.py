"""The row of a match that began on another server: written at once, over or going on."""

from datetime import datetime

import msgspec

from app.play.match.matches import Barrier
from app.store.connection import Connection
from app.store.sql import Query

_of_secret = Query(int, 'SELECT id FROM "match" WHERE secret = :secret LIMIT 1')
_bring = Query(
    int,
    """INSERT INTO "match" (game, edition, options, seats, turn_order, bots, demo, status, secret, seed,
                            words, dice, clock, private, state, ply, barrier_state, barrier_ply,
                            barrier_seat, outcome, stops, extended, seat_giver, pause_look_at, news,
                            created_at, started_at, ended_at)
       VALUES (:game, :edition, :options, :seats, :turn_order, :bots, :demo, :status, :secret, :seed,
               :words, :dice, :clock, :private, :state, :ply, :barrier_state, :barrier_ply,
               :barrier_seat, :outcome, :stops, :extended, :seat_giver, :look_at, :news,
               :begun, :begun, :ended)
       RETURNING id""",
)


class WholeMatch(msgspec.Struct, frozen=True):
    """A match that is over or goes on, to be written at once."""

    game: str
    edition: int
    options: str
    """JSON, complete."""
    seats: int
    turn_order: str
    """The seats, if they don't stand as the game's colours."""
    bots: int
    secret: bytes
    seed: bytes
    words: str
    """JSON."""
    dice: int
    clock: str
    """JSON of its rule."""
    private: bool
    state: str
    ply: int
    barrier: Barrier
    outcome: str | None
    stops: str
    """JSON."""
    extended: int
    seat_giver: str
    look_at: datetime | None
    """When to look at its pause."""
    news: int
    begun: datetime
    ended: datetime | None

    barrier_ply = property(lambda self: self.barrier.ply)
    barrier_seat = property(lambda self: self.barrier.seat)
    barrier_state = property(lambda self: self.barrier.state)

    @property
    def demo(self) -> bool:
        """Some seats are the computer's."""
        return bool(self.bots)

    @property
    def status(self) -> str:
        """running, over."""
        return "running" if self.ended is None else "over"


def bring(connection: Connection, new: WholeMatch) -> int:
    """The id of a match that has begun elsewhere."""
    return _bring.one(connection, new)


def of_secret(connection: Connection, secret: bytes) -> int | None:
    """The id of the match whose dice follow from the secret, or None."""
    return _of_secret.first(connection, secret=secret)
