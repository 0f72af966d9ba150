"""Rows about the whole site."""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import EMPTY


class House(SQLModel, table=True):
    """The stops of all clocks, and which programs may use the tables. One row, made by the migration."""

    id: int = Field(default=1, primary_key=True)
    stops: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON: outages, and stops by the operator."""
    oldest: str = Field(default="", sa_column_kwargs=EMPTY)
    """The oldest tables whose program may use these; every migration writes it."""


class Heartbeat(SQLModel, table=True):
    """The last run of something that must keep running."""

    name: str = Field(primary_key=True)
    at: datetime


class Deed(SQLModel, table=True):
    """A form that acted, so that sending it again repeats nothing."""

    __table_args__ = (Index("deed_at", "at"),)

    key: str = Field(primary_key=True)
    """A hash of the form's own key, its page and its contents."""
    result: str = Field(default="", sa_column_kwargs=EMPTY)
    """The address that shows what came of it; empty until that is known."""
    at: datetime


class Counter(SQLModel, table=True):
    """How often something was tried within a while, for limits that all processes share."""

    __table_args__ = (Index("counter_until", "until"),)

    name: str = Field(primary_key=True)
    """A hash of what is counted and who tried it; it names nobody."""
    tries: int
    until: datetime
    """From then on it counts from the beginning."""


class Audit(SQLModel, table=True):
    """An act of the operator."""

    id: int | None = Field(default=None, primary_key=True)
    at: datetime
    act: str
    """As it is typed: `letters drop`."""
    about: str
    """The letter, address or match."""
    why: str = Field(default="", sa_column=Column(Text, nullable=False))
    by_id: int | None = None
    """The player who did it as an operator, perhaps deleted since; None: it was typed as a command."""


class Picture(SQLModel, table=True):
    """The public board of a match after a ply as a picture. Few are kept; each can be made again."""

    match_id: int = Field(primary_key=True)
    ply: int = Field(primary_key=True)
    png: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    made_at: datetime = Field(index=True)
