"""What happened in a match, and what is asked in it."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import KEY_IS_PLACE


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


class Notice(SQLModel, table=True):
    """What the house tells a whole table beside the moves: its public log. Append only."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    """After which it was told."""
    what: str
    """Names its sentence."""
    seat: str | None = None
    """Whom it is about."""
    by_seat: str | None = None
    """Who did it; None: the house."""
    facts: str = Field(default="{}", sa_column=Column(Text, nullable=False))
    """JSON."""
    once: str | None = Field(default=None, unique=True)
    """The occasion: what is asked for twice is told once."""
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
            "question_due",
            "due_at",
            sqlite_where=text("closed_at IS NULL AND due_at IS NOT NULL"),
            postgresql_where=text("closed_at IS NULL AND due_at IS NOT NULL"),
        ),
        Index(
            "question_remind",
            "remind_at",
            sqlite_where=text("closed_at IS NULL AND remind_at IS NOT NULL"),
            postgresql_where=text("closed_at IS NULL AND remind_at IS NOT NULL"),
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
    """A bot is asked, one who resigned, or one who left standing orders: the house answers first."""
    answer: str | None = Field(default=None, sa_column=Column(Text))
    """What its seat answered: a digest of the text as it came, then the moves, one a line."""
    asked_at: datetime
    begun_at: datetime | None = None
    """When the clock of its run began; None: no clock runs for it."""
    allowed: float | None = None
    """Seconds that the run may take."""
    due_at: datetime | None = None
    """The deadline of the run as it was last announced. It never moves earlier; None: it stands still."""
    remind_at: datetime | None = None
    """When the next reminder is due."""
    late_at: datetime | None = None
    """When the deadline passed and the grace began."""
    announced_at: datetime | None = None
    """Where the clock stands still with no end known: the deadline that had been announced before."""
    closed_at: datetime | None = None
