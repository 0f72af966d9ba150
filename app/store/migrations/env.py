"""How Alembic reaches the database: by a connection it was given, or by TIDEPOST_DATABASE_URL."""

import os

from alembic import context
from sqlalchemy import Connection
from sqlmodel import SQLModel

from app.store import tables  # noqa: F401 - the metadata must know them
from app.store.session import connect


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = connect(os.environ.get("TIDEPOST_DATABASE_URL", "sqlite:///data/tidepost.db"))
    with engine.begin() as own:
        run(own)
