"""How often a player kept the deadlines of games that everybody may see."""

import msgspec

from app.store.session import Store
from app.store.sql import Query


class Punctuality(msgspec.Struct, frozen=True):
    """A player's games with a time limit that are over, and in how many the player ran out of time."""

    games: int
    late: int
    """With at least one turn that the clock played."""
    lost: int
    """In which the player lost the seat on time."""


_of = Query(
    Punctuality,
    """SELECT count(*) AS games,
              COALESCE(SUM(CASE WHEN EXISTS (
                  SELECT 1 FROM notice n WHERE n.match_id = c.match_id AND n.seat = c.seat
                  AND n.what = 'timed_out' AND n.at >= c.since
                  AND (c.until IS NULL OR n.at < c.until)) THEN 1 ELSE 0 END), 0) AS late,
              COALESCE(SUM(CASE WHEN c.lost THEN 1 ELSE 0 END), 0) AS lost
       FROM chair c JOIN "match" m ON m.id = c.match_id
       WHERE c.player_id = :player_id AND m.status = 'over' AND NOT m.private
         AND m.clock NOT LIKE '%"kind":"none"%'""",
)


def punctuality(store: Store, player_id: int) -> Punctuality:
    """The player's punctuality in finished games."""
    with store.reading() as connection:
        return _of.one(connection, player_id=player_id)
