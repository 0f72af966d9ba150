"""Players, and what they want."""

from datetime import datetime

from sqlalchemy import Column, Text, text
from sqlmodel import Field, SQLModel

from app.store.tables.shapes import EMPTY, ZERO


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
    feed_epoch: int = Field(default=0, sa_column_kwargs=ZERO)
    """Rises when the addresses of the player's feeds are made anew."""
    away: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON, stops of all his clocks: his absences that are not yet over. `Absence` is the whole record."""
    reminders: str = Field(default="", sa_column_kwargs=EMPTY)
    """When he is reminded, in words such as `50% 24h`; empty: as the house does."""
    digest_hour: int = Field(default=8, sa_column_kwargs={"server_default": text("8")})
    quiet_from: int | None = None
    quiet_to: int | None = None
    """Hours of his day between which no letter comes that can wait."""
    seen_at: datetime | None = None
    """When he last signed in, or said that he had seen all that waits."""
    created_at: datetime


class Absence(SQLModel, table=True):
    """Days on which a player is away and his clocks stand still."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    begins: datetime
    ends: datetime
    created_at: datetime
    cancelled_at: datetime | None = None
    used_until: datetime | None = None
    """When it was cancelled: so far a deadline that it put off keeps its days."""


class Preference(SQLModel, table=True):
    """How a player wants to hear of a kind of event, in one match or (0) in all."""

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    match_id: int = Field(default=0, primary_key=True)
    event: str = Field(primary_key=True)
    choice: str


class Suppressed(SQLModel, table=True):
    """An address to which no letter goes: letters came back, or its owner wants none."""

    address_key: str = Field(primary_key=True)
    reason: str
    """bounced, unwanted."""
    letter_id: str | None = None
    at: datetime
