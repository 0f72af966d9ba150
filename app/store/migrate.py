"""Bringing a database to the tables that this version needs."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from app.store.session import connect

MIGRATIONS = Path(__file__).with_name("migrations")


def configuration(connection: Connection) -> Config:
    """What Alembic needs to work by a connection, wherever the package is installed."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(url: str) -> None:
    """Make or change the tables to the newest form, in one transaction; the folder of an SQLite file too.

    Several at once do no harm: the others wait for the first, and find nothing left to do.
    """
    if url.startswith("sqlite:///") and not url.endswith(":memory:"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = connect(url)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7447)")
            command.upgrade(configuration(connection), "head")
    finally:
        engine.dispose()


def downgrade(url: str, revision: str = "base") -> None:
    """Take the tables back to an earlier form."""
    engine = connect(url)
    try:
        with engine.begin() as connection:
            command.downgrade(configuration(connection), revision)
    finally:
        engine.dispose()
