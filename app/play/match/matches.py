"""The row of a match: every change to it. A change returns whether it was made."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from app.engine import codec
from app.engine.dice import CURRENT, Drawn
from app.engine.game import Outcome, Seat
from app.play.clock.rules import Stop
from app.store.connection import Connection
from app.store.sql import Command, Query, is_key

EVER = 2**31 - 1


class Rematch(msgspec.Struct, frozen=True):
    """The match that was started as a rematch."""

    id: int
    status: str


_COMPARED = "id = :match_id AND ply = :before AND news BETWEEN :least AND :most AND status = 'running'"

_create = Query(
    int,
    """INSERT INTO "match" (game, edition, options, seats, bots, demo, status, secret, clock, seat_giver,
                            private, joinable, share, again_of, words, state, ply, barrier_state,
                            barrier_ply, created_at)
       VALUES (:game, :edition, :options, :seats, :bots, :demo, 'unconfirmed', :secret, :clock, :seat_giver,
               :private, :joinable, :share, :again_of, '[]', '', 0, '', 0, :now)
       RETURNING id""",
)
_confirm = Command(
    """UPDATE "match" SET status = 'open', organiser_id = :player_id
       WHERE id = :match_id AND status = 'unconfirmed'"""
)
_list = Command('UPDATE "match" SET joinable = :joinable WHERE id = :match_id')
_hide = Command(
    """UPDATE "match"
       SET hidden = CASE WHEN private THEN 'private' WHEN joinable THEN 'listed' ELSE 'public' END,
           private = TRUE, joinable = FALSE
       WHERE id = :match_id AND hidden = ''"""
)
_unhide = Command(
    """UPDATE "match"
       SET private = (hidden = 'private'), joinable = (hidden = 'listed' AND status = 'open'), hidden = ''
       WHERE id = :match_id AND hidden <> ''"""
)
_share = Command('UPDATE "match" SET share = :share WHERE id = :match_id')
_rematch_of = Query(Rematch, 'SELECT id, status FROM "match" WHERE again_of = :match_id')
_forget_rematch = Command('UPDATE "match" SET again_of = NULL WHERE again_of = :match_id')
_shrink = Command('UPDATE "match" SET seats = :seats, options = :options WHERE id = :match_id')
_call_off = Command(
    """UPDATE "match" SET status = 'called_off', ended_at = :now
       WHERE id = :match_id AND status IN ('unconfirmed', 'open')"""
)
_begin = Command(
    """UPDATE "match" SET status = 'running', seed = :seed, words = :words, dice = :dice, state = :state,
                          ply = 0, barrier_ply = 0, barrier_seat = NULL, barrier_state = '', started_at = :now
       WHERE id = :match_id AND status IN ('unconfirmed', 'open')"""
)
_advance = Command(f'UPDATE "match" SET ply = :ply, state = :state WHERE {_COMPARED}')  # noqa: S608 - constants
_advance_barrier = Command(
    f"""UPDATE "match" SET ply = :ply, state = :state, barrier_ply = :barrier_ply,
                           barrier_seat = :barrier_seat, barrier_state = :barrier_state
        WHERE {_COMPARED}"""  # noqa: S608 - constants
)
_finish = Command(
    f"""UPDATE "match" SET ply = :ply, state = :state, status = 'over', outcome = :outcome, ended_at = :now
        WHERE {_COMPARED}"""  # noqa: S608 - constants
)
_leave = Command("UPDATE \"match\" SET status = 'moved' WHERE id = :match_id AND status = 'running'")
_return = Command("UPDATE \"match\" SET status = 'running' WHERE id = :match_id AND status = 'moved'")
_older = Query(
    int,
    """SELECT id FROM "match"
       WHERE game = :game AND edition < :edition AND status = 'running' ORDER BY id""",
)
_upgrade = Command('UPDATE "match" SET edition = :edition, options = :options WHERE id = :match_id')
_organise = Command('UPDATE "match" SET organiser_id = :player_id WHERE id = :match_id')
_pause = Command('UPDATE "match" SET stops = :stops WHERE id = :match_id')
_look = Command('UPDATE "match" SET pause_look_at = :at, pause_asked_at = :asked_at WHERE id = :match_id')
_to_look = Query(
    int,
    """SELECT id FROM "match"
       WHERE pause_look_at IS NOT NULL AND pause_look_at <= :now ORDER BY pause_look_at, id LIMIT :most""",
)
_oldest = Query(
    datetime,
    """SELECT started_at FROM "match"
       WHERE status = 'running' AND substr(clock, 1, 14) <> '{"kind":"none"'
       ORDER BY started_at LIMIT 1""",
)
_extend = Command('UPDATE "match" SET extended = extended + :days WHERE id = :match_id')
_touch = Command('UPDATE "match" SET news = news + 1 WHERE id = :match_id')
_barrier_state = Query(str, 'SELECT barrier_state FROM "match" WHERE id = :match_id')
_public_ply = Query(
    int,
    """SELECT ply FROM "match"
       WHERE id = :match_id AND status IN ('running', 'over', 'moved') AND NOT private""",
)
_organiser = Query(int, 'SELECT organiser_id FROM "match" WHERE id = :match_id')
_unconfirmed = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM "match" WHERE id = :match_id AND status = 'unconfirmed'
                      AND created_at > :since) AS unconfirmed""",
)
_untidied = Query(
    int,
    """SELECT id FROM "match"
       WHERE ended_at IS NOT NULL AND tidied < 3 AND tidied = :step AND ended_at < :before
       ORDER BY ended_at LIMIT :most""",
)
_tidy = Command('UPDATE "match" SET tidied = :step WHERE id = :match_id')
# The plus keeps SQLite from the index of all matches that are to be tidied.
_dead = Query(
    int,
    """SELECT id FROM "match" m
       WHERE status = 'called_off' AND ended_at < :before AND started_at IS NULL AND +tidied < 3
         AND NOT EXISTS (SELECT 1 FROM letter l WHERE l.match_id = m.id AND l.status = 'waiting')
       ORDER BY ended_at LIMIT :most""",
)
_delete = Command(
    """DELETE FROM "match" WHERE id = :match_id AND status = 'called_off' AND started_at IS NULL"""
)


