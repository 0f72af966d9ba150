"""A match before its start, with its invitations, as one select reads it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from app import clock
from app.engine.chance import commitment
from app.engine.game import Game
from app.people import service as people
from app.people.names import told_apart
from app.people.service import Person
from app.play.clock.rules import Rule, Stop
from app.play.lobby.records import InvitationView, LobbyView
from app.play.match import invitations
from app.play.match.editions import rules_of
from app.play.match.records import Closed, NotFound, Viewer
from app.store import tokens
from app.store.connection import Connection
from app.store.locks import hold_match
from app.store.session import Store
from app.store.sql import Query, is_key

OPEN = ("unconfirmed", "open")
"""Statuses of a match before its start."""
FRESH = timedelta(hours=24)
"""How long an invitation's link gives the organiser of a running match their powers."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a match, with its address, and its player once accepted."""

    id: int
    address: str
    key: str
    organiser: bool
    known: str
    """The name by which the organiser knows them; their address is not shown then."""
    joins: bool
    """They asked to join by themselves."""
    status: str
    player_id: int | None
    answered_at: datetime | None
    word: str
    """The player's word for the dice."""
    name: str | None
    zone: str
    away: tuple[Stop, ...]
    reminders: str

    @property
    def nameless(self) -> bool:
        """The organiser knows no address of theirs, but a name: from a game, or as they joined."""
        return not self.organiser and (bool(self.known) or (self.joins and self.status == "accepted"))

    @property
    def asks_to_join(self) -> bool:
        """They asked to join, and have no seat yet or no more."""
        return self.joins and self.status != "accepted"


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
    private: bool
    joinable: bool
    share: int
    """The number of the link to share; 0: none, negative: it has ended."""
    again_of: int | None
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

    @property
    def free(self) -> int:
        """The seats that nobody has and nobody was invited to."""
        kept = sum(
            one.status == "accepted" or (one.status in ("invited", "waiting") and not one.joins)
            for one in self.invitations
        )
        return self.seats - self.bots - kept

    @property
    def has_room(self) -> bool:
        """A seat can be taken without an invitation."""
        return (self.joinable or self.share > 0) and self.free > 0

    def view(self) -> LobbyView:
        """The match as the viewer may see it: addresses for the organiser, others only while invited."""
        shown = tuple(one for one in self.invitations if not one.asks_to_join or one == self.own)
        if self.own is not None and self.own.status in ("declined", "withdrawn", "expired"):
            shown = (self.own,)
        views = [self._invitation_view(one) for one in shown]
        names = told_apart([one.name for one in views])
        views = [msgspec.structs.replace(one, name=name) for one, name in zip(views, names, strict=True)]
        return LobbyView(
            match_id=self.match_id,
            game=self.game,
            options=self.options,
            seats=self.seats,
            bots=self.bots,
            status=self.status,
            guests=tuple(views),
            commitment=commitment(self.secret),
            mine=self._invitation_view(self.own) if self.own else None,
            organised=self.organised,
            created_at=self.created_at,
            rule=self.rule,
            private=self.private,
            joinable=self.joinable,
            share=self.share,
            again_of=self.again_of,
            free=max(self.free, 0),
        )

    def _invitation_view(self, one: Invitation) -> InvitationView:
        name = one.name if one.status == "accepted" else one.known or one.address if self.organised else ""
        out = one.status == "withdrawn" and one.player_id is not None
        return InvitationView(one.id, name or "", one.organiser, one.status, one.answered_at, one.joins, out)


class _Row(msgspec.Struct, frozen=True):
    """An invitation, with its match: the same in each row."""

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
    private: bool
    joinable: bool
    share: int
    again_of: int | None
    id: int
    address: str
    key: str
    organiser: bool
    known: str
    joins: bool
    answer: str
    player_id: int | None
    answered_at: datetime | None
    word: str
    name: str | None
    zone: str | None
    away: tuple[Stop, ...] | None
    reminders: str | None


_by_match = Query(
    _Row,
    """SELECT m.id AS match_id, m.game AS slug, m.edition, m.options, m.seats, m.bots, m.status,
              m.organiser_id, m.secret, m.created_at, m.clock AS rule, m.private, m.joinable,
              m.share, m.again_of, i.id, i.address, i.address_key AS key, i.organiser, i.known, i.joins,
              i.status AS answer, i.player_id, i.answered_at, i.word,
              p.name, p.zone, p.away, p.reminders
       FROM "match" m JOIN invitation i ON i.match_id = m.id LEFT JOIN player p ON p.id = i.player_id
       WHERE m.id = :match_id ORDER BY i.id""",
)


def lobby_by_token(store: Store, token: str) -> LobbyView:
    """The match of an invitation's link. Raises NotFound."""
    with store.reading() as connection:
        snapshot = snapshot_by_token(connection, token)
        return snapshot.view()


