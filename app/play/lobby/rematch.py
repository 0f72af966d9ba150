"""Another game for the people of a finished one: with the same settings, and seats drawn anew."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from app import clock, games
from app.engine import codec
from app.people import bars
from app.people.mailboxes import mailbox_of
from app.play.clock.rules import Rule
from app.play.lobby import limits
from app.play.lobby.invitations import confirmed, joined
from app.play.lobby.snapshot import LobbySnapshot, unstarted
from app.play.match import invitations, lifetimes, matches
from app.play.match.invitations import Invite
from app.play.match.matches import NewMatch
from app.play.match.records import NotFound, Refused
from app.store import tokens
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.store.sql import Query, is_key

PURPOSE = "again"
LASTS = timedelta(days=60)
"""How long the link in the last email of a game works."""


class Companion(msgspec.Struct, frozen=True):
    """A person on a seat at the end of a match, with their address: never for a page."""

    seat: str
    player_id: int
    name: str
    address: str
    key: str


class _Settings(msgspec.Struct, frozen=True):
    slug: str
    options: dict[str, str]
    seats: int
    bots: int
    rule: Rule
    seat_giver: str
    private: bool
    status: str


class Finished(_Settings, frozen=True):
    """A match with its settings, and its people."""

    people: tuple[Companion, ...]

    def but(self, player_id: int) -> tuple[Companion, ...]:
        """The others. Raises NotFound if the player has no seat."""
        if all(one.player_id != player_id for one in self.people):
            raise NotFound("match")
        return tuple(one for one in self.people if one.player_id != player_id)


class _Row(_Settings, frozen=True):
    seat: str
    player_id: int | None
    name: str | None
    address: str | None
    key: str | None


_of_match = Query(
    _Row,
    """SELECT m.game AS slug, m.options, m.seats, m.bots, m.clock AS rule, m.seat_giver,
              m.private AND m.hidden IN ('', 'private') AS private, m.status,
              c.seat, c.player_id, p.name, p.address, p.address_key AS key
       FROM "match" m JOIN chair c ON c.match_id = m.id AND c.until IS NULL
       LEFT JOIN player p ON p.id = c.player_id AND p.gone_at IS NULL
       WHERE m.id = :match_id AND m.status IN ('running', 'over') ORDER BY c.id""",
)


def rematch(store: Store, match_id: int, player_id: int) -> int:
    """The id of the rematch of a finished match: a new one, or the one that another player has started.

    The player's pressing is their acceptance; the others are invited as to any game, as far as the limits
    allow, but for those under a bar. A match has one rematch, unless that was called off. Raises NotFound,
    Refused("not_over", "own_address_barred", "nobody_left", "too_many_open"), and BadOptions if the
    options can't be chosen any more.
    """
    now = clock.now()
    with store.transaction() as connection:
        hold_match(connection, match_id)
        finished = of_match(connection, match_id)
        others = tuple(one for one in finished.but(player_id) if bars.of(connection, one.key) is None)
        if finished.status != "over":
            raise Refused("not_over")
        before = matches.rematch_of(connection, match_id)
        if before is not None and before.status == "called_off":
            matches.forget_rematch(connection, match_id)
        elif before is not None:
            _accept(connection, now, before.id, player_id, finished)
            return before.id
        own = next(one for one in finished.people if one.player_id == player_id)
        bars.check(connection, own.key)
        if not others and finished.seats - finished.bots > 1:
            raise Refused("nobody_left")
        limits.check_host(connection, mailbox_of(own.key), len(others))
        return _begin(connection, now, match_id, finished, own, others)


def rematch_of(store: Store, match_id: int, player_id: int) -> int | None:
    """The id of the rematch that the players of a match have, if it was not called off.

    Raises NotFound if the player has no seat in the match.
    """
    with store.reading() as connection:
        of_match(connection, match_id).but(player_id)
        found = matches.rematch_of(connection, match_id)
    return found.id if found is not None and found.status != "called_off" else None


def finished_match(store: Store, match_id: int) -> Finished:
    """A match that has begun. Raises NotFound."""
    with store.reading() as connection:
        return of_match(connection, match_id)


def of_match(connection: Connection, match_id: int) -> Finished:
    """As `finished_match`, within a transaction."""
    rows = _of_match.all(connection, match_id=match_id) if is_key(match_id) else []
    if not rows:
        raise NotFound("match")
    people = tuple(
        Companion(row.seat, row.player_id, row.name, row.address, row.key)
        for row in rows
        if row.player_id is not None
        and row.name is not None
        and row.address is not None
        and row.key is not None
    )
    settings = {name: getattr(rows[0], name) for name in _Settings.__struct_fields__}
    return Finished(**settings, people=people)


def by_link(store: Store, token: str) -> tuple[int, int]:
    """The match and the player of the link in a game's last email. Raises NotFound."""
    with store.reading() as connection:
        found = tokens.find(connection, token, PURPOSE)
    if found is None or not found.lasts(clock.now()) or found.match_id is None or found.player_id is None:
        raise NotFound("match")
    return found.match_id, found.player_id


def _begin(
    connection: Connection,
    now: datetime,
    match_id: int,
    finished: Finished,
    own: Companion,
    others: Sequence[Companion],
) -> int:
    """Create the match, confirmed by its organiser, and invite the others. Returns its id."""
    game = games.all_games().get(finished.slug)
    if game is None:
        raise NotFound("game")
    new = NewMatch(
        finished.slug,
        game.edition,
        codec.dumps(dict(game.complete_options(finished.seats, finished.options))),
        finished.seats,
        finished.bots,
        secrets.token_bytes(32),
        codec.dumps(finished.rule),
        finished.seat_giver,
        private=finished.private,
        again_of=match_id,
    )
    new_id = matches.create(connection, now, new)
    invites = [
        Invite(own.address, own.key, organiser=True, invited_at=now, expires_at=lifetimes.first_end(now))
    ]
    invites += [Invite(one.address, one.key, status="waiting", known=one.name) for one in others]
    own_id, *_ = invitations.write(connection, new_id, invites)
    confirmed(connection, now, unstarted(connection, new_id), own_id, own.player_id)
    return new_id


def _accept(connection: Connection, now: datetime, new_id: int, player_id: int, finished: Finished) -> None:
    """Accept the player's invitation to the rematch, if it can be accepted."""
    hold_match(connection, new_id)
    snapshot: LobbySnapshot = unstarted(connection, new_id)
    key = next(one.key for one in finished.people if one.player_id == player_id)
    own = next((one for one in snapshot.invitations if one.key == key), None)
    if snapshot.status != "open" or own is None or own.status not in ("invited", "waiting"):
        return
    if own.status == "waiting":
        invitations.send_out(connection, now, own.id, lifetimes.first_end(now))
    if invitations.accept(connection, now, own.id, player_id):
        joined(connection, now, snapshot, own.id, host=False)
