"""The house's public log: what it tells a whole table beside the moves, once for each occasion."""

from datetime import datetime
from typing import Any

import msgspec

from app.engine import codec
from app.engine.game import Seat
from app.play.match.records import Notice
from app.play.match.snapshot import MatchSnapshot
from app.store.statement import Statement, Wire, moment, stored

_insert = Statement(
    """INSERT INTO notice (match_id, ply, what, seat, by_seat, facts, once, at)
       SELECT id, ply, ?, ?, ?, ?, ?, ? FROM "match" WHERE id = ?""",
    after="ON CONFLICT (once) DO NOTHING",
)
_news = Statement('UPDATE "match" SET news = news + 1 WHERE id = ?')
_told = Statement(
    """SELECT id, ply, what, seat, by_seat, facts, at FROM notice
       WHERE match_id = ? AND ply >= ? AND ply <= ? ORDER BY id"""
)
_facts = msgspec.json.Decoder(dict[str, Any])


def tell(
    connection: Wire,
    now: datetime,
    match_id: int,
    what: str,
    *,
    seat: Seat | None = None,
    by_seat: Seat | None = None,
    once: str | None = None,
    **facts: Any,
) -> bool:
    """Write a notice into the log of the match. False: the occasion is told already, and nothing changed.

    `once` names the occasion, with the match. Moments among the facts become text.
    """
    text = codec.dumps(facts)
    key = None if once is None else f"{match_id}:{once}"
    if not _insert.run(connection, what, seat, by_seat, text, key, stored(connection, now), match_id):
        return False
    touch(connection, match_id)
    return True


def touch(connection: Wire, match_id: int) -> None:
    """Have the pages of a match made anew, where something else that they show has changed."""
    _news.run(connection, match_id)


def told(connection: Wire, standing: MatchSnapshot, since: int, until: int) -> tuple[Notice, ...]:
    """The notices after these plies, oldest first."""
    if not standing.news:
        return ()
    return tuple(
        Notice(notice_id, ply, what, seat, by_seat, _facts.decode(facts), moment(at))
        for notice_id, ply, what, seat, by_seat, facts, at in _told.fetch(
            connection, standing.match_id, since, until
        )
    )
