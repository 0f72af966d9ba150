"""Tables that have not started, as one invited or the organiser may see them."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from app import games
from app.engine.chance import commitment
from app.play.clock.rules import Rule
from app.play.match.links import hash_of
from app.play.match.records import Guest, NotFound, Table, Viewer
from app.play.match.snapshot import rule
from app.store.session import Store
from app.store.statement import Statement, is_key, moment, moment_or_none

OPEN = ("unconfirmed", "open")


class Invited(msgspec.Struct, frozen=True):
    """An invitation with what only the house knows of it."""

    id: int
    address: str
    key: str
    organiser: bool
    status: str
    player_id: int | None
    name: str | None
    answered_at: Any


class Setting(msgspec.Struct, frozen=True):
    """A table, read at one moment, and which invitation the bearer holds."""

    match_id: int
    slug: str
    options: dict[str, str]
    seats: int
    bots: int
    status: str
    organiser_id: int | None
    secret: bytes
    created_at: Any
    rule: Rule
    invited: tuple[Invited, ...]
    mine: Invited | None

    @property
    def organised(self) -> bool:
        """The bearer is the organiser."""
        return self.mine is not None and self.mine.organiser

    def count(self, *statuses: str) -> int:
        """How many invitations have one of the statuses."""
        return sum(one.status in statuses for one in self.invited)

    def table(self) -> Table:
        """As it is shown to the bearer: addresses to the organiser, the others to who is still asked."""
        shown = self.invited
        if self.mine is not None and self.mine.status in ("declined", "withdrawn", "expired"):
            shown = (self.mine,)
        return Table(
            match_id=self.match_id,
            game=games.all_games()[self.slug],
            options=self.options,
            seats=self.seats,
            bots=self.bots,
            status=self.status,
            guests=tuple(self._guest(one) for one in shown),
            commitment=commitment(self.secret),
            mine=self._guest(self.mine) if self.mine else None,
            organised=self.organised,
            created_at=moment(self.created_at),
            rule=self.rule,
        )

    def _guest(self, one: Invited) -> Guest:
        name = one.name if one.status == "accepted" else one.address if self.organised else ""
        return Guest(one.id, name or "", one.organiser, one.status, moment_or_none(one.answered_at))


def _statement(where: str) -> Statement:
    return Statement(
        f"""SELECT m.id, m.game, m.options, m.seats, m.bots, m.status, m.organiser_id, m.secret, m.created_at,
                   m.clock, i.id, i.address, i.address_key, i.organiser, i.status, i.player_id, p.name,
                   i.answered_at
            FROM "match" m JOIN invitation i ON i.match_id = m.id LEFT JOIN player p ON p.id = i.player_id
            WHERE m.id = {where} ORDER BY i.id"""  # noqa: S608 - constants
    )


_by_match = _statement("?")
_match = Statement("SELECT match_id FROM invitation WHERE id = ?")
_token = Statement(
    """SELECT i.match_id, i.id FROM token t JOIN invitation i ON i.id = t.invitation_id
       WHERE t.hash = ? AND t.purpose = 'invitation'"""
)


def table_by_token(store: Store, token: str) -> Table:
    """The table to which an invitation's link leads. Raises NotFound."""
    with store.reading() as connection:
        return setting_by_token(connection, token).table()


def invited_player(store: Store, token: str) -> tuple[int, int]:
    """The match of an invitation's token, and the player who accepted it. Raises NotFound."""
    with store.reading() as connection:
        setting = setting_by_token(connection, token)
    if setting.mine is None or setting.mine.status != "accepted" or setting.mine.player_id is None:
        raise NotFound("invitation")
    return setting.match_id, setting.mine.player_id


def table_of(store: Store, match_id: int, player_id: int) -> Table:
    """A table of which the player is organiser or accepted guest. Raises NotFound."""
    with store.reading() as connection:
        return setting_of(connection, match_id, Viewer(player_id=player_id)).table()


def setting_by_token(connection: Connection, token: str, lock: bool = False) -> Setting:
    """The table of an invitation's token. Raises NotFound."""
    for match_id, invitation_id in _token.fetch(connection, hash_of(token)):
        if lock:
            _hold(connection, match_id)
        return _setting(_by_match.fetch(connection, match_id), invitation_id, None)
    raise NotFound("invitation")


def setting_of(connection: Connection, match_id: int, who: Viewer, lock: bool = False) -> Setting:
    """A match's table for one who belongs to it. With `lock`, nobody else changes it. Raises NotFound."""
    if not is_key(match_id):
        raise NotFound("match")
    if lock:
        _hold(connection, match_id)
    invitation_id = None
    if who.token is not None:
        found = _token.fetch(connection, hash_of(who.token))
        invitation_id = next((held for of, held in found if of == match_id), None)
    setting = _setting(_by_match.fetch(connection, match_id), invitation_id, who.player_id)
    if setting.mine is None:
        raise NotFound("match")
    return setting


def match_of(connection: Connection, invitation_id: int) -> int:
    """The match of an invitation. Raises NotFound."""
    if is_key(invitation_id):
        for row in _match.fetch(connection, invitation_id):
            return int(row[0])
    raise NotFound("invitation")


def _hold(connection: Connection, match_id: int) -> None:
    if connection.dialect.name != "sqlite":  # there, every writer is alone already
        Statement('SELECT id FROM "match" WHERE id = ? FOR UPDATE').fetch(connection, match_id)


def _setting(rows: Sequence[Any], invitation_id: int | None, player_id: int | None) -> Setting:
    if not rows:
        raise NotFound("match")
    invited = tuple(Invited(row[10], row[11], row[12], bool(row[13]), *row[14:18]) for row in rows)
    mine = next(
        (
            one
            for one in invited
            if one.id == invitation_id or (player_id is not None and one.player_id == player_id)
        ),
        None,
    )
    first = rows[0]
    return Setting(
        match_id=first[0],
        slug=first[1],
        options=msgspec.json.decode(first[2]),
        seats=first[3],
        bots=first[4],
        status=first[5],
        organiser_id=first[6],
        secret=bytes(first[7]),
        created_at=first[8],
        rule=rule(first[9]),
        invited=invited,
        mine=mine,
    )