def lobby_of(store: Store, match_id: int, player_id: int) -> LobbyView:
    """A match that the player organises or was invited to and accepted. Raises NotFound."""
    with store.reading() as connection:
        snapshot = snapshot_of(connection, match_id, Viewer(player_id=player_id))
        return snapshot.view()


def accepted_player(store: Store, token: str) -> tuple[int, int]:
    """The match id of an invitation's token and the player who accepted it. Raises NotFound."""
    with store.reading() as connection:
        snapshot = snapshot_by_token(connection, token)
    if snapshot.own is None or snapshot.own.status != "accepted" or snapshot.own.player_id is None:
        raise NotFound("invitation")
    return snapshot.match_id, snapshot.own.player_id


def invited_player(store: Store, token: str) -> Person | None:
    """The player whose address got an invitation's link; None: a newcomer. Raises NotFound."""
    with store.reading() as connection:
        snapshot = snapshot_by_token(connection, token)
        assert snapshot.own is not None
        player_id = people.player_with_key(connection, snapshot.own.key)
    return people.player(store, player_id) if player_id is not None else None


def moved_player(store: Store, token: str) -> Person | None:
    """The player that an invitation's link belongs to, if it was sent to an address that is theirs no more.

    Who reads at the former address is perhaps somebody else: the link does nothing without signing in.
    Raises NotFound.
    """
    with store.reading() as connection:
        own, found = snapshot_by_token(connection, token).own, tokens.find(connection, token, "invitation")
        assert own is not None
        if found is not None and found.player_id is not None:
            return None  # sent to the registered address, with all other links of the player
        player_id = own.player_id or people.player_with_key(connection, own.key)
    person = people.player(store, player_id) if player_id is not None else None
    return person if person is not None and people.check_address(person.address)[1] != own.key else None


def is_fresh(store: Store, token: str) -> bool:
    """Whether an invitation's link was sent within FRESH. An older one gives no power over others."""
    with store.reading() as connection:
        found = tokens.find(connection, token, "invitation")
    return found is not None and clock.now() - found.created_at <= FRESH


def snapshot_by_token(connection: Connection, token: str, lock: bool = False) -> LobbySnapshot:
    """The match of an invitation's token. With `lock`, other writers wait. Raises NotFound."""
    invitation_id = _invitation_of(connection, token)
    match_id = None if invitation_id is None else invitations.match_of(connection, invitation_id)
    if match_id is None:
        raise NotFound("invitation")
    if lock:
        hold_match(connection, match_id)
    return _snapshot(_by_match.all(connection, match_id=match_id), invitation_id, None)


def snapshot_of(connection: Connection, match_id: int, viewer: Viewer, lock: bool = False) -> LobbySnapshot:
    """A match that the viewer is invited to. With `lock`, other writers wait. Raises NotFound."""
    if not is_key(match_id):
        raise NotFound("match")
    if lock:
        hold_match(connection, match_id)
    invitation_id = None if viewer.token is None else _invitation_of(connection, viewer.token)
    snapshot = _snapshot(_by_match.all(connection, match_id=match_id), invitation_id, viewer.player_id)
    if snapshot.own is None:
        raise NotFound("match")
    return snapshot


def _invitation_of(connection: Connection, token: str) -> int | None:
    """The invitation of a token, or None. Raises Closed("link_ended", or "called_off": the game is gone)."""
    found = tokens.find(connection, token, "invitation")
    if found is not None and found.ended_at is not None:
        raise Closed("link_ended")
    if found is not None and found.invitation_id is None:
        raise Closed("called_off")
    return None if found is None else found.invitation_id


def unstarted(connection: Connection, match_id: int) -> LobbySnapshot:
    """A match before its start, for no viewer. Raises NotFound."""
    return _snapshot(_by_match.all(connection, match_id=match_id), None, None)


def _snapshot(rows: Sequence[_Row], invitation_id: int | None, player_id: int | None) -> LobbySnapshot:
    if not rows:
        raise NotFound("match")
    found = tuple(_invitation(row) for row in rows)
    own = next(
        (
            one
            for one in found
            if one.id == invitation_id or (player_id is not None and one.player_id == player_id)
        ),
        None,
    )
    first = rows[0]
    return LobbySnapshot(
        match_id=first.match_id,
        slug=first.slug,
        edition=first.edition,
        options=first.options,
        seats=first.seats,
        bots=first.bots,
        status=first.status,
        organiser_id=first.organiser_id,
        secret=first.secret,
        created_at=first.created_at,
        rule=first.rule,
        private=first.private,
        joinable=first.joinable,
        share=first.share,
        again_of=first.again_of,
        invitations=found,
        own=own,
    )


def _invitation(row: _Row) -> Invitation:
    return Invitation(
        id=row.id,
        address=row.address,
        key=row.key,
        organiser=row.organiser,
        known=row.known,
        joins=row.joins,
        status=row.answer,
        player_id=row.player_id,
        answered_at=row.answered_at,
        word=row.word,
        name=row.name,
        zone=row.zone or "UTC",
        away=row.away or (),
        reminders=row.reminders or "",
    )
