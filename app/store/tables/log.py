"""The log of a match, its notices and its questions."""

from datetime import datetime

from sqlalchemy import BigInteger, Column, Computed, Index, LargeBinary, Text, text
from sqlmodel import Field, SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from app.store.tables.shapes import EMPTY, KEY_IS_PLACE


class Played(SQLModel, table=True):
    """The log: append only, and the truth. `move` may be one of the system's: start, undo, resign."""

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
    """web, letter, bot, default, orders, clock, house (the system), file (nobody knows when it was made)."""
    source_key: str | None = None
    """The message id of the email that brought the move: the same email may come twice."""
    told: str = Field(sa_column=Column(Text, nullable=False))
    """The events as JSON; empty where they are packed."""
    packed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    """The events, packed by `app.play.match.packing`."""
    at: datetime
    answers: int | None = Field(default=None, sa_type=BigInteger)
    """The number of the question that it answered, or helped to answer."""
    typed: str | None = None
    """A digest of the answer as it was typed, if that was not the log's own notation; at its first ply."""


class Notice(SQLModel, table=True):
    """The public log of a match beside its moves. Append only."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    """The notice was written after this ply."""
    what: str
    """The name of its sentence."""
    seat: str | None = None
    """The seat that it is about."""
    by_seat: str | None = None
    """The seat that did it; None: the server."""
    facts: str = Field(default="{}", sa_column=Column(Text, nullable=False))
    """JSON."""
    once: str | None = Field(default=None, unique=True)
    """The occasion, which is told once."""
    at: datetime


class Question(SQLModel, table=True):
    """An open decision with an identity. Links and forms name it by its match and number.

    A row is used again once its question is closed. What was answered is a fact of the log: `Played.answers`.
    """

    __table_args__ = (
        Index(
            "question_look",
            "look_at",
            sqlite_where=text("closed_at IS NULL AND look_at IS NOT NULL"),
            postgresql_where=text("closed_at IS NULL AND look_at IS NOT NULL"),
        ),
        Index(
            "question_unmanned",
            "asked_at",
            sqlite_where=text("closed_at IS NULL AND unmanned"),
            postgresql_where=text("closed_at IS NULL AND unmanned"),
        ),
        KEY_IS_PLACE,
    )

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    seat: str = Field(primary_key=True)
    place: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Among the rows of the seat."""
    number: int = Field(sa_type=BigInteger)
    """Names it within the match, and never another one: a hundred times the ply that opened it, and more."""
    asks: str
    about: str
    run: int
    """The ply at which the seat's turn began, its unbroken row of questions. A turn token is for one turn."""
    optional: bool = False
    """The game does not wait for the answer."""
    unmanned: bool = False
    """The server answers first: for a bot, for a player who resigned, or by standing orders."""
    asked_at: datetime
    begun_at: datetime | None = None
    """When the clock of its turn began; None: it has no clock."""
    allowed: float | None = None
    """Seconds that the turn may take."""
    due_at: datetime | None = None
    """The turn's deadline as last announced. It never moves earlier; None: the clock is stopped."""
    remind_at: datetime | None = None
    """When the next reminder is due."""
    late_at: datetime | None = None
    """When the deadline passed and the grace period began."""
    announced_at: datetime | None = None
    """The deadline announced before the clock was stopped with no known end."""
    zone: str = Field(default="", sa_column_kwargs=EMPTY)
    """The time zone in which its clock counts, from beginning to end; empty: that of its player."""
    reminded: str = Field(default="", sa_column_kwargs=EMPTY)
    """The reminders of the turn that have come: each comes once."""
    closed_at: datetime | None = None
    look_at: datetime | None = Field(
        default=None,
        sa_column=Column(
            UTCDateTime(),
            Computed(
                "CASE WHEN due_at < remind_at OR remind_at IS NULL THEN due_at ELSE remind_at END",
                persisted=True,
            ),
        ),
    )
    """The next moment of its clock: one index finds deadlines and reminders."""