class RulesNamed(msgspec.Struct, frozen=True):
    """The rules that a match is played by, whether or not this server has them."""

    game: str
    edition: int


_is_private = Query(bool, 'SELECT private FROM "match" WHERE id = :match_id')
_rules_named = Query(RulesNamed, 'SELECT game, edition FROM "match" WHERE id = :match_id')


class Barrier(msgspec.Struct, frozen=True):
    """The ply behind which nothing can be taken back. The state is kept where a seat has acted since."""

    ply: int
    seat: Seat | None = None
    state: str = ""


class NewMatch(msgspec.Struct, frozen=True):
    """A match to be created."""

    game: str
    edition: int
    options: str
    """JSON, complete."""
    seats: int
    bots: int
    secret: bytes
    clock: str
    """JSON of its rule."""
    seat_giver: str = "host"
    """The giver of open seats: host, anybody."""
    private: bool = False
    joinable: bool = False
    share: int = 0
    """The number of its link to share; 0: none."""
    again_of: int | None = None
    """The match whose rematch it is."""

    @property
    def demo(self) -> bool:
        """Some seats are the computer's."""
        return bool(self.bots)


def is_private(connection: Connection, match_id: int) -> bool:
    """Whether the match exists for its own people alone."""
    return _is_private.one(connection, match_id=match_id)


def create(connection: Connection, now: datetime, new: NewMatch) -> int:
    """The id of a new match, unconfirmed."""
    return _create.one(connection, new, now=now)


def rules_named(connection: Connection, match_id: int) -> RulesNamed | None:
    """The rules that the match names, or None without such a match."""
    return _rules_named.first(connection, match_id=match_id)


def is_unconfirmed(connection: Connection, match_id: int, since: datetime) -> bool:
    """Whether the match was created after a moment and still waits for its organiser's confirmation."""
    return _unconfirmed.one(connection, match_id=match_id, since=since)


