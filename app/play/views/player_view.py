"""One viewer's view of a match: the only way from its state to pages, letters and pictures."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from app import clock
from app.engine import dice
from app.engine.chance import commitment
from app.engine.game import Game, Outcome, Record, Seat
from app.people import blocks
from app.play.deadlines import nudges, pauses
from app.play.match import cache, chairs, log, notices, reading, turn_clocks
from app.play.match.locking import keys
from app.play.match.log import Logged
from app.play.match.past import position_in
from app.play.match.plan import Plan
from app.play.match.records import ANYBODY, Asked, LogEntry, NotFound, Notice, PlayerView, Viewer
from app.play.match.replay import kind_of
from app.play.match.snapshot import MatchSnapshot
from app.play.moves.service import can_take_back
from app.play.seats import requests
from app.store.connection import Connection
from app.store.session import Store

EVERYBODY = "all"
"""Stands among the seats for what everybody knew."""

_outcome = msgspec.json.Decoder(Outcome)
_words = msgspec.json.Decoder(tuple[str, ...])
_options = msgspec.json.Decoder(dict[str, str])


def player_view(
    store: Store,
    match_id: int,
    viewer: Viewer = ANYBODY,
    *,
    ply: int | None = None,
    last: int = 40,
    steps: Sequence[str] = (),
    eyes: str = "",
    listener: int | None = None,
) -> PlayerView:
    """The match as the viewer may see it, now or after an earlier ply, with its `last` plies.

    `steps`: the viewer's next moves, to be played ahead in `plan`. `listener`: a player who reads what
    onlookers see, without the messages of people that they have muted.

    Until the match is over, earlier positions are shown as onlookers saw them: players may be meant to forget
    what their seat knew. Once it is over, `eyes` is the seat whose knowledge an earlier position is shown
    with, or "all" for what everybody knew. Raises NotFound: no such match or ply, or it has not started.
    """
    with store.looking() as connection:
        return player_view_in(
            connection, match_id, viewer, ply=ply, last=last, steps=steps, eyes=eyes, listener=listener
        )


def player_view_in(
    connection: Connection,
    match_id: int,
    viewer: Viewer = ANYBODY,
    *,
    ply: int | None = None,
    last: int = 40,
    steps: Sequence[str] = (),
    eyes: str = "",
    listener: int | None = None,
) -> PlayerView:
    """As `player_view`, within a transaction."""
    snapshot = reading.by_match(connection, match_id, viewer.token)
    if snapshot is None or (ply is not None and not 0 <= ply <= snapshot.ply):
        raise NotFound("match")
    if ply is None or ply == snapshot.ply:
        return _view(
            connection,
            snapshot,
            viewer,
            (snapshot.game, snapshot.load()),
            snapshot.ply,
            last,
            steps,
            listener=listener,
        )
    position = position_in(connection, match_id, ply)
    return _view(connection, snapshot, viewer, position, ply, last, eyes=eyes, listener=listener)


def player_view_by_token(store: Store, token: str, last: int = 40, steps: Sequence[str] = ()) -> PlayerView:
    """The match of an email's link: as the seat sees it during the turn, then as everybody does.

    `steps` as in `player_view`. Raises NotFound.
    """
    with store.looking() as connection:
        snapshot = reading.by_token(connection, token)
        if snapshot is None:
            raise NotFound("turn")
        position = (snapshot.game, snapshot.load())
        return _view(connection, snapshot, Viewer(token=token), position, snapshot.ply, last, steps)


def _view(
    connection: Connection,
    snapshot: MatchSnapshot,
    viewer: Viewer,
    position: tuple[Game, Record],
    ply: int,
    last: int,
    steps: Sequence[str] = (),
    eyes: str = "",
    listener: int | None = None,
) -> PlayerView:
    game, state = position
    seat = snapshot.seat_of(viewer)
    over, now = snapshot.over, ply == snapshot.ply
    by_token = snapshot.token is not None and viewer.token is not None
    knows = seat if now or over else None
    seen = knows  # events don't depend on the eyes: once the match is over, all are open
    if over and not now and (eyes == EVERYBODY or eyes in snapshot.seats):
        seen = None if eyes == EVERYBODY else eyes
    plies = log.told(connection, snapshot.slug, snapshot.match_id, ply - last, ply)
    since = None  # read only where it matters
    if knows is not None and any(one.seat == knows and one.source == "orders" for one in plies):
        since = chairs.since(connection, snapshot.holder(knows).chair_id)
    told = notices.told(connection, snapshot, plies[0].ply if plies else 0, ply)
    reader = snapshot.holder(seat).player_id if seat is not None else listener
    heard = without_muted(connection, snapshot, reader, told)
    asked = _asked(snapshot, seat) if now and seat is not None else ()
    view = game.view(state, seen)
    return PlayerView(
        match_id=snapshot.match_id,
        game=game,
        status=snapshot.status,
        options=_options.decode(snapshot.options),
        ply=ply,
        last_ply=snapshot.ply,
        seat=seat,
        by_token=by_token,
        stale=by_token and not snapshot.fresh(),
        limited=snapshot.limited(viewer),
        view=view,
        points=dict(game.points(state)) if over and now else {},
        eyes=seen,
        sittings=tuple(holder.info for holder in snapshot.holders),
        to_move=tuple(seat for seat in snapshot.seats if snapshot.asked(seat)) if now else (),
        asked=asked,
        plan=Plan(game, state, seat, steps, view) if asked and seat is not None else None,
        heard=_entries(snapshot, knows, plies, since),
        can_take_back=now and seat is not None and can_take_back(snapshot, seat),
        demo=snapshot.demo,
        outcome=_outcome.decode(snapshot.outcome) if snapshot.outcome else None,
        commitment=commitment(snapshot.secret),
        words=(words := _words.decode(snapshot.words)),
        dice=snapshot.dice,
        seat_giver=snapshot.seat_giver,
        requests=requests.open_requests(connection, snapshot, seat, clock.now()) if now else (),
        word_seats=tuple(
            snapshot.seats[place] for place in dice.seats_of_words(snapshot.seed, len(words), snapshot.dice)
        ),
        secret=snapshot.secret.hex() if over else None,
        started_at=snapshot.started_at,
        ended_at=snapshot.ended_at,
        zone=snapshot.holder(seat).zone if seat is not None else "UTC",
        rule=snapshot.rule,
        deadlines=turn_clocks.deadlines(snapshot, clock.now()) if now and snapshot.running else (),
        paused=snapshot.paused,
        frozen=snapshot.frozen,
        extended=snapshot.extended,
        pause_ends=pauses.ends(snapshot),
        nudges=_nudges(snapshot, seat) if now and snapshot.running else (),
        keys=keys(snapshot),
        notices=heard,
        muted=len(told) - len(heard),
    )


def without_muted(
    connection: Connection, snapshot: MatchSnapshot, reader: int | None, told: tuple[Notice, ...]
) -> tuple[Notice, ...]:
    """The notices without the messages of people that the player has muted."""
    if reader is None or all(one.what != "said" for one in told):
        return told
    silenced = blocks.silenced(connection, reader)
    if not silenced:
        return told
    spells = chairs.spells(connection, snapshot.match_id)  # a seat can have passed to another player since
    return tuple(
        one
        for one in told
        if one.what != "said" or chairs.player_then(spells, one.by_seat, one.at) not in silenced
    )


def _nudges(snapshot: MatchSnapshot, own: Seat | None) -> tuple[Seat, ...]:
    """The seats that the viewer may nudge."""
    if own is None:
        return ()
    return tuple(seat for seat in snapshot.seats if nudges.may_nudge(snapshot, own, seat))


def _asked(snapshot: MatchSnapshot, seat: Seat) -> tuple[Asked, ...]:
    """The seat's open questions, optional ones last."""
    own = [one for one in snapshot.open if one.seat == seat]
    if not own or snapshot.holder(seat).resigned:
        return ()
    asked = [
        Asked(one.id, decision, one.asked_at)
        for decision in snapshot.decisions()
        for one in own
        if one.is_of(decision)
    ]
    return tuple(sorted(asked, key=lambda one: one.decision.optional))


