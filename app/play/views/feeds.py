"""What a player's feeds are about, and whose an address of feeds is: it is good until he makes new ones."""

from datetime import datetime
from typing import Any

import msgspec

from app.people.errors import NotFound
from app.play.views.pending import Turn, turns
from app.store.session import Store
from app.store.statement import Statement, Wire

MATCHES = 20
"""So many stand in a feed: those that run, then those that ended last."""

_subscriber = Statement("SELECT id, language, zone FROM player WHERE id = ? AND feed_epoch = ?")
_epoch = Statement("SELECT feed_epoch FROM player WHERE id = ?")
_renew = Statement("UPDATE player SET feed_epoch = feed_epoch + 1 WHERE id = ? AND feed_epoch = ?")
_news = Statement(
    """SELECT m.id, m.ply, m.news, m.status, s.seat, COALESCE(p.name, s.name)
       FROM (SELECT m.* FROM chair c JOIN "match" m ON m.id = c.match_id
             WHERE c.player_id = ? AND c.until IS NULL AND m.status IN ('running', 'over')
             ORDER BY m.status DESC, COALESCE(m.ended_at, m.started_at) DESC LIMIT ?) m
       JOIN chair s ON s.match_id = m.id AND s.until IS NULL
       LEFT JOIN player p ON p.id = s.player_id
       ORDER BY m.id, s.id"""
)


class Subscriber(msgspec.Struct, frozen=True):
    """Whose feeds they are."""

    player_id: int
    language: str
    zone: str


class Digest(msgspec.Struct, frozen=True):
    """All that the feeds of a player depend on."""

    turns: tuple[Turn, ...]
    news: tuple[tuple[Any, ...], ...]
    """Of each seat of his matches: match, ply, news, status, seat, name. Rises with whatever happens."""

    @property
    def matches(self) -> tuple[int, ...]:
        """Those that stand in his feed."""
        return tuple(dict.fromkeys(row[0] for row in self.news))


def subscriber(store: Store, player_id: int, epoch: int) -> Subscriber:
    """Whose feeds an address is for. Raises NotFound where it was revoked."""
    with store.reading() as connection:
        for row in _subscriber.fetch(connection, player_id, epoch):
            return Subscriber(*row)
    raise NotFound("feed")


def epoch_of(store: Store, player_id: int) -> int:
    """Which of the player's addresses are good: they are made with this number."""
    with store.reading() as connection:
        for (epoch,) in _epoch.fetch(connection, player_id):
            return int(epoch)
    raise NotFound("player")


def renew(store: Store, player_id: int, epoch: int) -> bool:
    """Revoke the addresses made with this number; others are good from now on. Twice is once.

    False: no addresses were ever made with it, and nothing changed.
    """
    with store.transaction() as connection:
        _renew.run(connection, player_id, epoch)
        return any(epoch < now for (now,) in _epoch.fetch(connection, player_id))


def digest(connection: Wire, player_id: int, now: datetime) -> Digest:
    """What waits for the player, and how far his matches are."""
    news = tuple(tuple(row) for row in _news.fetch(connection, player_id, MATCHES))
    return Digest(turns(connection, player_id, now), news)