def confirm(connection: Connection, match_id: int, player_id: int) -> bool:
    """Confirm a match in the name of its organiser. False: it was confirmed before, or called off."""
    return _confirm.run(connection, match_id=match_id, player_id=player_id) == 1


def set_joinable(connection: Connection, match_id: int, *, joinable: bool) -> None:
    """List a match among those that anybody may join, or no longer."""
    _list.run(connection, match_id=match_id, joinable=joinable)


def hide(connection: Connection, match_id: int) -> bool:
    """Keep a match from everybody who doesn't play in it. False: it is hidden, or there is none."""
    return _hide.run(connection, match_id=match_id) == 1


def unhide(connection: Connection, match_id: int) -> bool:
    """Let a hidden match be seen as its host wished. False: it is not hidden."""
    return _unhide.run(connection, match_id=match_id) == 1


def set_share(connection: Connection, match_id: int, number: int) -> None:
    """Keep the number of the link to share; a negative one has ended."""
    _share.run(connection, match_id=match_id, share=number)


def rematch_of(connection: Connection, match_id: int) -> Rematch | None:
    """The rematch of a match, or None."""
    return _rematch_of.first(connection, match_id=match_id)


def forget_rematch(connection: Connection, match_id: int) -> None:
    """Let a match have another rematch."""
    _forget_rematch.run(connection, match_id=match_id)


def shrink(connection: Connection, match_id: int, seats: int, options: Mapping[str, str]) -> None:
    """Set another number of seats, with the options for that many."""
    _shrink.run(connection, match_id=match_id, seats=seats, options=codec.dumps(dict(options)))


def call_off(connection: Connection, now: datetime, match_id: int) -> bool:
    """End a game that has not started."""
    return _call_off.run(connection, now=now, match_id=match_id) == 1


def begin(connection: Connection, now: datetime, match_id: int, drawn: Drawn, state: str) -> bool:
    """Start it at ply 0. False: it has started already, or was called off."""
    draw = {"seed": drawn.seed, "words": codec.dumps(drawn.words), "dice": CURRENT}
    return _begin.run(connection, now=now, match_id=match_id, state=state, **draw) == 1


def advance(
    connection: Connection,
    now: datetime,
    match_id: int,
    before: int,
    news: int | None,
    ply: int,
    state: str,
    barrier: Barrier | None = None,
    outcome: Outcome | None = None,
) -> bool:
    """Set the ply and the state after it; with an outcome the match is over. The row is ours from then on.

    False: it does not run, or its ply is no longer `before`, or its news no longer `news` (None: any).
    """
    least, most = (0, EVER) if news is None else (news, news)
    compared = {"match_id": match_id, "before": before, "least": least, "most": most}
    new = {"ply": ply, "state": state}
    if outcome is not None:
        return _finish.run(connection, **compared, **new, outcome=codec.dumps(outcome), now=now) == 1
    if barrier is not None:
        values = {"barrier_ply": barrier.ply, "barrier_seat": barrier.seat, "barrier_state": barrier.state}
        return _advance_barrier.run(connection, **compared, **new, **values) == 1
    return _advance.run(connection, **compared, **new) == 1


def leave(connection: Connection, match_id: int) -> bool:
    """Let a match go on elsewhere, and not here. False: it does not run."""
    return _leave.run(connection, match_id=match_id) == 1


def come_back(connection: Connection, match_id: int) -> bool:
    """Let a match that went elsewhere go on here after all. False: it did not."""
    return _return.run(connection, match_id=match_id) == 1


def running_before(connection: Connection, game: str, edition: int) -> list[int]:
    """The running matches of a game that go by an older edition."""
    return list(_older.all(connection, game=game, edition=edition))


def set_edition(connection: Connection, match_id: int, edition: int, options: Mapping[str, str]) -> None:
    """Let the match go on by another edition, with the options that it knows."""
    _upgrade.run(connection, match_id=match_id, edition=edition, options=codec.dumps(dict(options)))