def _entries(
    snapshot: MatchSnapshot, seat: Seat | None, plies: Sequence[Logged], since: datetime | None
) -> tuple[LogEntry, ...]:
    """The plies as the seat may know them.

    Until the match is over, only the seat that made a move sees its text, and only during that turn; private
    events are shown from the seat's last turn on. Both may tell things that players are to forget. Only the
    player who left standing orders learns that they made a move, not a successor on the seat.
    """
    over, slug = snapshot.over, snapshot.slug
    turn = min((one.turn for one in snapshot.open if one.seat == seat and not one.optional), default=None)
    private_from = _last_turn(seat, plies)
    entries = []
    for one in plies:
        own = seat is not None and one.seat == seat
        what, in_turn = kind_of(one.move), own and turn is not None and one.ply > turn
        every = cache.told(slug, one.told)
        ear = None
        if over or all(told.to is None for told in every):
            events = tuple([told.event for told in every])
        else:
            ear = seat if one.ply >= private_from else None
            events = tuple([told.event for told in every if told.to is None or ear in told.to])
        entries.append(
            LogEntry(
                ply=one.ply,
                seat=one.seat,
                what=what,
                events=events,
                at=one.at,
                move=one.move if what == "move" and (over or in_turn) else None,
                by_clock=one.source == "clock",
                by_orders=one.source == "orders" and own and since is not None and one.at >= since,
                ear=ear,
            )
        )
    return tuple(entries)


def _last_turn(seat: Seat | None, plies: Sequence[Logged]) -> int:
    """The first ply of the seat's last unbroken row of plies; -1 if it has none among these."""
    first = -1
    for one in reversed(plies):
        if one.seat == seat:
            first = one.ply
        elif first >= 0:
            break
    return first
