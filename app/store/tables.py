"""The tables. Rows are made by `play` and `people` from checked values; SQLModel does not check them here.

Moments are aware and in UTC. Statuses and kinds are plain text, so that a migration can read them.
"""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

KEY_IS_PLACE = {"sqlite_with_rowid": False}
"""SQLite keeps the rows in the order of their key, not beside it: one page less to write at every move."""


class Player(SQLModel, table=True):
    """A person who confirmed an address by answering a letter."""

    id: int | None = Field(default=None, primary_key=True)
    address: str
    address_key: str = Field(unique=True)
    """The address casefolded: two spellings are one person."""
    name: str
    language: str = "en"
    zone: str = "UTC"
    session_epoch: int = 0
    """Rises when all sessions of the player end."""
    created_at: datetime


class Match(SQLModel, table=True):
    """A table, from its opening to its end."""

    __table_args__ = (Index("match_lately", "status", "ended_at", "started_at"),)

    id: int | None = Field(default=None, primary_key=True)
    game: str
    edition: int
    options: str = Field(sa_column=Column(Text, nullable=False))
    """JSON, filled."""
    seats: int
    status: str
    """unconfirmed, open (inviting), running, over, called_off."""
    organiser_id: int | None = Field(default=None, foreign_key="player.id")
    demo: bool = False
    """Some seats are the computer's."""
    bots: int = 0
    """How many."""
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    """Drawn when the table is opened; published at the end."""
    seed: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    words: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    """JSON: the players' words in seat order, public from the start of play."""
    state: str = Field(default="", sa_column=Column(Text, nullable=False))
    """The snapshot of the log's end."""
    ply: int = 0
    barrier_state: str = Field(default="", sa_column=Column(Text, nullable=False))
    """The state behind which nothing can be taken back."""
    barrier_ply: int = 0
    barrier_seat: str | None = None
    """Who has acted since, and so may take back."""
    outcome: str | None = Field(default=None, sa_column=Column(Text))
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None


class Invitation(SQLModel, table=True):
    """One person asked to a table, the organiser too."""

    __table_args__ = (UniqueConstraint("match_id", "address_key"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    address: str
    address_key: str = Field(index=True)
    organiser: bool = False
    status: str
    """waiting (for the organiser's confirmation), invited, accepted, declined, withdrawn, expired."""
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    word: str = ""
    """The player's word for the dice."""
    invited_at: datetime | None = None
    reminded_at: datetime | None = None
    answered_at: datetime | None = None
    expires_at: datetime | None = Field(default=None, index=True)


class Chair(SQLModel, table=True):
    """Who sits on a seat of a running or finished match, from when until when."""

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
    match_id: int = Field(foreign_key="match.id")
    seat: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    bot: bool = False
    """A simple player of the computer sits here, or it plays on for one who resigned."""
    name: str = ""
    """A bot's name; a person's is the player's."""
    since: datetime
    until: datetime | None = None
    resigned_at: datetime | None = None
    heard_ply: int = -1
    """The last ply that a letter told this seat of."""


class Played(SQLModel, table=True):
    """The log: append only, and the truth. `move` may be a house word: start, undo, resign."""

    __table_args__ = (
        Index(
            "played_key",
            "source_key",
            unique=True,
            sqlite_where=text("source_key IS NOT NULL"),
            postgresql_where=text("source_key IS NOT NULL"),
        ),
        KEY_IS_PLACE,
    )

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    ply: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: str | None
    move: str = Field(sa_column=Column(Text, nullable=False))
    source: str
    """web, letter, bot, default, house."""
    source_key: str | None = None
    """What the move came by, where that could come twice: a letter's message id."""
    told: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime


class Question(SQLModel, table=True):
    """An open decision with an identity. Links and forms name it."""

    __table_args__ = (
        Index(
            "question_open",
            "match_id",
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index(
            "question_unmanned",
            "asked_at",
            sqlite_where=text("closed_at IS NULL AND unmanned"),
            postgresql_where=text("closed_at IS NULL AND unmanned"),
        ),
        KEY_IS_PLACE,
    )

    id: str = Field(primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    seat: str
    asks: str
    about: str
    fingerprint: str
    run: int
    """The ply at which the seat's unbroken run of questions began: what a turn token is good for."""
    optional: bool = False
    """Nobody waits for it."""
    unmanned: bool = False
    """A bot is asked, or one who resigned: the house answers."""
    answer: str | None = Field(default=None, sa_column=Column(Text))
    """What its seat answered: a digest of the text as it came, then the moves, one a line."""
    asked_at: datetime
    due_at: datetime | None = None
    reminded_at: datetime | None = None
    closed_at: datetime | None = None


class Token(SQLModel, table=True):
    """What a link in a letter may do. The token itself is never stored."""

    hash: str = Field(primary_key=True)
    """SHA-256 in hex of the token."""
    purpose: str
    """turn, invitation, sign_in."""
    match_id: int | None = Field(default=None, foreign_key="match.id")
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    seat: str | None = None
    run: int | None = None
    letter_id: str | None = None
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


class Letter(SQLModel, table=True):
    """The outbox. A row says what the letter is about; its text is written when it is sent."""

    __table_args__ = (
        Index(
            "letter_waiting",
            "due_at",
            sqlite_where=text("status = 'waiting'"),
            postgresql_where=text("status = 'waiting'"),
        ),
        KEY_IS_PLACE,
    )

    id: str = Field(primary_key=True)
    kind: str
    """The folder under templates/mail that writes it."""
    once: str = Field(unique=True)
    """Recipient, occasion and kind: the same letter is never asked for twice."""
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: str | None = None
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    about: str = ""
    """The question, or whatever the kind says."""
    status: str = "waiting"
    """waiting, sent, dropped (no longer true), failed, unknown (lost after the last dot)."""
    reason: str = ""
    """Why it was dropped or failed, as a word for the player's page."""
    created_at: datetime
    due_at: datetime
    held_until: datetime | None = None
    """A worker has it until then."""
    tries: int = 0
    sent_at: datetime | None = None
    to_ply: int | None = None
    """The last ply it told of."""


class Heartbeat(SQLModel, table=True):
    """When something that must run ran last."""

    name: str = Field(primary_key=True)
    at: datetime
