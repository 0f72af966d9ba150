"""Lists of games for everybody: those before their start that anybody may join, and finished ones."""

from datetime import datetime, timedelta

import msgspec

from app import clock
from app.engine.game import Game
from app.play.clock.rules import Rule
from app.play.match.editions import known, rules_of
from app.play.match.records import MatchLine
from app.play.views.lists import COLUMNS, TABLES, ListRow, lines_of
from app.store.session import Store
from app.store.sql import Query

LISTED = timedelta(days=30)
"""How long a game is listed that does not fill."""


class _Row(msgspec.Struct, frozen=True):
    match_id: int
    slug: str
    edition: int
    options: dict[str, str]
    seats: int
    bots: int
    rule: Rule
    created_at: datetime
    host: str
    host_language: str
    joined: int
    kept: int


# SQLite matches the words of a condition with those of an index: each list finds its own.
_OPEN = """SELECT m.id AS match_id, m.game AS slug, m.edition, m.options, m.seats, m.bots, m.clock AS rule,
              m.created_at, p.name AS host, p.language AS host_language,
              (SELECT count(*) FROM invitation i WHERE i.match_id = m.id AND i.status = 'accepted') AS joined,
              (SELECT count(*) FROM invitation i WHERE i.match_id = m.id AND NOT i.joins
               AND i.status IN ('invited', 'waiting')) AS kept
       FROM "match" m JOIN player p ON p.id = m.organiser_id
       WHERE {joinable} AND m.status = 'open' AND m.created_at < :before AND m.created_at > :since
         {narrowed}
         AND NOT EXISTS (SELECT 1 FROM invitation o WHERE o.match_id = m.id AND o.player_id = :but
                         AND o.status = 'accepted')
       ORDER BY m.created_at DESC LIMIT :most"""
_open = Query(_Row, _OPEN.format(joinable="m.joinable = TRUE", narrowed=""))
_open_of_game = Query(_Row, _OPEN.format(joinable="m.joinable", narrowed="AND m.game = :slug"))


class OpenGame(msgspec.Struct, frozen=True):
    """A game before its start with a free seat, as everybody may see it."""

    match_id: int
    game: Game
    options: dict[str, str]
    seats: int
    bots: int
    rule: Rule
    created_at: datetime
    host: str
    host_language: str
    joined: int
    """People who have joined, the host among them."""
    free: int


def open_games(
    store: Store, most: int, before: datetime | None = None, slug: str = "", but: int = 0
) -> list[OpenGame]:
    """Games with a free seat that anybody may join, the latest first, those set up before a moment.

    With `slug` those of one game, without those that a player (`but`) has joined. At most `most` are looked
    at; full ones are left out.
    """
    now = clock.now()
    with store.looking() as connection:
        named = {"before": before or now + timedelta(seconds=1), "since": now - LISTED, "most": most}
        if slug:
            rows = _open_of_game.all(connection, slug=slug, but=but, **named)
        else:
            rows = _open.all(connection, but=but, **named)
    return [
        OpenGame(
            row.match_id,
            rules_of(row.slug, row.edition),
            row.options,
            row.seats,
            row.bots,
            row.rule,
            row.created_at,
            row.host,
            row.host_language,
            row.joined,
            free,
        )
        for row in rows
        if known(row.slug, row.edition) and (free := row.seats - row.bots - row.joined - row.kept) > 0
    ]


def _over(where: str) -> Query[ListRow]:
    return Query(
        ListRow,
        f"""SELECT {COLUMNS} FROM (
                SELECT * FROM "match" WHERE status = 'over' AND NOT private AND ended_at < :before {where}
                ORDER BY ended_at DESC LIMIT :most) m {TABLES}
            ORDER BY at DESC, m.id DESC""",  # noqa: S608 - constants
    )


_ALL, _GAME, _SEATS, _BOTH = (
    "",
    "AND game = :slug",
    "AND seats = :seats",
    "AND game = :slug AND seats = :seats",
)
_finished = {where: _over(where) for where in (_ALL, _GAME, _SEATS, _BOTH)}
_of_player = Query(
    ListRow,
    f"""SELECT {COLUMNS} FROM (
            SELECT t.* FROM chair s JOIN "match" t ON t.id = s.match_id
            WHERE s.player_id = :player_id AND s.until IS NULL AND t.status = 'over' AND NOT t.private
              AND t.ended_at < :before AND (:slug = '' OR t.game = :slug) AND (:seats = 0 OR t.seats = :seats)
            ORDER BY t.ended_at DESC LIMIT :most) m {TABLES}
        ORDER BY at DESC, m.id DESC""",  # noqa: S608 - constants
)


def finished_games(
    store: Store,
    most: int,
    before: datetime | None = None,
    *,
    slug: str = "",
    seats: int = 0,
    player_id: int | None = None,
) -> tuple[MatchLine, ...]:
    """Finished games that everybody may see, the latest first, those that ended before a moment.

    `slug`, `seats` and `player_id` narrow them down; `seats` 0 is any number.
    """
    named = {"before": before or clock.now() + timedelta(seconds=1), "most": most}
    with store.looking() as connection:
        if player_id is not None:
            rows = _of_player.all(connection, player_id=player_id, slug=slug, seats=seats, **named)
        elif slug and seats:
            rows = _finished[_BOTH].all(connection, slug=slug, seats=seats, **named)
        elif slug:
            rows = _finished[_GAME].all(connection, slug=slug, **named)
        elif seats:
            rows = _finished[_SEATS].all(connection, seats=seats, **named)
        else:
            rows = _finished[_ALL].all(connection, **named)
        return tuple(lines_of(rows, player_id))
