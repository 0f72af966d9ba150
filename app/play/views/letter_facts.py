"""Facts about matches that letters need: turns, deadlines, seats, guests."""

from datetime import datetime

import msgspec

from app.engine.game import Seat
from app.people.names import told_apart
from app.play.clock.rules import Rule
from app.store.connection import Connection
from app.store.sql import Query


class TurnState(msgspec.Struct, frozen=True):
    """The state of a turn that a letter asks for."""

    waits: bool
    """The match waits for it."""
    open: bool
    """It asks something, perhaps only what may be left unanswered."""
    late: bool
    """Its grace period runs."""
    answered: bool
    """The seat has answered something since it began."""
    acted: bool
    """The seat has moved since it began; moves of its standing orders don't count."""


class SeatTurn(msgspec.Struct, frozen=True):
    """A turn of a seat of a match."""

    match_id: int
    seat: Seat
    turn: int


class Holder(msgspec.Struct, frozen=True):
    """The last time of a player on a seat of a match, and how far letters have told them of it."""

    chair_id: int
    heard_ply: int
    heard_notice: int
    until: datetime | None
    """None: the seat is still theirs."""
    resigned_at: datetime | None
    ply: int
    """Of the match."""
    status: str
    """Of the match."""


class Game(msgspec.Struct, frozen=True):
    """A match of a player that has started. With `turn` None it doesn't wait for them."""

    match_id: int
    game: str
    """Its slug."""
    seat: Seat
    status: str
    heard_ply: int
    heard_notice: int
    holds: bool
    """The player still sits there and has not resigned."""
    turn: int | None
    due_at: datetime | None


class MatchLabel(msgspec.Struct, frozen=True):
    """The game, its edition and the status of a match."""

    game: str
    edition: int
    status: str
    ended_at: datetime | None


class Table(msgspec.Struct, frozen=True):
    """The settings of a match, started or not."""

    bots: int
    game: str
    edition: int
    options: str
    """JSON."""
    seats: int
    status: str
    secret: bytes
    clock: Rule
    joinable: bool
    share: int
    """The number of the link to share, if above 0."""


class Guest(msgspec.Struct, frozen=True):
    """An invitation to a match, with the name of the player who accepted it."""

    invitation_id: int
    address: str
    address_key: str
    organiser: bool
    seat: Seat
    """Of a running match; empty for a place in one that has not started."""
    status: str
    player_id: int | None
    name: str | None
    expires_at: datetime | None
    given: bool
    known: str
    """The name by which the organiser knows them; their address is not shown then."""
    joins: bool
    language: str
    """In which they asked for the invitation, else the organiser's; empty where neither is known."""

    @property
    def who(self) -> str:
        """The name of the guest for the organiser, else the address that the organiser gave."""
        return self.name or self.known or self.address


_TURN = "FROM question q WHERE q.match_id = :match_id AND q.seat = :seat AND q.run = :turn"
_ANSWER = "p.move NOT IN ('undo', 'resign')"
_turn = Query(
    TurnState,
    f"""SELECT EXISTS (SELECT 1 {_TURN} AND q.closed_at IS NULL AND NOT q.optional) AS waits,
               EXISTS (SELECT 1 {_TURN} AND q.closed_at IS NULL) AS open,
               EXISTS (SELECT 1 {_TURN} AND q.closed_at IS NULL AND q.late_at IS NOT NULL) AS late,
               EXISTS (SELECT 1 FROM played p WHERE p.match_id = :match_id AND p.seat = :seat
                       AND p.ply > :turn AND {_ANSWER}) AS answered,
               EXISTS (SELECT 1 FROM played p WHERE p.match_id = :match_id AND p.seat = :seat
                       AND p.ply > :turn AND p.source <> 'orders') AS acted""",  # noqa: S608 - constants
)
_waiting = Query(
    SeatTurn,
    """SELECT DISTINCT q.match_id, q.seat, q.run AS turn
       FROM question q JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       WHERE c.player_id = :player_id AND q.closed_at IS NULL AND NOT q.optional""",
)
_answered_since = Query(
    bool,
    f"""SELECT EXISTS (SELECT 1 FROM played p WHERE p.match_id = :match_id AND p.seat = :seat
                       AND p.at >= :since AND {_ANSWER}) AS answered""",  # noqa: S608 - constants
)
_deadline = Query(
    datetime,
    """SELECT min(due_at) AS due_at FROM question
       WHERE match_id = :match_id AND seat = :seat AND closed_at IS NULL AND NOT optional""",
)
_first_deadline = Query(
    datetime,
    """SELECT min(q.due_at) AS due_at FROM question q
       JOIN chair c ON c.match_id = q.match_id AND c.seat = q.seat AND c.until IS NULL
       WHERE c.player_id = :player_id AND q.closed_at IS NULL AND NOT q.optional""",
)
_holder = Query(
    Holder,
    """SELECT c.id AS chair_id, c.heard_ply, c.heard_notice, c.until, c.resigned_at, m.ply, m.status
       FROM chair c JOIN "match" m ON m.id = c.match_id
       WHERE c.match_id = :match_id AND c.player_id = :player_id ORDER BY c.id DESC LIMIT 1""",
)
_seen_at = Query(
    datetime,
    """SELECT seen_at FROM chair
       WHERE match_id = :match_id AND player_id = :player_id AND until IS NULL AND seen_at IS NOT NULL""",
)
_watched_since = Query(
    bool,
    """SELECT EXISTS (SELECT 1 FROM chair WHERE match_id = :match_id AND player_id = :player_id
                      AND until IS NULL AND watched_at >= :since) AS watched""",
)
_ASKED = "FROM question q WHERE q.match_id = c.match_id AND q.seat = c.seat AND q.closed_at IS NULL"
_games = Query(
    Game,
    f"""SELECT c.match_id, m.game, c.seat, m.status, c.heard_ply, c.heard_notice,
               c.until IS NULL AND c.resigned_at IS NULL AS holds,
               (SELECT min(q.run) {_ASKED} AND NOT q.optional AND m.status = 'running'
                AND c.until IS NULL AND c.resigned_at IS NULL) AS turn,
               (SELECT min(q.due_at) {_ASKED} AND NOT q.optional) AS due_at
        FROM chair c JOIN "match" m ON m.id = c.match_id
        WHERE c.player_id = :player_id AND m.status IN ('running', 'over')
        ORDER BY c.match_id, c.id""",  # noqa: S608 - constants
)
_label = Query(MatchLabel, 'SELECT game, edition, status, ended_at FROM "match" WHERE id = :match_id')
_host_of = Query(int, 'SELECT organiser_id FROM "match" WHERE id = :match_id')
_player_of = Query(
    int, "SELECT player_id FROM chair WHERE match_id = :match_id AND seat = :seat AND until IS NULL"
)
_table = Query(
    Table,
    """SELECT bots, game, edition, options, seats, status, secret, clock, joinable, share
       FROM "match" WHERE id = :match_id""",
)
_GUEST = """SELECT i.id AS invitation_id, i.address, i.address_key, i.organiser, i.seat, i.status,
                   i.player_id, p.name, i.expires_at, i.given, i.known, i.joins,
                   COALESCE(NULLIF(i.language, ''), (
                     SELECT o.language FROM invitation h JOIN player o ON o.id = h.player_id
                     WHERE h.match_id = i.match_id AND h.organiser), '') AS language
            FROM invitation i LEFT JOIN player p ON p.id = i.player_id"""
