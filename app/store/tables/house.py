"""Rows about the whole site."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field, SQLModel


class House(SQLModel, table=True):
    """The stops of all clocks. One row, made by the migration."""

    id: int = Field(default=1, primary_key=True)
    stops: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    """JSON: outages, and stops by the operator."""


class Heartbeat(SQLModel, table=True):
    """The last run of something that must keep running."""

    name: str = Field(primary_key=True)
    at: datetime
