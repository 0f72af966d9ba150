"""Signs of life of what must keep running."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import col

from app.store.session import Store
from app.store.tables import Heartbeat


def last(store: Store, name: str) -> datetime | None:
    """When the named thing ran last, or None if it never did."""
    with store.reading() as connection:
        return connection.execute(select(col(Heartbeat.at)).where(col(Heartbeat.name) == name)).scalar()