def set_organiser(connection: Connection, match_id: int, player_id: int | None) -> None:
    """Make a player the organiser."""
    _organise.run(connection, match_id=match_id, player_id=player_id)


def organiser_of(connection: Connection, match_id: int) -> int | None:
    """The organiser's player number, or None."""
    return _organiser.first(connection, match_id=match_id)


def public_ply(connection: Connection, match_id: int) -> int | None:
    """The last ply of a match that has begun and that everybody may see, or None."""
    return _public_ply.first(connection, match_id=match_id) if is_key(match_id) else None


def set_pauses(connection: Connection, match_id: int, pauses: tuple[Stop, ...]) -> None:
    """Keep the pauses of the match."""
    _pause.run(connection, match_id=match_id, stops=codec.dumps(pauses))


def look_at_pause(
    connection: Connection, match_id: int, at: datetime | None, asked_at: datetime | None
) -> None:
    """Keep when to look at the pause next (None: there is none), and when its players were last asked."""
    _look.run(connection, match_id=match_id, at=at, asked_at=asked_at)


def pauses_to_look_at(connection: Connection, now: datetime, most: int) -> list[int]:
    """The matches whose pause is to be looked at by now, the earliest first."""
    return _to_look.all(connection, now=now, most=most)


def oldest_clock(connection: Connection) -> datetime | None:
    """When the first of the matches with a clock began that run: before all their turns. None: none runs."""
    return _oldest.first(connection)


def add_extension(connection: Connection, match_id: int, days: int) -> None:
    """Count days of an extension."""
    _extend.run(connection, match_id=match_id, days=days)


def touch(connection: Connection, match_id: int) -> None:
    """Count a change that its pages show and its ply does not count."""
    _touch.run(connection, match_id=match_id)


def barrier_state(connection: Connection, match_id: int) -> str:
    """The stored state behind which nothing can be taken back."""
    return _barrier_state.one(connection, match_id=match_id)


class Idle(msgspec.Struct, frozen=True):
    """A game before its start to which nobody is invited any more."""

    match_id: int
    created_at: datetime
    answered_at: datetime | None
    """The last answer to an invitation."""
    expires_at: datetime | None
    """The last end of one."""

    @property
    def since(self) -> datetime:
        """The last moment at which something happened."""
        known = (self.created_at, self.answered_at, self.expires_at)
        return max(one for one in known if one is not None)


_idle = Query(
    Idle,
    """SELECT m.id AS match_id, m.created_at, MAX(i.answered_at) AS answered_at,
              MAX(i.expires_at) AS expires_at
       FROM "match" m JOIN invitation i ON i.match_id = m.id
       WHERE m.status = 'open' AND m.created_at < :before
         AND NOT EXISTS (SELECT 1 FROM invitation o WHERE o.match_id = m.id
                         AND (o.status IN ('waiting', 'invited') OR o.answered_at >= :before
                              OR o.expires_at >= :before))
       GROUP BY m.id, m.created_at ORDER BY m.created_at LIMIT :most""",
)


def idle(connection: Connection, before: datetime, most: int) -> list[Idle]:
    """Games before their start to which nobody was invited and nobody answered since a moment."""
    return _idle.all(connection, before=before, most=most)


def untidied(connection: Connection, step: int, before: datetime, most: int) -> list[int]:
    """Matches that ended before a moment and were tidied up to a step, the earliest first."""
    return _untidied.all(connection, step=step, before=before, most=most)


def tidied(connection: Connection, match_id: int, step: int) -> None:
    """Keep how far a match is tidied."""
    _tidy.run(connection, match_id=match_id, step=step)


def dead(connection: Connection, before: datetime, most: int) -> list[int]:
    """Matches that were called off before their start and a moment, and of which all letters are out."""
    return _dead.all(connection, before=before, most=most)


def delete(connection: Connection, match_id: int) -> bool:
    """Delete a match that was called off before its start. Raises Clash while something is about it."""
    return _delete.run(connection, match_id=match_id) == 1
