"""Whether a page once made is still true: all that a sight depends on, by one small select."""

from typing import Any

import msgspec

from app.engine.game import Seat
from app.play.match.links import hash_of
from app.play.match.records import Viewer
from app.play.match.snapshot import rule
from app.store.session import Store
from app.store.statement import Statement


class PageVersion(msgspec.Struct, frozen=True):
    """Equal glances of equal bearers: equal sights, for a match changes only with its ply."""

    match_id: int
    ply: int
    status: str
    seat: Seat | None
    stale: bool
    chairs: tuple[tuple[Any, ...], ...]
    """Who sits where, under which name, who resigned, is away, gets no letters, reads which language."""
    news: int
    """Rises with what the ply does not count."""
    standstills: str
    clock: str
    noted: int = 0
    """Rises with the notes and orders of the bearer's own seat; 0: none. Of other seats it says nothing."""

    @property
    def timed(self) -> bool:
        """Clocks run: what a page says of them changes with time alone."""
        return self.status == "running" and rule(self.clock).kind != "none"

    @property
    def bounces(self) -> bool:
        """Letters to the seat's player come back."""
        return any(chair[-2] for chair in self.chairs if chair[0] == self.seat)

    @property
    def language(self) -> str | None:
        """That of the seat's player; None for onlookers."""
        return next((chair[-1] for chair in self.chairs if chair[0] == self.seat), None)


def _statement(where: str) -> Statement:
    return Statement(
        f"""SELECT m.id, m.ply, m.status, t.seat, t.player_id,
                   (SELECT count(*) FROM question o WHERE o.match_id = m.id AND o.seat = t.seat
                       AND o.run = t.run AND o.closed_at IS NULL),
                   m.news, (SELECT stops FROM house WHERE id = 1), m.clock,
                   c.seat, c.player_id, COALESCE(p.name, c.name), c.resigned_at, p.away, p.zone,
                   EXISTS (SELECT 1 FROM suppressed s
                           WHERE s.address_key = p.address_key AND s.reason = 'bounced'),
                   p.language, c.noted
            FROM "match" m
            JOIN chair c ON c.match_id = m.id AND c.until IS NULL
            LEFT JOIN player p ON p.id = c.player_id
            LEFT JOIN token t ON t.hash = ? AND t.purpose = 'turn' AND t.match_id = m.id
            WHERE m.status IN ('running', 'over') AND m.id = {where}
            ORDER BY c.id"""  # noqa: S608 - constants
    )


_by_match = _statement("?")
_by_token = _statement("(SELECT match_id FROM token WHERE hash = ? AND purpose = 'turn')")


def glance(store: Store, bearer: Viewer, match_id: int = 0) -> PageVersion | None:
    """What the sight of this bearer depends on; None where there is nothing for him to see.

    With a token its own match is meant, whatever `match_id` says.
    """
    if bearer.token is not None:
        mark = hash_of(bearer.token)
        rows = _by_token.fetch_outside_tx(store.engine, mark, mark)
    else:
        rows = _by_match.fetch_outside_tx(store.engine, "", match_id)
    if not rows:
        return None
    found, ply, status, turn_seat, turn_player, open_questions, news, standstills, clock = rows[0][:9]
    chairs = tuple(tuple(row[9:-1]) for row in rows)
    seat = None
    fresh = bool(open_questions) and any(
        chair[0] == turn_seat and turn_player in (None, chair[1]) for chair in chairs
    )
    if bearer.token is not None:
        seat = turn_seat if fresh else None
    elif bearer.player_id is not None:
        seat = next((chair[0] for chair in chairs if chair[1] == bearer.player_id), None)
    stale = bearer.token is not None and not fresh
    noted = next((row[-1] for row in rows if row[9] == seat), 0)
    return PageVersion(found, ply, status, seat, stale, chairs, news, standstills or "", clock, noted)
