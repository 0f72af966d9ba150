"""The content of a player's feeds: open turns, and how far the player's matches have got."""

from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.people import blocks
from app.play.views.pending import Turn, turns
from app.store.connection import Connection
from app.store.sql import Query

MATCHES = 20
"""Matches in a feed: running ones, then those that ended last."""


class SeatNews(msgspec.Struct, frozen=True):
    """A seat of a match in a feed. It differs whenever something has happened in the match."""

    match_id: int
    ply: int
    news: int
    status: str
    seat: Seat
    name: str


_news = Query(
    SeatNews,
    """SELECT m.id AS match_id, m.ply, m.news, m.status, s.seat, COALESCE(p.name, s.name) AS name
       FROM (SELECT m.* FROM chair c JOIN "match" m ON m.id = c.match_id
             WHERE c.player_id = :player_id AND c.until IS NULL AND m.status IN ('running', 'over')
             ORDER BY m.status DESC, COALESCE(m.ended_at, m.started_at) DESC LIMIT :most) m
       JOIN chair s ON s.match_id = m.id AND s.until IS NULL
       LEFT JOIN player p ON p.id = s.player_id
       ORDER BY m.id, s.id""",
)


class FeedContent(msgspec.Struct, frozen=True):
    """Everything that a player's feeds depend on."""

    turns: tuple[Turn, ...]
    news: tuple[SeatNews, ...]
    silenced: frozenset[int]
    """The people whose messages stand in none of the feeds."""

    @property
    def matches(self) -> tuple[int, ...]:
        """The ids of the matches in the feed."""
        return tuple(dict.fromkeys(one.match_id for one in self.news))


def content(connection: Connection, player_id: int, now: datetime) -> FeedContent:
    """The content of a player's feeds."""
    return FeedContent(
        turns(connection, player_id, now),
        tuple(_news.all(connection, player_id=player_id, most=MATCHES)),
        blocks.silenced(connection, player_id),
    )
