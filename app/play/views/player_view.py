"""What one bearer may see of a match: the only way from the state to any page, letter or picture."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from app import clock
from app.engine.chance import commitment
from app.engine.game import Game, Outcome, Record, Seat
from app.play.deadlines import nudges
from app.play.match import cache, notices, reading, turn_clocks
from app.play.match.locking import keys
from app.play.match.records import ANYBODY, Asked, LogEntry, NotFound, PlayerView, Viewer
from app.play.match.replay import kind_of, replay_in
from app.play.match.snapshot import MatchSnapshot
from app.play.moves.service import can_take_back
from app.store.session import Store
from app.store.statement import Statement, moment

_outcome = msgspec.json.Decoder(Outcome)
_words = msgspec.json.Decoder(tuple[str, ...])
_options = msgspec.json.Decoder(dict[str, str])

_since = Statement("SELECT since FROM chair WHERE id = ?")
_log = Statement(
    """SELECT ply, seat, move, told, at, source FROM played
       WHERE match_id = ? AND ply <= ? AND ply > ? ORDER BY ply"""
)


def player_view(
    store: Store, match_id: int, bearer: Viewer = ANYBODY, *, ply: int | None = None, last: int = 40
) -> PlayerView:
    """The match as the bearer may see it now, or after an earlier ply.

    An earlier position is shown as onlookers saw it, until the match is over: what a seat knew then it may
    have been meant to forget. Raises NotFound: no such match or ply, or a table that has not started.
    """
    with store.reading() as connection:
        return player_view_in(connection, match_id, bearer, ply=ply, last=last)


def player_view_in(
    connection: Connection, match_id: int, bearer: Viewer = ANYBODY, *, ply: int | None = None, last: int = 40
) -> PlayerView:
    """As `sight`, within a transaction."""
    standing = reading.by_match(connection, match_id, bearer.token)
    if standing is None or (ply is not None and not 0 <= ply <= standing.ply):
        raise NotFound("match")
    seat = standing.seat_of(bearer)
    if ply is None or ply == standing.ply:
        return _seen(connection, standing, bearer, seat, (standing.game, standing.load()), standing.ply, last)
    return _seen(connection, standing, bearer, seat, replay_in(connection, match_id, ply), ply, last)


def player_view_by_token(store: Store, token: str, last: int = 40) -> PlayerView:
    """The match of a letter's link: the seat's while its run of questions goes on, then everybody's.

    Raises NotFound.
    """
    with store.reading() as connection:
        standing = reading.by_token(connection, token)
        if standing is None:
            raise NotFound("turn")
        bearer = Viewer(token=token)
        seat = standing.seat_of(bearer)
        return _seen(connection, standing, bearer, seat, (standing.game, standing.load()), standing.ply, last)


def _seen(
    connection: Connection,
    standing: MatchSnapshot,
    bearer: Viewer,
    seat: Seat | None,
    then: tuple[Game, Record],
    ply: int,
    last: int,
) -> PlayerView:
    (game, state), over, now = then, not standing.running, ply == standing.ply
    by_token = standing.token is not None and bearer.token is not None
    knows = seat if now or over else None
    rows = _log.fetch(connection, standing.match_id, ply, ply - last)
    since = None  # on his seat; only where it matters
    if knows is not None and any(by == knows and source == "orders" for _, by, *_, source in rows):
        since = moment(_since.fetch(connection, standing.place(knows).chair_id)[0][0])
    return PlayerView(
        match_id=standing.match_id,
        game=game,
        status=standing.status,
        options=_options.decode(standing.options),
        ply=ply,
        last_ply=standing.ply,
        seat=seat,
        by_token=by_token,
        stale=by_token and not standing.fresh(),
        view=game.view(state, knows),
        sittings=tuple(place.sitting for place in standing.places),
        to_move=tuple(seat for seat in standing.seats if standing.asked(seat)) if now else (),
        asked=_asked(standing, seat) if now and seat is not None else (),
        heard=_heard(standing, knows, rows, since),
        can_take_back=now and seat is not None and can_take_back(standing, seat),
        demo=standing.demo,
        outcome=_outcome.decode(standing.outcome) if standing.outcome else None,
        commitment=commitment(standing.secret),
        words=_words.decode(standing.words),
        secret=standing.secret.hex() if over else None,
        started_at=standing.started_at,
        ended_at=standing.ended_at,
        zone=standing.place(seat).zone if seat is not None else "UTC",
        rule=standing.rule,
        deadlines=turn_clocks.deadlines(standing, clock.now()) if now and standing.running else (),
        paused=standing.paused,
        frozen=standing.frozen,
        nudges=_nudges(standing, seat) if now and standing.running else (),
        keys=keys(standing),
        notices=notices.told(connection, standing, rows[0][0] if rows else 0, ply),
    )


def _nudges(standing: MatchSnapshot, mine: Seat | None) -> tuple[Seat, ...]:
    """Whom the seat's player may remind."""
    if mine is None:
        return ()
    return tuple(seat for seat in standing.seats if nudges.may_nudge(standing, mine, seat))


def _asked(standing: MatchSnapshot, seat: Seat) -> tuple[Asked, ...]:
    """The seat's open questions, those that are waited for first."""
    mine = {one.fingerprint: one for one in standing.open if one.seat == seat}
    if not mine or standing.place(seat).resigned:
        return ()
    asked = [
        Asked(mine[mark].id, decision, mine[mark].asked_at)
        for decision, mark in standing.decisions()
        if decision.seat == seat and mark in mine
    ]
    return tuple(sorted(asked, key=lambda one: one.decision.optional))


def _heard(
    standing: MatchSnapshot, seat: Seat | None, rows: Sequence[Any], since: datetime | None
) -> tuple[LogEntry, ...]:
    """The plies as the seat may know them.

    Until the end the text of a move is its owner's alone, and only in the turn in which he made it; what was
    told to some only is shown to them from their last turn on. Both may say what players are to forget.
    That orders played a move is told to who left them, not to who came to the seat later.
    """
    over, slug = not standing.running, standing.slug
    turn = min((one.run for one in standing.open if one.seat == seat and not one.optional), default=None)
    lately = _last_turn(seat, rows)
    heard = []
    for ply, by, move, told, at, source in rows:
        own = seat is not None and by == seat and turn is not None and ply > turn
        heard.append(
            LogEntry(
                ply=ply,
                seat=by,
                what=kind_of(move),
                events=tuple(
                    one.event
                    for one in cache.told(slug, told)
                    if one.to is None or over or (seat in one.to and ply >= lately)
                ),
                at=moment(at),
                move=move if kind_of(move) == "move" and (over or own) else None,
                by_clock=source == "clock",
                by_orders=source == "orders" and by == seat and since is not None and moment(at) >= since,
            )
        )
    return tuple(heard)


def _last_turn(seat: Seat | None, rows: Sequence[Any]) -> int:
    """The first ply of the seat's last unbroken row of plies; -1 where it has none among these."""
    first = -1
    for ply, by, *_ in reversed(rows):
        if by == seat:
            first = ply
        elif first >= 0:
            break
    return first
