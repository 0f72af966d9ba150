"""The version of a match's page: everything that the page depends on, by one small select."""

from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.play.clock.rules import Rule
from app.play.match.links import key_of
from app.play.match.records import Viewer
from app.store.session import Store
from app.store.sql import Query


class Sitter(msgspec.Struct, frozen=True):
    """A seat as its match's page depends on it."""

    seat: Seat
    chair_id: int
    player_id: int | None
    name: str
    resigned_at: datetime | None
    away: str | None
    zone: str | None
    bounces: bool
    """Emails to the player come back."""
    unreached: str
    """Emails to the player are refused again and again, by no fault of the mailbox."""
    language: str | None
    shows: str
    """The parts of the player's public page beside the name."""


class PageVersion(msgspec.Struct, frozen=True):
    """Pages of equal versions are equal to equal viewers, because a match changes only with its ply."""

    match_id: int
    ply: int
    status: str
    seat: Seat | None
    stale: bool
    link_seat: Seat | None
    """The seat of the viewer's link, even if its turn is over; None if another player has it now."""
    limited: bool
    """The seat is not known by signing in."""
    sitters: tuple[Sitter, ...]
    news: int
    """Rises with what the ply does not count."""
    standstills: str
    rule: Rule
    private: bool = False
    """Onlookers have no page of it."""
    noted: int = 0
    """Rises with the notes and orders of the viewer's own seat; 0: none. Of other seats it says nothing."""

    @property
    def holder(self) -> Sitter | None:
        """The holder of the viewer's seat."""
        return next((one for one in self.sitters if one.seat == self.seat), None)

    @property
    def timed(self) -> bool:
        """The page changes with time alone, because clocks run."""
        return self.status == "running" and self.rule.kind != "none"

    @property
    def bounces(self) -> bool:
        """Emails to the seat's player come back."""
        return any(one.bounces for one in self.sitters if one.seat == self.seat)

    @property
    def unreached(self) -> str:
        """Emails to the seat's player are refused again and again."""
        return next((one.unreached for one in self.sitters if one.seat == self.seat), "")

    @property
    def language(self) -> str | None:
        """The language of the seat's player; None for onlookers."""
        return next((one.language for one in self.sitters if one.seat == self.seat), None)


class _Row(msgspec.Struct, frozen=True):
    """A seat of a match; of the match, the same in each row."""

    match_id: int
    ply: int
    status: str
    token_seat: Seat | None
    token_player_id: int | None
    token_questions: int
    news: int
    standstills: str | None
    rule: Rule
    private: bool
    organiser_id: int | None
    chair_id: int
    seat: Seat
    player_id: int | None
    name: str
    resigned_at: datetime | None
    away: str | None
    zone: str | None
    bounces: bool
    unreached: str
    language: str | None
    shows: str
    noted: int


def _query(where: str) -> Query[_Row]:
    return Query(
        _Row,
        f"""SELECT m.id AS match_id, m.ply, m.status, t.seat AS token_seat, t.player_id AS token_player_id,
                   (SELECT count(*) FROM question o WHERE o.match_id = m.id AND o.seat = t.seat
                       AND o.run = t.run AND o.closed_at IS NULL AND t.ended_at IS NULL) AS token_questions,
                   m.news, (SELECT stops FROM house WHERE id = 1) AS standstills, m.clock AS rule,
                   m.private, m.organiser_id,
                   c.id AS chair_id, c.seat, c.player_id, COALESCE(p.name, c.name) AS name, c.resigned_at,
                   p.away, p.zone,
                   EXISTS (SELECT 1 FROM suppressed s
                           WHERE s.address_key = p.address_key AND s.reason = 'bounced') AS bounces,
                   COALESCE((SELECT u.kind FROM unreached u
                             WHERE u.address_key = p.address_key AND u.times >= 2), '') AS unreached,
                   p.language, COALESCE(p.shows, '') AS shows, c.noted
            FROM "match" m
            JOIN chair c ON c.match_id = m.id AND c.until IS NULL
            LEFT JOIN player p ON p.id = c.player_id
            LEFT JOIN token t ON t.hash = :token AND t.purpose = 'turn' AND t.match_id = m.id
            WHERE m.status IN ('running', 'over', 'moved') AND m.id = {where}
            ORDER BY c.id""",  # noqa: S608 - constants
    )


_by_match = _query(":match_id")
_by_token = _query("(SELECT match_id FROM token WHERE hash = :token AND purpose = 'turn')")


def page_version(store: Store, viewer: Viewer, match_id: int = 0) -> PageVersion | None:
    """The version of the viewer's page, or None if there is nothing for them to see.

    A private match has pages for its seats, its organiser and the holders of its links.
    With a token its own match is meant, whatever `match_id` says.
    """
    if viewer.token is not None:
        rows = _by_token.fetch_outside_tx(store.engine, token=key_of(viewer.token))
    else:
        rows = _by_match.fetch_outside_tx(store.engine, token=b"", match_id=match_id)
    if not rows:
        return None
    first = rows[0]
    owner = first.token_player_id
    held = [row.seat for row in rows if row.seat == first.token_seat and owner in (None, row.player_id)]
    fresh = bool(first.token_questions and held)
    seat, limited = None, True
    if viewer.token is not None:
        seat = first.token_seat if fresh else None
    else:
        signed_in = viewer.player_id
        own = [row.seat for row in rows if signed_in is not None and row.player_id == signed_in]
        by_cookie = [row.seat for row in rows if row.chair_id == viewer.chair_id]
        seat, limited = next(iter([*own, *by_cookie]), None), not own
        if first.private and seat is None and (signed_in is None or first.organiser_id != signed_in):
            return None
    return PageVersion(
        first.match_id,
        first.ply,
        first.status,
        seat,
        viewer.token is not None and not fresh,
        held[0] if held else None,
        limited and seat is not None,
        tuple(_sitter(row) for row in rows),
        first.news,
        first.standstills or "",
        first.rule,
        first.private,
        next((row.noted for row in rows if row.seat == seat), 0),
    )


def _sitter(row: _Row) -> Sitter:
    return Sitter(
        row.seat,
        row.chair_id,
        row.player_id,
        row.name,
        row.resigned_at,
        row.away,
        row.zone,
        row.bounces,
        row.unreached,
        row.language,
        row.shows,
    )
