"""Upgrading a database to the tables that this version needs."""

import os
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.store.session import connect

MIGRATIONS = Path(__file__).with_name("migrations")


class CannotUpgrade(Exception):  # noqa: N818 - told to the operator
    """The database cannot be reached, written, or understood; the text says which and why, in one line."""


def configuration(connection: Connection) -> Config:
    """The configuration for Alembic to work by a connection, wherever the package is installed."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(url: str) -> None:
    """Bring the tables to the newest form, in one transaction; create the folder of an SQLite file too.

    Several at once do no harm: the others wait for the first, and find nothing left to do. An SQLite file is
    made for its owner's eyes alone: it holds the players' addresses and what no player may know. Raises
    CannotUpgrade.
    """
    try:
        if url.startswith("sqlite:///") and not url.endswith(":memory:"):
            _make(Path(url.removeprefix("sqlite:///").partition("?")[0]))
        engine = connect(url)
        try:
            with engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7447)")
                command.upgrade(configuration(connection), "head")
        finally:
            engine.dispose()
    except (OSError, SQLAlchemyError, CommandError) as error:
        why = " ".join(str(getattr(error, "orig", None) or error).split())
        raise CannotUpgrade(f"the database of TIDEPOST_DATABASE_URL cannot be used: {why}") from error


def _make(file: Path) -> None:
    """Create an empty file if there is none; SQLite gives the files beside it the same mode."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))


def downgrade(url: str, revision: str = "base") -> None:
    """Bring the tables back to an earlier form."""
    engine = connect(url)
    try:
        with engine.begin() as connection:
            command.downgrade(configuration(connection), revision)
    finally:
        engine.dispose()
