"""The kept pictures of public boards. A picture is a copy: losing one costs the work of making it again."""

from datetime import datetime

from app.store.connection import Connection
from app.store.sql import Command, Query

MOST = 1000
"""Pictures that are kept, at most 45 kB each; the oldest go first."""

_find = Query(bytes, "SELECT png FROM picture WHERE match_id = :match_id AND ply = :ply")
_keep = Command(
    """INSERT INTO picture (match_id, ply, png, made_at) VALUES (:match_id, :ply, :png, :now)
       ON CONFLICT (match_id, ply) DO UPDATE SET png = excluded.png, made_at = excluded.made_at"""
)
_thin_out = Command(
    """DELETE FROM picture WHERE made_at <= (
           SELECT made_at FROM picture ORDER BY made_at DESC LIMIT 1 OFFSET :most)"""
)


def find(connection: Connection, match_id: int, ply: int) -> bytes | None:
    """The picture of a match after a ply as PNG, or None."""
    return _find.first(connection, match_id=match_id, ply=ply)


def keep(connection: Connection, now: datetime, match_id: int, ply: int, png: bytes) -> None:
    """Keep a picture, and delete the oldest of those beyond MOST."""
    _keep.run(connection, match_id=match_id, ply=ply, png=png, now=now)
    _thin_out.run(connection, most=MOST)
