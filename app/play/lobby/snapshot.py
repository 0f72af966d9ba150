"""A match before its start, with its invitations, as one select reads it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from app.engine.chance import commitment
from app.engine.game import Game
from app.play.clock.rules import Rule
from app.play.match.editions import rules_of
from app.play.match.links import hash_of
from app.play.match.locking import hold
from app.play.match.records import Guest, NotFound, Table, Viewer
from app.play.match.snapshot import rule
from app.store.session import Store
from app.store.statement import Statement, is_key, moment, moment_or_none

OPEN = ("unconfirmed", "open")
"""Statuses of a match before its start."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a match, with its address."""

    id: int
    address: str
    key: str
    organiser: bool
    status: str
    player_id: int | None
    name: str | None
    answered_at: datetime | None


class LobbySnapshot(msgspec.Struct, frozen=True):
    """A match before its start, read at one moment, for one viewer."""

    match_id: int
    slug: str
    edition: int
    options: dict[str, str]
    seats: int
    bots: int
    status: str
    organiser_id: int | None
    secret: bytes
    created_at: datetime
    rule: Rule
    invitations: tuple[Invitation, ...]
    own: Invitation | None
    """The viewer's invitation."""

    @property
    def game(self) -> Game:
        """The rules of its edition."""
        return rules_of(self.slug, self.edition)

    @property
    def organised(self) -> bool:
        """The viewer is the organiser."""
        return self.own is not None and self.own.organiser

    def count(self, *statuses: str) -> int:
        """The number of invitations with one of the statuses."""
        return sum(one.status in statuses for one in self.invitations)

    def table(self) -> Table:
        """What the viewer may see: addresses only as organiser, other invitations only while invited."""
        shown = self.invitations
        if self.own is not None and self.own.status in ("declined", "withdrawn", "expired"):
            shown = (self.own,)
        return Table(
            match_id=self.match_id,
            game=self.game,
            options=self.options,
            seats=self.seats,
            bots=self.bots,
            status=self.status,
            guests=tuple(self._guest(one) for one in shown),
            commitment=commitment(self.secret),
            mine=self._guest(self.own) if self.own else None,
            organised=self.organised,
            created_at=self.created_at,
            rule=self.rule,
        )

    def _guest(self, one: Invitation) -> Guest:
        name = one.name if one.status == "accepted" else one.address if self.organised else ""
        return Guest(one.id, name or "", one.organiser, one.status, one.answered_at)


def _statement(where: str) -> Statement:
    return Statement(
        f"""SELECT m.id, m.game, m.options, m.seats, m.bots, m.status, m.organiser_id, m.secret, m.created_at,
                   m.clock, i.id, i.address, i.address_key, i.organiser, i.status, i.player_id, p.name,
                   i.answered_at, m.edition
            FROM "match" m JOIN invitation i ON i.match_id = m.id LEFT JOIN player p ON p.id = i.player_id
            WHERE m.id = {where} ORDER BY i.id"""  # noqa: S608 - constants
    )


_by_match = _statement("?")
_match_of = Statement("SELECT match_id FROM invitation WHERE id = ?")
_by_token = Statement(
    """SELECT i.match_id, i.id FROM token t JOIN invitation i ON i.id = t.invitation_id
       WHERE t.hash = ? AND t.purpose = 'invitation'"""
)


def table_by_token(store: Store, token: str) -> Table:
    """The match of an invitation's link. Raises NotFound."""
    with store.reading() as connection:
        return snapshot_by_token(connection, token).table()


def table_of(store: Store, match_id: int, player_id: int) -> Table:
    """A match that the player organises or was invited to and accepted. Raises NotFound."""
    with store.reading() as connection:
        return snapshot_of(connection, match_id, Viewer(player_id=player_id)).table()


def accepted_player(store: Store, token: str) -> tuple[int, int]:
    """The match id of an invitation's token and the player who accepted it. Raises NotFound."""
    with store.reading() as connection:
        snapshot = snapshot_by_token(connection, token)
    if snapshot.own is None or snapshot.own.status != "accepted" or snapshot.own.player_id is None:
        raise NotFound("invitation")
    return snapshot.match_id, snapshot.own.player_id


def snapshot_by_token(connection: Connection, token: str, lock: bool = False) -> LobbySnapshot:
    """The match of an invitation's token. With `lock`, other writers wait. Raises NotFound."""
    for match_id, invitation_id in _by_token.fetch(connection, hash_of(token)):
        if lock:
            hold(connection, match_id)
        return _snapshot(_by_match.fetch(connection, match_id), invitation_id, None)
    raise NotFound("invitation")


def snapshot_of(connection: Connection, match_id: int, viewer: Viewer, lock: bool = False) -> LobbySnapshot:
    """A match that the viewer is invited to. With `lock`, other writers wait. Raises NotFound."""
    if not is_key(match_id):
        raise NotFound("match")
    if lock:
        hold(connection, match_id)
    invitation_id = None
    if viewer.token is not None:
        found = _by_token.fetch(connection, hash_of(viewer.token))
        invitation_id = next((held for of, held in found if of == match_id), None)
    snapshot = _snapshot(_by_match.fetch(connection, match_id), invitation_id, viewer.player_id)
    if snapshot.own is None:
        raise NotFound("match")
    return snapshot


def match_of(connection: Connection, invitation_id: int) -> int:
    """The match id of an invitation. Raises NotFound."""
    if is_key(invitation_id):
        for row in _match_of.fetch(connection, invitation_id):
            return int(row[0])
    raise NotFound("invitation")


def _snapshot(rows: Sequence[Any], invitation_id: int | None, player_id: int | None) -> LobbySnapshot:
    if not rows:
        raise NotFound("match")
    invitations = tuple(
        Invitation(
            row[10], row[11], row[12], bool(row[13]), row[14], row[15], row[16], moment_or_none(row[17])
        )
        for row in rows
    )
    own = next(
        (
            one
            for one in invitations
            if one.id == invitation_id or (player_id is not None and one.player_id == player_id)
        ),
        None,
    )
    first = rows[0]
    return LobbySnapshot(
        match_id=first[0],
        slug=first[1],
        edition=first[-1],
        options=msgspec.json.decode(first[2]),
        seats=first[3],
        bots=first[4],
        status=first[5],
        organiser_id=first[6],
        secret=bytes(first[7]),
        created_at=moment(first[8]),
        rule=rule(first[9]),
        invitations=invitations,
        own=own,
    )
