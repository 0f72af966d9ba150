"""What holds for the whole house."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field, SQLModel


class House(SQLModel, table=True):
    """What holds for all matches. One row, which the migration makes."""

    id: int = Field(default=1, primary_key=True)
    stops: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON: outages, and when the operator stopped all clocks."""


class Heartbeat(SQLModel, table=True):
    """When something that must run ran last."""

    name: str = Field(primary_key=True)
    at: datetime
