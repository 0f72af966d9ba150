"""Matches, their invitations, seats, notes and standing orders."""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import EMPTY, OFF, ONE, ZERO, some

_OVER = "status = 'over' AND NOT private"


_TIMED = """status = 'running' AND substr(clock, 1, 14) <> '{"kind":"none"'"""
"""The match runs, and not without a clock."""


class Match(SQLModel, table=True):
    """A match, from the opening of its lobby to its end."""

    __table_args__ = (
        some("match_running", "started_at", where="status = 'running' AND NOT private"),
        some("match_over", "ended_at", where=_OVER),
        some("match_over_game", "game", "ended_at", where=_OVER),
        some("match_over_seats", "seats", "ended_at", where=_OVER),
        some("match_over_both", "game", "seats", "ended_at", where=_OVER),
        some("match_joinable", "joinable", "created_at", where="joinable = TRUE AND status = 'open'"),
        some("match_joinable_game", "game", "created_at", where="joinable AND status = 'open'"),
        some("match_again", "again_of", where="again_of IS NOT NULL", unique=True),
        Index(
            "match_timed",
            "started_at",
            sqlite_where=text(_TIMED),
            postgresql_where=text(_TIMED),
        ),
        Index(
            "match_pause_look",
            "pause_look_at",
            sqlite_where=text("pause_look_at IS NOT NULL"),
            postgresql_where=text("pause_look_at IS NOT NULL"),
        ),
        some("match_untidied", "tidied", "ended_at", where="ended_at IS NOT NULL AND tidied < 3"),
        some("match_called_off", "ended_at", where="status = 'called_off'"),
        some("match_open", "created_at", where="status = 'open'"),
        some("match_unlisted", "status", "id", where="private"),
        some("match_hidden", "id", where="hidden <> ''"),
        some("match_unconfirmed", "id", where="status = 'unconfirmed'"),
        some("match_moved", "id", where="status = 'moved'"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str
    edition: int
    options: str = Field(sa_column=Column(Text, nullable=False))
    """JSON, with defaults filled in."""
    seats: int
    status: str
    """unconfirmed, open (inviting), running, over, called_off, moved (it goes on on another server)."""
    turn_order: str = Field(default="", sa_column_kwargs=EMPTY)
    """The seats in turn order, if it isn't that of the game's colours; else empty."""
    organiser_id: int | None = Field(default=None, foreign_key="player.id")
    demo: bool = False
    """Some seats are the computer's."""
    bots: int = 0
    """How many bots."""
    private: bool = Field(default=False, sa_column_kwargs=OFF)
    """To people who don't play in it, it does not exist."""
    hidden: str = Field(default="", sa_column_kwargs=EMPTY)
    """The operator made it private; before it was public, listed (joinable) or private. Empty: not hidden."""
    joinable: bool = Field(default=False, sa_column_kwargs=OFF)
    """Before its start it is listed, and anybody may take a seat that nobody was invited to."""
    share: int = Field(default=0, sa_column_kwargs=ZERO)
    """The number of the link to share by which such a seat can be taken; 0: none yet, negative: ended."""
    again_of: int | None = None
    """The finished match whose rematch it is, perhaps deleted since; a match has one at most."""
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    """Drawn when the lobby is opened; published at the end."""
    seed: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    words: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    """JSON: the players' words, public from the start of play; in the order that `dice` tells."""
    dice: int = Field(default=1, sa_column_kwargs=ONE)
    """The formula of its dice (`app.engine.dice`): 1 takes the words in seat order, 2 as invited."""
    seat_giver: str = Field(default="host", sa_column_kwargs={"server_default": "host"})
    """The giver of an open seat: host (or the others if the host is gone), anybody (the first who asks)."""
    state: str = Field(default="", sa_column=Column(Text, nullable=False))
    """The state at the end of the log."""
    ply: int = 0
    barrier_state: str = Field(default="", sa_column=Column(Text, nullable=False))
    """The state behind which nothing can be taken back."""
    barrier_ply: int = 0
    barrier_seat: str | None = None
    """The seat that has acted since, and so may take back."""
    outcome: str | None = Field(default=None, sa_column=Column(Text))
    clock: str = Field(default="{}", sa_column=Column(Text, nullable=False, server_default="{}"))
    """JSON: the rule of its clocks."""
    stops: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON: its pauses."""
    extended: int = Field(default=0, sa_column_kwargs=ZERO)
    """Days by which the organiser has extended deadlines, in all."""
    pause_asked_at: datetime | None = None
    """When its players were last asked whether the pause is to go on."""
    pause_look_at: datetime | None = None
    """When to look at its pause again: to ask, or to end it. None: it is not paused."""
    news: int = Field(default=0, sa_column_kwargs=ZERO)
    """Rises with every change of its page that its ply does not count."""
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    tidied: int = Field(default=0, sa_column_kwargs=ZERO)
    """How much that its end made needless is gone: the steps of `app.retention.ended`."""


class Invitation(SQLModel, table=True):
    """One person's invitation to a match; the organiser has one too."""

    __table_args__ = (
        UniqueConstraint("match_id", "address_key"),
        Index(
            "invitation_waiting",
            "match_id",
            sqlite_where=text("status = 'waiting'"),
            postgresql_where=text("status = 'waiting'"),
        ),
        Index(
            "invitation_expires",
            "expires_at",
            sqlite_where=text("status = 'invited'"),
            postgresql_where=text("status = 'invited'"),
        ),
        Index(
            "invitation_asked",
            "expires_at",
            sqlite_where=text("status = 'asked'"),
            postgresql_where=text("status = 'asked'"),
        ),
        Index(
            "invitation_reminds",
            "invited_at",
            sqlite_where=text("status = 'invited' AND reminded_at IS NULL"),
            postgresql_where=text("status = 'invited' AND reminded_at IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    address: str
    address_key: str = Field(index=True)
    mailbox: str = Field(default="", index=True, sa_column_kwargs=EMPTY)
    """The address key without tags: two addresses of one mailbox are counted as one."""
    organiser: bool = False
    known: str = Field(default="", sa_column_kwargs=EMPTY)
    """The name by which the organiser knows them from another game; their address is not shown then."""
    joins: bool = Field(default=False, sa_column_kwargs=OFF)
    """They asked to join, by a list or a link. Before they have confirmed it, it keeps no seat for them."""
    language: str = Field(default="", sa_column_kwargs=EMPTY)
    """The language of the page on which they asked for it by themselves; empty: the organiser's is used."""
    seat: str = Field(default="", sa_column_kwargs=EMPTY)
    """The seat of a running match that it offers; empty before the start."""
    status: str
    """waiting (for the organiser's confirmation), invited, accepted, declined, withdrawn, expired; of a
    seat that is open also asked (its player wants it, and waits for an answer) and refused."""
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    word: str = ""
    """The player's word for the dice."""
    invited_at: datetime | None = None
    reminded_at: datetime | None = None
    answered_at: datetime | None = None
    expires_at: datetime | None = None
    given: bool = Field(default=False, sa_column_kwargs=OFF)
    """The organiser offers the open seat: accepting takes it."""
    votes: str = Field(default="{}", sa_column=Column(Text, nullable=False, server_default="{}"))
    """JSON: for each chair that has voted on the request, whether it agrees."""


class Chair(SQLModel, table=True):
    """One holder's time on a seat of a running or finished match."""

    __table_args__ = (
        Index(
            "chair_taken",
            "match_id",
            "seat",
            unique=True,
            sqlite_where=text("until IS NULL"),
            postgresql_where=text("until IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    bot: bool = False
    """A bot holds the seat."""
    name: str = ""
    """A bot's name; empty for a person."""
    since: datetime
    until: datetime | None = None
    resigned_at: datetime | None = None
    lost: bool = Field(default=False, sa_column_kwargs=OFF)
    """Resigned by the clock."""
    heard_ply: int = -1
    """The last ply that an email told this seat of."""
    heard_notice: int = Field(default=0, sa_column_kwargs=ZERO)
    """The last notice that an email told this seat of."""
    bank: float | None = None
    """Seconds of thinking time in the bank when no clock of the seat runs; None: none was spent yet."""
    noted: int = Field(default=0, sa_column_kwargs=ZERO)
    """Rises with each change of the player's notes and standing orders."""
    orders: bool = Field(default=False, sa_column_kwargs=OFF)
    """The player left standing orders, which are tried before they are asked."""
    open_since: datetime | None = None
    """Since then others may take the seat."""
    watched_at: datetime | None = None
    """When a visible page of the player last looked for news."""
    pause_wanted_at: datetime | None = None
    nudged_at: datetime | None = None
    seen_at: datetime | None = None
    """When the player marked the turn as seen."""
    credited: float = Field(default=0, sa_column_kwargs=ZERO)
    """Seconds given back to the player's clock because emails could not be delivered, in all."""
    credited_until: datetime | None = None
    """Until when that was reckoned."""


class Note(SQLModel, table=True):
    """A player's private note. It belongs to their time on the seat, not to the seat."""

    id: int | None = Field(default=None, primary_key=True)
    chair_id: int = Field(foreign_key="chair.id", index=True)
    text: str = Field(sa_column=Column(Text, nullable=False))
    once: str | None = Field(default=None, unique=True)
    at: datetime


class WhatIf(SQLModel, table=True):
    """The thoughts of a player on how a match could go on, of one time on the seat, like notes."""

    chair_id: int = Field(primary_key=True, foreign_key="chair.id", sa_column_kwargs={"autoincrement": False})
    match_id: int = Field(foreign_key="match.id", index=True)
    deal: int
    """The number of the world that was dealt."""
    lines: str = Field(sa_column=Column(Text, nullable=False))
    """JSON: the moves in thought, each with what chance shows."""
    at: datetime


class StandingOrder(SQLModel, table=True):
    """A conditional move, or a policy for a kind of question. It ends with the player's time on the seat."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    chair_id: int = Field(foreign_key="chair.id", index=True)
    seat: str
    kind: str
    """wish, policy."""
    name: str = ""
    """The name of the policy."""
    place: int = 0
    """Its place among the wishes."""
    text: str = Field(sa_column=Column(Text, nullable=False))
    until: datetime | None = None
    """When a policy ends by itself."""
    created_at: datetime
    ply: int = Field(default=0, sa_column_kwargs=ZERO)
    """A wish ends with the first turn that begins after this ply: that of its writing, until it is tried."""
    closed_at: datetime | None = None
    closed_ply: int | None = None
    result: str = ""
    """played, withdrawn, or why it is void."""
