"""Signs of life of what must keep running."""

from datetime import datetime

from sqlalchemy import insert, select, update
from sqlmodel import col

from app import clock
from app.store.session import Store
from app.store.tables import Heartbeat


def beat(store: Store, name: str) -> None:
    """Say that the named thing runs now."""
    with store.transaction() as connection:
        moved = update(Heartbeat).where(col(Heartbeat.name) == name).values(at=clock.now())
        if not connection.execute(moved).rowcount:
            connection.execute(insert(Heartbeat).values(name=name, at=clock.now()))


def last(store: Store, name: str) -> datetime | None:
    """When the named thing ran last, or None if it never did."""
    with store.reading() as connection:
        return connection.execute(select(col(Heartbeat.at)).where(col(Heartbeat.name) == name)).scalar()