_guests = Query(Guest, f"{_GUEST} WHERE i.match_id = :match_id ORDER BY i.id")
_guest = Query(Guest, f"{_GUEST} WHERE i.id = :invitation_id")


def turn_state(connection: Connection, turn: SeatTurn) -> TurnState:
    """The state of a turn now."""
    return _turn.one(connection, turn)


def waiting_turns(connection: Connection, player_id: int) -> frozenset[SeatTurn]:
    """All turns that matches wait for on the player's seats."""
    return frozenset(_waiting.all(connection, player_id=player_id))


def answered_since(connection: Connection, match_id: int, seat: Seat, since: datetime) -> bool:
    """Whether the seat has answered anything since that moment."""
    return _answered_since.one(connection, match_id=match_id, seat=seat, since=since)


def deadline(connection: Connection, match_id: int, seat: Seat) -> datetime | None:
    """The deadline of what the match waits for from a seat, or None."""
    return _deadline.one(connection, match_id=match_id, seat=seat)


def first_deadline(connection: Connection, player_id: int) -> datetime | None:
    """The earliest deadline of the player in any match, or None."""
    return _first_deadline.one(connection, player_id=player_id)


def holder(connection: Connection, match_id: int, player_id: int) -> Holder | None:
    """The player's last time on a seat of the match, or None if they never had one."""
    return _holder.first(connection, match_id=match_id, player_id=player_id)


def seen_at(connection: Connection, match_id: int, player_id: int) -> datetime | None:
    """When the player marked what waits in the match as seen, or None."""
    return _seen_at.first(connection, match_id=match_id, player_id=player_id)


def watched_since(connection: Connection, match_id: int, player_id: int, since: datetime) -> bool:
    """Whether a visible page of the player's seat has looked for news since then."""
    return _watched_since.one(connection, match_id=match_id, player_id=player_id, since=since)


def games_of(connection: Connection, player_id: int) -> list[Game]:
    """The player's matches that run or are over, by number; one for each seat they ever had."""
    return _games.all(connection, player_id=player_id)


def label(connection: Connection, match_id: int) -> MatchLabel:
    """The game and the status of a match. Raises LookupError."""
    return _label.one(connection, match_id=match_id)


def host_of(connection: Connection, match_id: int) -> int | None:
    """The organiser of a match; None until they confirm it."""
    return _host_of.first(connection, match_id=match_id)


def player_of(connection: Connection, match_id: int, seat: Seat) -> int | None:
    """The player of a seat, or None."""
    return _player_of.first(connection, match_id=match_id, seat=seat)


def table(connection: Connection, match_id: int) -> Table:
    """The settings of a match. Raises LookupError."""
    return _table.one(connection, match_id=match_id)


def guests(connection: Connection, match_id: int) -> list[Guest]:
    """The invitations to a match, in the order in which they were made; equal names are told apart."""
    found = _guests.all(connection, match_id=match_id)
    names = told_apart([one.name or "" for one in found])
    return [msgspec.structs.replace(one, name=name or None) for one, name in zip(found, names, strict=True)]


def guest(connection: Connection, invitation_id: int) -> Guest:
    """One invitation. Raises LookupError."""
    return _guest.one(connection, invitation_id=invitation_id)
