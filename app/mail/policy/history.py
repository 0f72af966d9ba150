"""The letters of a player as he sees them: what became of each and why, and having one sent again."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from app import clock
from app.mail.policy.decide import AGAIN
from app.people.errors import NotFound, Refused
from app.store.outbox import LetterRequest, enqueue
from app.store.session import Store
from app.store.statement import Statement, moment, moment_or_none

MOST = 50
SENDABLE = frozenset({"asked", "started", "over", "news"})
"""Kinds that can come again."""
TWICE = timedelta(hours=1)
"""Within which one letter comes again at most once."""

_TRUE = """(l.kind <> 'asked' OR EXISTS (
    SELECT 1 FROM question q WHERE q.match_id = l.match_id AND q.seat = l.seat
    AND q.run = l.run AND q.closed_at IS NULL AND NOT q.optional))"""
_COLUMNS = (
    f"""l.id, l.kind, l.match_id, m.game, l.status, l.reason, l.created_at, l.due_at, l.sent_at, {_TRUE}"""
)
_latest = Statement(
    f"""SELECT {_COLUMNS} FROM letter l LEFT JOIN "match" m ON m.id = l.match_id
        WHERE l.player_id = ? AND (? = 0 OR l.match_id = ?)
        ORDER BY l.created_at DESC, l.id LIMIT {MOST}"""  # noqa: S608 - constants
)
_one = Statement(
    f"""SELECT l.kind, {_TRUE}, l.once, l.match_id, l.seat, l.player_id, l.invitation_id, l.run
        FROM letter l WHERE l.id = ? AND l.player_id = ? AND l.status <> 'waiting'"""  # noqa: S608 - constants
)
_lately = Statement("SELECT max(created_at) FROM letter WHERE player_id = ? AND once LIKE ?")


class Line(msgspec.Struct, frozen=True):
    """A letter in the list."""

    id: str
    kind: str
    match_id: int | None
    game: str | None
    """Its slug."""
    status: str
    reason: str
    asked_at: datetime
    due_at: datetime
    sent_at: datetime | None
    still_true: bool

    @property
    def again(self) -> bool:
        """It can be sent again."""
        return self.kind in SENDABLE and self.status != "waiting" and self.still_true


def latest(store: Store, player_id: int, match_id: int = 0) -> tuple[Line, ...]:
    """The player's last letters, the newest first; of one match, or (0) of all."""
    with store.reading() as connection:
        rows = _latest.fetch(connection, player_id, match_id, match_id)
    return tuple(_line(row) for row in rows)


def send_again(store: Store, player_id: int, letter_id: str) -> None:
    """Have a letter sent again: the same board, links that are good as long as the first ones.

    Whatever the player's wishes, it goes now. Raises NotFound, Refused("sent_no_more" or "sent_lately").
    """
    now = clock.now()
    with store.transaction() as connection:
        found = _one.fetch(connection, letter_id, player_id)
        if not found or found[0][0] not in SENDABLE:
            raise NotFound("letter")
        kind, true, once, *what = found[0]
        if not true:
            raise Refused("sent_no_more")
        first = once.split(":")[1] if once.startswith(AGAIN) else letter_id
        last = moment_or_none(_lately.fetch(connection, player_id, f"{AGAIN}{first}:%")[0][0])
        if last is not None and now - last < TWICE:
            raise Refused("sent_lately")
        wanted = LetterRequest(kind=kind, once=f"{AGAIN}{first}:{now:%Y%m%d%H%M}", **_named(what))
        enqueue(connection, now, wanted)


def _named(what: list[Any]) -> dict[str, Any]:
    return dict(zip(("match_id", "seat", "player_id", "invitation_id", "run"), what, strict=True))


def _line(row: Any) -> Line:
    letter_id, kind, match_id, game, status, reason, asked_at, due_at, sent_at, true = row
    moments = moment(asked_at), moment(due_at), moment_or_none(sent_at)
    return Line(letter_id, kind, match_id, game, status, reason, *moments, still_true=bool(true))
